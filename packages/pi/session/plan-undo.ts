/** The effect of taking the last pass back on the next request. */
import { type Pass, readLog, viewAfter } from "#core/log";
import { isPrefixChange, type PlanInput, planPrefixChange } from "#core/planning";

/** A pass that is taken back, and what holds then; `change` is the entry for the thinking that this makes invalid. */
export type Undone = NonNullable<ReturnType<typeof planUndo>>;

/** The last pass of a log and the rest of the log. Records of a changed prefix are no passes to take back. */
export function withoutLast<P extends Pass>(log: readonly P[]) {
	const last = log.findLastIndex((pass) => !isPrefixChange(pass));
	return { pass: log[last], rest: last < 0 ? log : log.toSpliced(last, 1) };
}

/** Undefined without a pass. */
export function planUndo(
	log: readonly Pass[],
	input: Pick<PlanInput, "graph" | "view" | "fixed" | "budget" | "keepsLoopThinking">,
) {
	const { pass, rest } = withoutLast(log);
	if (!pass) return undefined;
	const view = readLog(rest, input.graph).read();
	const change = planPrefixChange({ ...input, view }, input.view);
	return {
		...{ pass, change },
		log: change ? [...rest, change] : rest,
		view: change ? viewAfter(view, change) : view,
	};
}
