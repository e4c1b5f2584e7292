/** A refusal that concerns the binding of thinking to its history: what happened and what the user can do, in one line. */
import type { Answer } from "./host-message.ts";
import { isRefused } from "./message-parts.ts";

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
