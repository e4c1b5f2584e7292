/** Checks the input of hosts without types. A wrong value would show much later, as a pass that makes no sense. */
import { CwlError } from "./basics/cwl-error.ts";
import { isRecord } from "./basics/is-record.ts";
import { quoteStart } from "./transcript/quote.ts";

/** Returns the options. @throws CwlError `bad-option` */
export function checkOptions<T extends object>(
	options: T & { readonly budget: unknown; readonly countTokens: unknown },
): T {
	const { budget, countTokens } = options;
	const refuse = (problem: string) => {
		throw new CwlError("bad-option", problem);
	};
	if (!(typeof budget === "number" && budget > 0))
		refuse(`budget is ${shown(budget)}: use a number of tokens above 0, such as 60000.`);
	if (typeof countTokens !== "function")
		refuse(`countTokens is ${shown(countTokens)}: use a function that returns the tokens of a text.`);
	return options;
}

const AUTHORS: readonly unknown[] = ["user", "host", "model", "tool"];
const ITEM_TYPES: readonly unknown[] = ["user", "note", "text", "reasoning", "call", "result"];

/** @throws CwlError `bad-message` with the index of the message and the field that is wrong */
export function checkMessage(message: unknown, index: number) {
	const refuse = (field: string, value: unknown, allowed: string) => {
		throw new CwlError("bad-message", `message ${index}: ${field} is ${shown(value)}: use ${allowed}.`);
	};
	const { author, items } = isRecord(message) ? message : {};
	if (!AUTHORS.includes(author)) refuse("author", author, AUTHORS.join(", "));
	if (!Array.isArray(items)) return refuse("items", items, "a list of items");
	for (const item of items) {
		const { type, id, tokens, callId } = isRecord(item) ? item : {};
		if (!ITEM_TYPES.includes(type)) refuse("type", type, ITEM_TYPES.join(", "));
		if (typeof id !== "string") refuse("id", id, "a text that never changes");
		if (!(typeof tokens === "number" && tokens >= 0 && tokens < Infinity))
			refuse("tokens", tokens, "a number");
		if ((type === "call" || type === "result") && typeof callId !== "string")
			refuse("callId", callId, "the id that joins a call and its result");
	}
}

/** Characters of a wrong value that an error repeats. */
const MAX_SHOWN = 80;

function shown(value: unknown): string {
	if (value === undefined) return "missing";
	return typeof value === "string" ? quoteStart(value, MAX_SHOWN) : String(value).slice(0, MAX_SHOWN);
}
