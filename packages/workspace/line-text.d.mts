export declare function cutLine(text: string, matchStart: number): string;
export declare function isBinary(head: Buffer): boolean;
