/** Thinking of a request that the provider left out or found invalid, as pi from 0.85 on reports it with the answer. */

/** The type of the entry in an answer's `diagnostics`. */
const TRANSFORMATIONS = "anthropic_input_transformations";
/** The history in front of the thinking has changed; the other reasons are another model, account or user. */
const CHANGED_HISTORY = "prefix_binding_mismatch";

export interface InvalidThinking {
	/** Blocks, for whatever reason. */
	readonly blocks: number;
	/** The part of them whose history changed. */
	readonly changedHistory: number;
}

/** Undefined for everything that is no answer; nothing in it is trusted to have the shape that pi gives it today. */
export function readInvalidThinking(message: unknown): InvalidThinking | undefined {
	const { role, diagnostics } = fieldsOf(message);
	if (role !== "assistant") return undefined;
	const reasons = listOf(diagnostics)
		.map(fieldsOf)
		.filter(({ type }) => type === TRANSFORMATIONS)
		.flatMap(({ details }) => listOf(fieldsOf(details).transformations))
		.map((transformation) => fieldsOf(transformation).reason);
	return {
		blocks: reasons.length,
		changedHistory: reasons.filter((reason) => reason === CHANGED_HISTORY).length,
	};
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
	return typeof value === "object" && value !== null ? { ...value } : {};
}

function listOf(value: unknown): readonly unknown[] {
	return Array.isArray(value) ? value : [];
}
