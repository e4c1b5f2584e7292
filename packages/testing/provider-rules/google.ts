import { fieldsOf, recordsOf, textOf, type UnknownRecord } from "#basics";
import { type Rule, rule, ruleForEach } from "../refusal.ts";

/** A part holds exactly one of these fields (ai.google.dev/api/caching, "Part": a union field `data`). */
const PART_DATA = ["text", "inlineData", "functionCall", "functionResponse", "fileData"];

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

const turnsIn = ({ contents }: UnknownRecord) =>
	recordsOf(contents).map(({ role, parts: list }) => {
		const parts = recordsOf(list);
		const calls = parts.filter(({ functionCall }) => functionCall !== undefined);
		const responses = parts.filter(({ functionResponse }) => functionResponse !== undefined);
		return { role: textOf(role), parts, calls, responses };
	});

/** The parts of all turns. `place` is such as `contents[3].parts[0]`. */
const partsIn = (body: UnknownRecord) =>
	turnsIn(body).flatMap(({ parts }, index) =>
		parts.map((part, at) => ({ part, place: `contents[${index}].parts[${at}]` })),
	);

/** The messages after the last user turn, on a model that checks it. A turn of tool responses may hold images and text too, and is not the user's. */
function currentTurnIn(body: UnknownRecord) {
	if (!/^(?:models\/)?gemini-[3-9]/.test(textOf(body.model))) return [];
	const turns = turnsIn(body);
	return turns.slice(
		1 + turns.findLastIndex(({ role, responses }) => role === "user" && responses.length === 0),
	);
}

/**
 * Thought signatures guide (ai.google.dev/gemini-api/docs/thought-signatures), "strict validation" of Gemini 3: in
 * the current turn, the first call of each step comes back with its signature.
 */
export const checkStepsSigned = ruleForEach(currentTurnIn, ({ calls: [first] }) => {
	if (!first || textOf(first.thoughtSignature) !== "") return undefined;
	const name = textOf(fieldsOf(first.functionCall).name);
	return `Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly, and missing thought_signature may lead to degraded model performance. Function call \`default_api:${name}\``;
});

/** The client mistakes that generateContent refuses. */
export const googleRules: readonly Rule[] = [
	/** API reference, "generateContent" (ai.google.dev/api/generate-content): `contents` is required. */
	rule(
		({ contents }) =>
			recordsOf(contents).length === 0 && "* GenerateContentRequest.contents: contents is not specified",
	),
	/** API reference, "Content" (ai.google.dev/api/caching): the role is user or model. */
	ruleForEach(
		turnsIn,
		({ role }) => role !== "user" && role !== "model" && "Please use a valid role: user, model.",
	),
	/** Well-known error: a content has at least one part. */
	ruleForEach(
		turnsIn,
		({ parts }, index) =>
			parts.length === 0 &&
			`* GenerateContentRequest.contents[${index}].parts: contents.parts must not be empty.`,
	),
	/** API reference, "Part", and well-known error: each part holds one kind of data. */
	ruleForEach(
		partsIn,
		({ part, place }) =>
			PART_DATA.filter((field) => part[field] !== undefined).length !== 1 &&
			`* GenerateContentRequest.${place}.data: required oneof field 'data' must have one initialized field`,
	),
	/** Well-known error, for example google-gemini/gemini-cli issue 11814: what comes before a call is the user's. */
	ruleForEach(
		turnsIn,
		({ calls }, index, turns) =>
			calls.length > 0 &&
			turns[index - 1]?.role !== "user" &&
			"Please ensure that function call turn comes immediately after a user turn or after a function response turn.",
	),
	/** Well-known error, for example BerriAI/litellm issue 26755: a response answers the turn right before it. */
	ruleForEach(
		turnsIn,
		({ responses }, index, turns) =>
			responses.length > 0 &&
			!turns[index - 1]?.calls.length &&
			"Please ensure that function response turn comes immediately after a function call turn.",
	),
	/** Function calling guide, "parallel function calling", and google-gemini/gemini-cli issue 4217: all are answered. */
	ruleForEach(
		turnsIn,
		({ calls }, index, turns) =>
			calls.length > 0 &&
			calls.length !== turns[index + 1]?.responses.length &&
			"Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.",
	),
	/** API reference, "FunctionResponse": it names its function. */
	ruleForEach(
		turnsIn,
		({ responses }, index) =>
			responses.some(({ functionResponse }) => !textOf(fieldsOf(functionResponse).name)) &&
			`* GenerateContentRequest.contents[${index}]: function_response.name: Name cannot be empty.`,
	),
	/** API reference, "Part": a signature is bytes, in base64. */
	ruleForEach(
		partsIn,
		({ part: { thoughtSignature: signature }, place }) =>
			signature !== undefined &&
			!BASE64.test(textOf(signature)) &&
			`Invalid value at '${place}.thought_signature' (TYPE_BYTES), Base64 decoding failed`,
	),
	checkStepsSigned,
];
