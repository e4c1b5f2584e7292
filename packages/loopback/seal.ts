import { createHmac } from "node:crypto";

/** Fixed, so that a session outlives the server that signed it and the strict rules need no server to verify. */
const KEY = "loopback";

/** A signature over text that only this kind of server makes; the same text always gets the same one. */
export function seal(text: string): string {
	return createHmac("sha256", KEY).update(text).digest("base64");
}

export function isSealOf(signature: string, text: string): boolean {
	return signature === seal(text);
}
