/**
 * Taking a pass back (`/cwl undo`): the last pass leaves the log, what it evicted is sent again, and thinking that this
 * invalidates leaves (design rule 19). Later passes spare the episodes that it took.
 */
import type { EpisodeId, Graph } from "#core/graph";
import { type Pass, readLog, touchedEpisodes, type View, viewAfter } from "#core/log";
import { firstChange, isPrefixChange, planPrefixChange } from "#core/planning";
import type { ChangeInput } from "./prefix.ts";

/** A pass that is taken back, and what holds then; `change` is the entry for the thinking that this makes invalid. */
export type Undone = NonNullable<ReturnType<typeof planUndo>>;

/** The last pass of a log and the rest of the log. A record of a changed prefix is not taken back: the thinking that it took is invalid whatever else comes back. */
export function withoutLast<P extends Pick<Pass, "policy">>(log: readonly P[]) {
	const last = log.findLastIndex((pass) => !isPrefixChange(pass));
	return { pass: log[last], rest: last < 0 ? log : log.toSpliced(last, 1) };
}

/** Undefined without a pass. */
export function planUndo(log: readonly Pass[], input: ChangeInput) {
	const { pass, rest } = withoutLast(log);
	if (!pass) return undefined;
	const { graph } = input;
	const view = readLog(rest, graph);
	// All thinking was made with the text that comes back, unless an answer followed the pass.
	const change = isAnswered(pass, graph) ? planPrefixChange({ ...input, view }, input.view) : undefined;
	const withChange = (before: View) => (change ? viewAfter(before, change) : before);
	const then = withChange(view);
	return {
		pass,
		change,
		log: change ? [...rest, change] : rest,
		view: then,
		/** The view of now. */
		before: input.view,
		/** False where all that comes back would leave with `change`, or is not in the list any more. */
		bringsBack: firstChange(graph, withChange(input.view), then) < graph.messages.length,
	};
}

function isAnswered({ newest }: Pass, { messages }: Graph): boolean {
	const last = messages.findLastIndex(({ items }) => items.some(({ id }) => id === newest));
	// An answer that failed or that a person stopped has no items, and nothing of it is sent.
	return messages.slice(last + 1).some(({ author, items }) => author === "model" && items.length > 0);
}

/** The episodes of which an undo of a pass brings more back than thinking. */
export function episodesBack({ strips, ...pass }: Pass): ReadonlySet<EpisodeId> {
	return touchedEpisodes({ ...pass, strips: strips.filter(({ level }) => level > 1) });
}
