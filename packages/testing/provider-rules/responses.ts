import { recordsOf, textOf, type UnknownRecord } from "#basics";
import { badRequest, invalidValue, type Rule, rule, ruleForEach, tooLong } from "../refusal.ts";
import { isBlankContent, itemsIn, itemType as typeOf } from "../request-body.ts";
import { originOf, reasoningId, sealOf } from "../seal.ts";

const ROLES = new Set(["assistant", "system", "developer", "user"]);
const PART_TYPES = new Set(["input_text", "input_image", "output_text", "refusal", "input_file"]);
const ITEM_TYPES = new Set([
	"message",
	"reasoning",
	"function_call",
	"function_call_output",
	"web_search_call",
	"tool_search_call",
	"tool_search_output",
]);
const ID_PREFIXES = new Map([
	["web_search_call", "ws"],
	["tool_search_call", "tsc"],
	["message", "msg"],
	["reasoning", "rs"],
	["function_call", "fc"],
]);
const MAX_ID_LENGTH = 64;

const isCall = (item: UnknownRecord, type: string, id: unknown): boolean =>
	typeOf(item) === type && textOf(item.call_id) === textOf(id);

/** Each output of a kind comes after the call with its id. */
const answersCall = (output: string, call: string, words: string): Rule =>
	ruleForEach(
		itemsIn,
		(item, index, items) =>
			typeOf(item) === output &&
			!items.slice(0, index).some((other) => isCall(other, call, item.call_id)) &&
			`No ${words} with call_id ${textOf(item.call_id)}.`,
	);

/** Returns true if an item came with the reasoning in one response. Ids made elsewhere are trusted. */
function followsReasoning(reasoning: UnknownRecord, next: UnknownRecord | undefined): boolean {
	if (!next || typeof next.id !== "string" || typeOf(next) === "function_call_output") return false;
	const origin = originOf(textOf(reasoning.id));
	return !origin || origin.response === originOf(next.id)?.response;
}

/** The client mistakes that the Responses API refuses. */
export const responsesRules: readonly Rule[] = [
	/** API reference, "Create a model response": there is an input, a text or at least one item. */
	rule((body) => itemsIn(body).length === 0 && "Missing required parameter: 'input'."),
	/** API reference, "input": items are of the types that this server's models can produce or read. */
	ruleForEach(itemsIn, (item) => invalidValue(typeOf(item), ITEM_TYPES)),
	/** API reference, "input message": the role is one of the four that the error message lists. */
	ruleForEach(itemsIn, (item) => typeOf(item) === "message" && invalidValue(item.role, ROLES)),
	/** API reference, "input message": a message has content, and its parts are typed by direction (`input_text`). */
	ruleForEach(itemsIn, (item, index) => {
		if (typeOf(item) !== "message" || typeof item.content === "string") return undefined;
		const parts = recordsOf(item.content);
		if (parts.length === 0) return `Missing required parameter: 'input[${index}].content'.`;
		return parts.map(({ type }) => invalidValue(type, PART_TYPES)).find(Boolean);
	}),
	/** An answer that says nothing comes with calls only: without them it is nothing to continue from. */
	ruleForEach(itemsIn, (item, index, items) => {
		if (typeOf(item) !== "message" || item.role !== "assistant" || !isBlankContent(item.content))
			return undefined;
		const next = items.slice(index + 1).find((other) => typeOf(other) !== "reasoning");
		const isWithCall = [items[index - 1], next].some((other) => other && typeOf(other) === "function_call");
		return !isWithCall && `Invalid 'input[${index}].content': text content must be non-empty.`;
	}),
	/** Well-known error: item ids begin with their type's prefix ("Expected an ID that begins with 'fc'"). */
	ruleForEach(itemsIn, (item, index) => {
		const prefix = ID_PREFIXES.get(typeOf(item)) ?? "";
		const isOther = item.id !== undefined && !textOf(item.id).startsWith(prefix);
		return (
			isOther &&
			`Invalid 'input[${index}].id': '${String(item.id)}'. Expected an ID that begins with '${prefix}'.`
		);
	}),
	/** Well-known error: ids are at most 64 characters long ("string too long"). */
	ruleForEach(itemsIn, (item, index) =>
		["id", "call_id"]
			.map((field) => tooLong(textOf(item[field]), MAX_ID_LENGTH, `input[${index}].${field}`))
			.find(Boolean),
	),
	/** Well-known error: no item id appears twice ("Duplicate item found with id"). */
	ruleForEach(
		itemsIn,
		({ id }, index, items) =>
			typeof id === "string" &&
			items.findIndex((item) => item.id === id) < index &&
			`Duplicate item found with id ${id}. Remove duplicate items from your input and try again.`,
	),
	/** Well-known error: no two calls and no two outputs share a `call_id` ("Duplicate call_ids submitted"). */
	ruleForEach(
		itemsIn,
		(item, index, items) =>
			typeOf(item).startsWith("function_call") &&
			items.findIndex((other) => isCall(other, typeOf(item), item.call_id)) < index &&
			`Duplicate 'call_id': ${textOf(item.call_id)}.`,
	),
	/** Well-known error: an output comes after the call with its `call_id`. */
	answersCall("function_call_output", "function_call", "tool call found for function call output"),
	/** Well-known error: every call has its output in the input. */
	ruleForEach(
		itemsIn,
		(item, _, items) =>
			typeOf(item) === "function_call" &&
			!items.some((other) => isCall(other, "function_call_output", item.call_id)) &&
			`No tool output found for function call ${textOf(item.call_id)}.`,
	),
	/** Tool search guide: the tools that a search found come after that search. */
	answersCall("tool_search_output", "tool_search_call", "tool search call found for tool search output"),
	/** Well-known error: without storage a reasoning item is only known by its encrypted content (reasoning guide). */
	rule((body) => {
		const item = itemsIn(body).find(
			(one) => typeOf(one) === "reasoning" && typeof one.encrypted_content !== "string",
		);
		if (body.store !== false || !item) return undefined;
		const message = `Item with id '${textOf(item.id)}' not found. Items are not persisted when \`store\` is set to false. Try again with \`store\` set to true, or remove this item from your input.`;
		return { ...badRequest(message), status: 404 };
	}),
	/** Well-known error `invalid_encrypted_content`: encrypted content belongs to the item that it was issued for. */
	ruleForEach(itemsIn, (item) => {
		const id = textOf(item.id);
		const isSealed = typeOf(item) === "reasoning" && typeof item.encrypted_content === "string";
		return (
			isSealed &&
			sealOf(item)?.id !== id &&
			`The encrypted content for item ${id} could not be verified. Reason: Encrypted content could not be decrypted or parsed.`
		);
	}),
	/** Well-known error: an item that came out of reasoning comes back with its reasoning item before it. */
	ruleForEach(itemsIn, (item, index, items) => {
		const origin = originOf(textOf(item.id));
		if (!origin?.reasoned || typeOf(item) === "reasoning") return undefined;
		const needed = reasoningId(origin.response);
		const isThere = items
			.slice(0, index)
			.some((other) => typeOf(other) === "reasoning" && other.id === needed);
		return (
			!isThere &&
			`Item '${textOf(item.id)}' of type '${typeOf(item)}' was provided without its required 'reasoning' item: '${needed}'.`
		);
	}),
	/** Well-known error: the item that a reasoning item led to stands right after it, under its own id. */
	ruleForEach(
		itemsIn,
		(item, index, items) =>
			typeOf(item) === "reasoning" &&
			!followsReasoning(item, items[index + 1]) &&
			`Item '${textOf(item.id)}' of type 'reasoning' was provided without its required following item.`,
	),
];
