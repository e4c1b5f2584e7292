import { fieldsOf, textOf, type UnknownRecord } from "#basics";

/** Why a request was not answered, independent of the error body that each API wraps around it. */
export interface Refusal {
	/** HTTP status. */
	readonly status: number;
	/** The provider's error type, such as `invalid_request_error`. */
	readonly type: string;
	readonly message: string;
	/** The machine-readable reason; of Anthropic's errors those about threads have one. */
	readonly code?: string;
}

/** A rule of an API: the reason to refuse a body, if it breaks the rule. */
export type Rule = (body: UnknownRecord) => Refusal | undefined;

/** The outcome of a check: a text is the message of a plain bad request; undefined, false or "" is no finding. */
export type Finding = Refusal | string | false | undefined;

/** A status 400, the answer of all APIs to a request that breaks their rules. */
export function badRequest(message: string): Refusal {
	return { status: 400, type: "invalid_request_error", message };
}

/** The finding of OpenAI's APIs about a text of too many characters. */
export function tooLong({ length }: string, limit: number, path: string): Finding {
	return (
		length > limit &&
		`Invalid '${path}': string too long. Expected a string with maximum length ${limit}, but got a string with length ${length} instead.`
	);
}

/** The finding of OpenAI's APIs about a value that is none of those allowed. */
export function invalidValue(found: unknown, allowed: ReadonlySet<string>): Finding {
	if (allowed.has(textOf(found))) return undefined;
	const supported = [...allowed].map((value) => `'${value}'`).join(", ");
	return `Invalid value: '${String(found)}'. Supported values are: ${supported}.`;
}

/** A rule about a whole body. */
export function rule(check: (body: UnknownRecord) => Finding): Rule {
	return (body) => {
		const found = check(body) || undefined;
		return typeof found === "string" ? badRequest(found) : found;
	};
}

/** A rule about each item of a list in the body. */
export const ruleForEach = <T>(
	listIn: (body: UnknownRecord) => readonly T[],
	check: (item: T, index: number, list: readonly T[]) => Finding,
): Rule =>
	rule((body) => {
		const list = listIn(body);
		for (const [index, item] of list.entries()) {
			const found = check(item, index, list);
			if (found) return found;
		}
		return undefined;
	});

/** The first rule that refuses decides, as in the real APIs. */
export function applyRules(rules: readonly Rule[], body: unknown): Refusal | undefined {
	const fields = fieldsOf(body);
	for (const broken of rules) {
		const refusal = broken(fields);
		if (refusal) return refusal;
	}
	return undefined;
}
