import { openSeal } from "../thinking/seal.ts";
import { originOf, reasoningId } from "../wire/ids.ts";
import { type Fields, objectsOf, stringOf } from "../wire/json.ts";
import { applyRules, badRequest, firstOf, type Refusal, type Rule } from "../wire/refusal.ts";

const ROLES = new Set(["assistant", "system", "developer", "user"]);
const PART_TYPES = new Set(["input_text", "input_image", "output_text", "refusal", "input_file"]);
const ITEM_TYPES = new Set(["message", "reasoning", "function_call", "function_call_output"]);
const ID_PREFIXES = new Map([
	["message", "msg"],
	["reasoning", "rs"],
	["function_call", "fc"],
]);
const MAX_ID_LENGTH = 64;

/** Items of a message may leave `type` out. */
function typeOf(item: Fields): string {
	return item.type === undefined ? "message" : String(item.type);
}

function invalidValue(found: unknown, allowed: ReadonlySet<string>, path: string): Refusal {
	const supported = [...allowed].map((value) => `'${value}'`).join(", ");
	return badRequest(
		`Invalid value: '${String(found)}'. Supported values are: ${supported}.`,
		path,
		"invalid_value",
	);
}

/** API reference, "Create a model response": there is an input, a text or at least one item. */
function checkInputPresent({ input }: Fields): Refusal | undefined {
	if (typeof input === "string" || objectsOf(input).length > 0) return undefined;
	return badRequest("Missing required parameter: 'input'.", "input", "missing_required_parameter");
}

/** API reference, "input": items are of the types that this server's models can produce or read. */
function checkItemTypes({ input }: Fields): Refusal | undefined {
	return firstOf(objectsOf(input), (item, index) =>
		ITEM_TYPES.has(typeOf(item)) ? undefined : invalidValue(item.type, ITEM_TYPES, `input[${index}].type`),
	);
}

/** API reference, "input message": the role is one of the four that the error message lists. */
function checkRoles({ input }: Fields): Refusal | undefined {
	return firstOf(objectsOf(input), (item, index) =>
		typeOf(item) !== "message" || ROLES.has(stringOf(item.role))
			? undefined
			: invalidValue(item.role, ROLES, `input[${index}].role`),
	);
}

/** API reference, "input message": a message has content, and its parts are typed by direction (`input_text`). */
function checkContent({ input }: Fields): Refusal | undefined {
	return firstOf(objectsOf(input), (item, index) => {
		if (typeOf(item) !== "message" || typeof item.content === "string") return undefined;
		const path = `input[${index}].content`;
		const parts = objectsOf(item.content);
		if (parts.length === 0) {
			return badRequest(`Missing required parameter: '${path}'.`, path, "missing_required_parameter");
		}
		return firstOf(parts, ({ type }, at) =>
			PART_TYPES.has(stringOf(type)) ? undefined : invalidValue(type, PART_TYPES, `${path}[${at}].type`),
		);
	});
}

/** Well-known error: item ids begin with their type's prefix ("Expected an ID that begins with 'fc'"). */
function checkIdPrefixes({ input }: Fields): Refusal | undefined {
	return firstOf(objectsOf(input), (item, index) => {
		const prefix = ID_PREFIXES.get(typeOf(item));
		if (!prefix || item.id === undefined || stringOf(item.id).startsWith(prefix)) return undefined;
		const path = `input[${index}].id`;
		const message = `Invalid '${path}': '${String(item.id)}'. Expected an ID that begins with '${prefix}'.`;
		return badRequest(message, path, "invalid_value");
	});
}

/** Well-known error: ids are at most 64 characters long ("string too long"). */
function checkIdLengths({ input }: Fields): Refusal | undefined {
	return firstOf(objectsOf(input), (item, index) =>
		firstOf(["id", "call_id"], (field) => {
			const { length } = stringOf(item[field]);
			if (length <= MAX_ID_LENGTH) return undefined;
			const path = `input[${index}].${field}`;
			const message = `Invalid '${path}': string too long. Expected a string with maximum length ${MAX_ID_LENGTH}, but got a string with length ${length} instead.`;
			return badRequest(message, path, "string_above_max_length");
		}),
	);
}

/** Well-known error: no item id appears twice ("Duplicate item found with id"). */
function checkUniqueItems({ input }: Fields): Refusal | undefined {
	const seen = new Set<string>();
	return firstOf(objectsOf(input), ({ id }) => {
		if (typeof id !== "string") return undefined;
		const message = `Duplicate item found with id ${id}. Remove duplicate items from your input and try again.`;
		if (seen.has(id)) return badRequest(message, "input");
		seen.add(id);
		return undefined;
	});
}

/** Well-known error: no two calls and no two outputs share a `call_id` ("Duplicate call_ids submitted"). */
function checkUniqueCalls({ input }: Fields): Refusal | undefined {
	const seen = new Set<string>();
	return firstOf(objectsOf(input), (item) => {
		if (!typeOf(item).startsWith("function_call")) return undefined;
		const key = `${typeOf(item)} ${stringOf(item.call_id)}`;
		if (seen.has(key)) return badRequest(`Duplicate 'call_id': ${stringOf(item.call_id)}.`, "input");
		seen.add(key);
		return undefined;
	});
}

/** Well-known error: an output comes after the call with its `call_id`. */
function checkOutputsHaveCalls({ input }: Fields): Refusal | undefined {
	const called = new Set<string>();
	return firstOf(objectsOf(input), (item) => {
		const callId = stringOf(item.call_id);
		if (typeOf(item) === "function_call") called.add(callId);
		if (typeOf(item) !== "function_call_output" || called.has(callId)) return undefined;
		return badRequest(`No tool call found for function call output with call_id ${callId}.`, "input");
	});
}

/** Well-known error: every call has its output in the input. */
function checkCallsHaveOutputs({ input }: Fields): Refusal | undefined {
	const items = objectsOf(input);
	const outputs = items.filter((item) => typeOf(item) === "function_call_output");
	const answered = new Set(outputs.map((item) => stringOf(item.call_id)));
	return firstOf(items, (item) => {
		const callId = stringOf(item.call_id);
		if (typeOf(item) !== "function_call" || answered.has(callId)) return undefined;
		return badRequest(`No tool output found for function call ${callId}.`, "input");
	});
}

/** Well-known error: without storage a reasoning item is only known by its encrypted content (reasoning guide). */
function checkReasoningCarried({ input, store }: Fields): Refusal | undefined {
	if (store !== false) return undefined;
	return firstOf(objectsOf(input), (item) => {
		if (typeOf(item) !== "reasoning" || typeof item.encrypted_content === "string") return undefined;
		const message = `Item with id '${stringOf(item.id)}' not found. Items are not persisted when \`store\` is set to false. Try again with \`store\` set to true, or remove this item from your input.`;
		return { ...badRequest(message, "input"), status: 404 };
	});
}

/** Well-known error `invalid_encrypted_content`: encrypted content belongs to the item that it was issued for. */
function checkReasoningGenuine({ input }: Fields): Refusal | undefined {
	return firstOf(objectsOf(input), (item) => {
		const id = stringOf(item.id);
		const { encrypted_content: sealed } = item;
		if (typeOf(item) !== "reasoning" || typeof sealed !== "string" || openSeal(sealed)?.id === id)
			return undefined;
		const message = `The encrypted content for item ${id} could not be verified. Reason: Encrypted content could not be decrypted or parsed.`;
		return badRequest(message, undefined, "invalid_encrypted_content");
	});
}

/** Returns true if an item came with the reasoning in one response. Ids made elsewhere are trusted. */
function followsReasoning(reasoning: Fields, next: Fields | undefined): boolean {
	if (!next || typeof next.id !== "string" || typeOf(next) === "function_call_output") return false;
	const origin = originOf(stringOf(reasoning.id));
	return !origin || origin.response === originOf(next.id)?.response;
}

/** Well-known error: the item that a reasoning item led to stands right after it, under its own id. */
function checkReasoningFollowed({ input }: Fields): Refusal | undefined {
	const items = objectsOf(input);
	return firstOf(items, (item, index) => {
		if (typeOf(item) !== "reasoning" || followsReasoning(item, items[index + 1])) return undefined;
		const message = `Item '${stringOf(item.id)}' of type 'reasoning' was provided without its required following item.`;
		return badRequest(message, "input");
	});
}

/** Well-known error: an item that came out of reasoning comes back with its reasoning item before it. */
function checkReasoningKept({ input }: Fields): Refusal | undefined {
	const reasoned = new Set<string>();
	return firstOf(objectsOf(input), (item) => {
		const id = stringOf(item.id);
		if (typeOf(item) === "reasoning") reasoned.add(id);
		const origin = originOf(id);
		if (!origin?.reasoned || typeOf(item) === "reasoning") return undefined;
		const needed = reasoningId(origin.response);
		if (reasoned.has(needed)) return undefined;
		const message = `Item '${id}' of type '${typeOf(item)}' was provided without its required 'reasoning' item: '${needed}'.`;
		return badRequest(message, "input");
	});
}

export const responsesRules: readonly Rule[] = [
	checkInputPresent,
	checkItemTypes,
	checkRoles,
	checkContent,
	checkIdPrefixes,
	checkIdLengths,
	checkUniqueItems,
	checkUniqueCalls,
	checkOutputsHaveCalls,
	checkCallsHaveOutputs,
	checkReasoningCarried,
	checkReasoningGenuine,
	checkReasoningKept,
	checkReasoningFollowed,
];

/** Returns the error of a request that the Responses API refuses; covers the mistakes that clients can make. */
export function checkResponses(body: unknown): Refusal | undefined {
	return applyRules(responsesRules, body);
}
