/** The effect of taking the last pass back on the next request. */
import { type Pass, readLog, type View, viewAfter } from "#core/log";
import { isPrefixChange, type PlanInput, planPrefixChange } from "#core/planning";

/** A pass that is taken back, and what holds then. */
export interface Undone {
	readonly pass: Pass;
	/** The log entry for the thinking that this makes invalid; undefined without any. */
	readonly change: Pass | undefined;
	readonly log: readonly Pass[];
	readonly view: View;
}

/** Records of a changed prefix are no passes to take back. Undefined without a pass. */
export function planUndo(
	log: readonly Pass[],
	input: Pick<PlanInput, "graph" | "view" | "fixed" | "budget" | "keepsLoopThinking">,
): Undone | undefined {
	const last = log.findLastIndex((pass) => !isPrefixChange(pass));
	const pass = log[last];
	if (!pass) return undefined;
	const rest = log.toSpliced(last, 1);
	const view = readLog(rest, input.graph).read();
	const change = planPrefixChange({ ...input, view }, input.view);
	if (!change) return { pass, change, log: rest, view };
	return { pass, change, log: [...rest, change], view: viewAfter(view, change) };
}
