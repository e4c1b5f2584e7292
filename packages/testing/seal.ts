/** A provider remembers its responses: here ids and signatures carry it, so that the rules stay pure functions. */

import { createHash, createHmac } from "node:crypto";
import { textOf, type UnknownRecord } from "#basics";

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

/** The signature of a thinking block. */
export function signSeal(seal: Seal): string {
	const text = JSON.stringify(seal);
	return Buffer.from(authenticate(text) + text).toString("base64");
}

/** Reads a signature. Undefined when it was not made by `signSeal` or was changed since. */
function openSeal(signature: string): Seal | undefined {
	const opened = Buffer.from(signature, "base64").toString("utf8");
	// Decoding ignores characters that are no base64, and the spare bits of the last one.
	if (Buffer.from(opened).toString("base64") !== signature) return undefined;
	const text = opened.slice(MAC_LENGTH);
	return opened.slice(0, MAC_LENGTH) === authenticate(text) ? JSON.parse(text) : undefined;
}

const SIGNATURE_FIELDS = new Map([
	["thinking", "signature"],
	["redacted_thinking", "data"],
	["reasoning", "encrypted_content"],
]);

/** The field with the signature of a thinking block or a reasoning item; undefined for all others. */
export const signatureField = ({ type }: UnknownRecord): string | undefined =>
	SIGNATURE_FIELDS.get(textOf(type));

/** The seal of a thinking block or a reasoning item; undefined without a genuine one. */
export function sealOf(block: UnknownRecord): Seal | undefined {
	const field = signatureField(block);
	return field === undefined ? undefined : openSeal(textOf(block[field]));
}

/** A genuine signature without a record of its conversation, for tests that do not look at the prefix. */
export function signUnbound(id: string, tokens = 0): string {
	return signSeal({ id, tokens, siblings: 1 });
}

/** Each id names its response and records if that response began with thinking. */
const TOKEN = "[0-9a-f]{24}";
const ITEM = new RegExp(`^(?:fc|msg|toolu|ws)_(${TOKEN})([rp])\\d+$`);
const REASONING = new RegExp(`^rs_(${TOKEN})$`);

/** A response token, unique per server by `sequence` and across servers by the request's `content`. */
export function responseToken(sequence: number, content: string): string {
	return createHash("sha256").update(`${sequence}\n${content}`).digest("hex").slice(0, 24);
}

export const itemId = (
	kind: "fc" | "msg" | "toolu" | "ws",
	response: string,
	reasoned: boolean,
	position: number,
): string => `${kind}_${response}${reasoned ? "r" : "p"}${position}`;

export const reasoningId = (response: string): string => `rs_${response}`;

/** The response that an item came from, and true if it began with thinking; undefined for ids that were made elsewhere. */
export function originOf(id: string): { readonly response: string; readonly reasoned: boolean } | undefined {
	const [, response, kind] = ITEM.exec(id) ?? REASONING.exec(id) ?? [];
	return response === undefined ? undefined : { response, reasoned: kind !== "p" };
}
