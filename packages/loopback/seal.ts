/** A provider remembers its responses: here ids and signatures carry it, so that the rules stay pure functions. */
import { createHash, createHmac } from "node:crypto";

/** The record that a thinking block keeps of the conversation that it was produced in. */
export interface SealBinding {
	/** Digest of the system prompt, the tools and everything said before the block, thinking excluded. */
	readonly prefix: string;
	/** Id of the thinking block before it; empty if there was none. */
	readonly previous: string;
	/** Number of thinking blocks before it. */
	readonly depth: number;
}

/** The content of a signature. */
export interface Seal {
	/** Names the block within its conversation. For OpenAI it is the id of the reasoning item. */
	readonly id: string;
	/** Tokens of the thinking that the signature stands for, whatever text is visible. */
	readonly tokens: number;
	/** Thinking blocks of the message that the block came with, itself included. */
	readonly siblings: number;
	/** Missing for thinking of a model that keeps no record of its conversation. */
	readonly binding?: SealBinding;
}

/** Fixed, so that a session outlives the server that signed it and a check needs no server. */
const KEY = "loopback";
const MAC_LENGTH = 24;

function authenticate(text: string): string {
	return createHmac("sha256", KEY).update(text).digest("base64url").slice(0, MAC_LENGTH);
}

/** The fields of a seal and its binding, in order. */
type SealFields = readonly [string, number, number, string?, string?, number?];

/** The signature of a thinking block. */
export function signSeal({ id, tokens, siblings, binding }: Seal): string {
	const head = [id, tokens, siblings] as const;
	const fields: SealFields = binding ? [...head, binding.prefix, binding.previous, binding.depth] : head;
	const text = JSON.stringify(fields);
	return Buffer.from(authenticate(text) + text).toString("base64");
}

/** Reads a signature. Undefined when it was not made by `signSeal` or was changed since. */
export function openSeal(signature: string): Seal | undefined {
	const opened = Buffer.from(signature, "base64").toString("utf8");
	// Decoding ignores characters that are no base64, and the spare bits of the last one.
	if (Buffer.from(opened).toString("base64") !== signature) return undefined;
	const text = opened.slice(MAC_LENGTH);
	if (opened.slice(0, MAC_LENGTH) !== authenticate(text)) return undefined;
	const fields: SealFields = JSON.parse(text);
	const [id, tokens, siblings, prefix, previous = "", depth = 0] = fields;
	const seal = { id, tokens, siblings };
	return prefix === undefined ? seal : { ...seal, binding: { prefix, previous, depth } };
}

/** A genuine signature without a record of its conversation, for tests that do not look at the prefix. */
export function signUnbound(id: string, tokens = 0): string {
	return signSeal({ id, tokens, siblings: 1 });
}

/** Each id names its response and records if that response began with thinking. */
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
