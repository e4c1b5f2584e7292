export declare function decodeBytes(bytes: Uint8Array): string;
export declare function encodeText(text: string): Buffer;
export declare function isWellFormedText(text: string): boolean;
