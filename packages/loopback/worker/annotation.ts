/** The delimiter calls that ride along with real calls, so that annotation costs no request of its own. */

import type { Episodes, EpisodeType } from "./episodes.ts";
import type { NewCall } from "./toolbox.ts";

export interface Annotation {
	readonly type: EpisodeType;
	/** The task, as it shows in the names of its episodes. */
	readonly task: string;
	/** What an expl that ends now has found. */
	readonly description: string;
	/** Closed expl episodes that the coming act builds on. */
	readonly dependencies: readonly string[];
	/** End the episode in the same message. */
	readonly closing: boolean;
}

const delimiter = (input: Readonly<Record<string, unknown>>): NewCall => ({
	name: "delimiter",
	arguments: input,
});

/** The calls with the delimiters around them that bring the right episode about. Never delimiters alone. */
export function annotate(
	episodes: Episodes,
	wanted: Annotation,
	calls: readonly NewCall[],
): readonly NewCall[] {
	if (calls.length === 0) return [];
	const { open } = episodes;
	const fits = open?.type === wanted.type && open.name.includes(wanted.task);
	if (fits) return [...calls, ...(wanted.closing ? [endOf(open.type, wanted)] : [])];
	return [
		...(open ? [endOf(open.type, wanted)] : []),
		...startsOf(episodes, wanted),
		...calls,
		...(wanted.closing ? [endOf(wanted.type, wanted)] : []),
	];
}

function endOf(type: EpisodeType, { description }: Annotation): NewCall {
	return delimiter(type === "expl" ? { action: "end", description } : { action: "end" });
}

/** An act needs a closed expl: the one that ends with this message, earlier ones, or else a short one made for it. */
function startsOf(episodes: Episodes, wanted: Annotation): readonly NewCall[] {
	const expl = freshName(episodes, `find-${wanted.task}`);
	if (wanted.type === "expl") return [delimiter({ action: "start", name: expl, type: "expl" })];
	const ending = episodes.open?.type === "expl" ? [episodes.open.name] : [];
	const known = [...new Set([...ending, ...wanted.dependencies])];
	const name = freshName(episodes, `do-${wanted.task}`);
	const start = (dependencies: readonly string[]): NewCall =>
		delimiter({ action: "start", name, type: "act", dependencies });
	if (known.length > 0) return [start(known)];
	return [delimiter({ action: "start", name: expl, type: "expl" }), endOf("expl", wanted), start([expl])];
}

/** The name with the next number behind it: numbers below may belong to episodes that are no longer visible. */
function freshName({ taken }: Episodes, base: string): string {
	const numbers = [...taken].flatMap((name) => {
		if (name === base) return [1];
		const number = name.startsWith(`${base}-`) ? Number(name.slice(base.length + 1)) : Number.NaN;
		return Number.isInteger(number) ? [number] : [];
	});
	return numbers.length === 0 ? base : `${base}-${Math.max(...numbers) + 1}`;
}
