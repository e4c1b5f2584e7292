import { createHash } from "node:crypto";

/**
 * Each id names its response and records if that response began with thinking. Real providers remember both. Here the
 * request alone has to show them, so that the strict rules stay pure functions.
 */
const TOKEN = "[0-9a-f]{24}";
const ITEM = new RegExp(`^(?:fc|msg|toolu)_(${TOKEN})([rp])\\d+$`);
const REASONING = new RegExp(`^rs_(${TOKEN})$`);

export interface ItemOrigin {
	/** The response that the item came from. */
	readonly response: string;
	/** The response began with thinking. */
	readonly reasoned: boolean;
}

/** A response token, unique per server by `sequence` and across servers by the request's `content`. */
export function responseToken(sequence: number, content: string): string {
	return createHash("sha256").update(`${sequence}\n${content}`).digest("hex").slice(0, 24);
}

export function itemId(
	kind: "fc" | "msg" | "toolu",
	response: string,
	reasoned: boolean,
	position: number,
): string {
	return `${kind}_${response}${reasoned ? "r" : "p"}${position}`;
}

export function reasoningId(response: string): string {
	return `rs_${response}`;
}

/** Where an item came from, or undefined when the id was not made by this kind of server. */
export function originOf(id: string): ItemOrigin | undefined {
	const item = ITEM.exec(id);
	if (item?.[1]) return { response: item[1], reasoned: item[2] === "r" };
	const reasoning = REASONING.exec(id);
	return reasoning?.[1] ? { response: reasoning[1], reasoned: true } : undefined;
}
