/** The shape of a `/cwl` command. */
import type { ExtensionCommandContext } from "@mariozechner/pi-coding-agent";
import { type Episode, findEpisode, type Graph } from "#core/graph";
import { nameText } from "#core/projection";
import { CwlError } from "#pi";

export type Context = ExtensionCommandContext;

export interface Command {
	/** As it is typed, after `/cwl`: `budget 60k`. */
	readonly usage: string;
	/** True if the answer is data, which is shown without a prefix. */
	readonly isData?: boolean;
	/** Values to complete, where they are known. */
	readonly values?: () => readonly string[] | Promise<readonly string[]>;
	/** Do it and answer what was done, in one line where it is no listing. @throws CwlError for a value that is not allowed */
	run(value: string, ctx: Context): string | Promise<string>;
}

/**
 * The episode that a person named.
 * @throws CwlError `no-episode` naming the closest ones
 */
export function episodeNamed({ episodes }: Graph, reference: string, usage: string): Episode {
	if (reference === "") throw new CwlError("no-episode", `no episode was named: use /cwl ${usage}.`);
	const lookup = findEpisode(episodes, reference);
	if (lookup.type === "found") return lookup.episode;
	const known = lookup.closest.map(nameText).join(", ");
	const hint = known === "" ? "there is no episode yet" : `did you mean ${known}?`;
	throw new CwlError("no-episode", `no episode ${nameText(reference)}: ${hint}`);
}

/** Names that can be typed as they are shown. */
export function typeableNames({ episodes }: Pick<Graph, "episodes">): readonly string[] {
	return episodes.map(({ name }) => name).filter((name) => nameText(name) === name);
}
