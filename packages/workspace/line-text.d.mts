export declare function cutLine(text: string, matchStart: number): string;
export declare function isBinary(head: Buffer): boolean;
export declare function readMark(head: Uint8Array): string | undefined;
