/** Adds delimiter calls to messages with real calls, so that annotation costs no request of its own. */

import type { Episodes, EpisodeType } from "./episodes.ts";
import type { NewCall } from "./toolbox.ts";

export interface Annotation {
	readonly type: EpisodeType;
	/** The task as it appears in the names of its episodes. */
	readonly task: string;
	/** The step of the task. Names that contain it do not repeat, even after earlier ones are evicted. */
	readonly step: number;
	/** The findings of an expl that ends now. */
	readonly description: string;
	/** Closed expl episodes that the coming act builds on. */
	readonly dependencies: readonly string[];
	/** End the episode in the same message. */
	readonly closing: boolean;
}

const LEFT_BEHIND = "Left behind by an earlier task, with nothing found that is worth keeping.";

const delimiter = (input: Readonly<Record<string, unknown>>): NewCall => ({
	name: "delimiter",
	arguments: input,
});

/** The calls with the delimiters that open or close the right episode; never delimiters alone. */
export function annotate(
	episodes: Episodes,
	wanted: Annotation,
	calls: readonly NewCall[],
): readonly NewCall[] {
	if (calls.length === 0) return [];
	const { open } = episodes;
	const ours = open?.name.includes(wanted.task) ?? false;
	const fits = ours && open?.type === wanted.type;
	if (fits) return [...calls, ...(wanted.closing ? [endOf(open.type, wanted.description)] : [])];
	return [
		...(open ? [endOf(open.type, ours ? wanted.description : LEFT_BEHIND)] : []),
		...startsOf(episodes, wanted),
		...calls,
		...(wanted.closing ? [endOf(wanted.type, wanted.description)] : []),
	];
}

function endOf(type: EpisodeType, description: string): NewCall {
	return delimiter(type === "expl" ? { action: "end", description } : { action: "end" });
}

/** An act needs a closed expl: the one that ends with this message, an earlier one, or a short one made for it. */
function startsOf(episodes: Episodes, wanted: Annotation): readonly NewCall[] {
	const expl = freshName(episodes, `find-${wanted.task}`, wanted.step);
	if (wanted.type === "expl") return [delimiter({ action: "start", name: expl, type: "expl" })];
	const ending = episodes.open?.type === "expl" ? [episodes.open.name] : [];
	const known = [...new Set([...ending, ...wanted.dependencies])];
	const name = freshName(episodes, `do-${wanted.task}`, wanted.step);
	const start = (dependencies: readonly string[]): NewCall =>
		delimiter({ action: "start", name, type: "act", dependencies });
	if (known.length > 0) return [start(known)];
	return [
		delimiter({ action: "start", name: expl, type: "expl" }),
		endOf("expl", wanted.description),
		start([expl]),
	];
}

/** The base name with the step, or with the next free number. */
function freshName({ taken }: Episodes, base: string, step: number): string {
	let number = step;
	while (taken.has(`${base}-${number}`)) number += 1;
	return `${base}-${number}`;
}
