/**
 * Taking a pass back (`/cwl undo`): the last pass leaves the log, what it evicted is sent again, and thinking that this
 * invalidates leaves (design rule 19).
 */
import { type Pass, readLog, viewAfter } from "#core/log";
import { isPrefixChange, planPrefixChange } from "#core/planning";
import type { ChangeInput } from "./prefix.ts";

/** A pass that is taken back, and what holds then; `change` is the entry for the thinking that this makes invalid. */
export type Undone = NonNullable<ReturnType<typeof planUndo>>;

/** The last pass of a log and the rest of the log. Records of a changed prefix are no passes to take back. */
export function withoutLast<P extends Pick<Pass, "policy">>(log: readonly P[]) {
	const last = log.findLastIndex((pass) => !isPrefixChange(pass));
	return { pass: log[last], rest: last < 0 ? log : log.toSpliced(last, 1) };
}

/** Undefined without a pass. */
export function planUndo(log: readonly Pass[], input: ChangeInput) {
	const { pass, rest } = withoutLast(log);
	if (!pass) return undefined;
	const view = readLog(rest, input.graph);
	const change = planPrefixChange({ ...input, view }, input.view);
	return {
		pass,
		change,
		log: change ? [...rest, change] : rest,
		view: change ? viewAfter(view, change) : view,
	};
}
