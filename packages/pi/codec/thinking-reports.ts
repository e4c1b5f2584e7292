/**
 * Reports of the provider about thinking whose history changed: in an answer's diagnostics, and in a refusal.
 */
import { fieldsOf, isRecord, recordsOf } from "#basics";
import { type Answer, isRefused } from "./host-message.ts";

/**
 * The types of the entries in an answer's `diagnostics` (pi 0.85 and later, for OpenAI 1.6), each with the reason that
 * means a changed history in front of the thinking. The other reasons are another model, account or user, or a new turn.
 */
const TRANSFORMATIONS: ReadonlyMap<unknown, string> = new Map([
	["anthropic_input_transformations", "prefix_binding_mismatch"],
	["openai_input_transformations", "prefix_mismatch"],
]);

/**
 * The blocks that an answer reports as invalid, and the part of them whose history changed. Undefined for everything that is
 * no answer, and for refusals; nothing in it is trusted to have the shape that pi gives it today.
 */
export function readInvalidThinking(message: unknown) {
	if (!isRecord(message) || message.role !== "assistant" || isRefused(message)) return undefined;
	const dropped = recordsOf(message.diagnostics).flatMap(({ type, details }) => {
		const changedHistory = TRANSFORMATIONS.get(type);
		if (changedHistory === undefined) return [];
		return recordsOf(fieldsOf(details).transformations).map(({ reason }) => reason === changedHistory);
	});
	return { blocks: dropped.length, changedHistory: dropped.filter((isChanged) => isChanged).length };
}

/** Anthropic's error for thinking behind a changed history (preserved-thinking guide, November 2026). */
const STALE = /bound to a different conversation|invalid `?signature`? in `?thinking`? block/i;
/** The setting by which pi from 0.85 on asks the provider to drop such thinking, and the beta header that it needs. */
const SETTING = /block_binding|prefix_mismatch_behavior|thinking-binding-controls/i;

/** Undefined for an answer that came, and for refusals with another reason. */
export function explainThinkingRefusal(answer: Answer): string | undefined {
	if (!isRefused(answer)) return undefined;
	const { errorMessage = "", provider, model } = answer;
	const compat = (value: boolean) =>
		`set "compat": {"supportsMidConvoEffort": ${value}} for ${provider}/${model} in pi's models.json`;
	if (SETTING.test(errorMessage)) {
		return (
			"the provider refuses the setting by which pi asks it to drop invalid thinking. " +
			`To send no such setting, ${compat(false)}, then send your message again.`
		);
	}
	if (!STALE.test(errorMessage)) return undefined;
	return (
		"the provider refuses thinking because the history in front of it has changed. " +
		`To have it dropped instead, ${compat(true)} (pi 0.85 or later), or use /compact; then send your message again.`
	);
}
