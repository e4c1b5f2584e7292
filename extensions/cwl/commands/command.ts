/** The shape of a `/cwl` command, and what helps a person to find one. */

import type { ExtensionCommandContext } from "@mariozechner/pi-coding-agent";
import { nameText, quote } from "#basics";
import { type Episode, type EpisodeId, findEpisode, itemIn } from "#core/graph";
import type { Pass } from "#core/log";
import type { PlanInput } from "#core/planning";
import { refusal } from "#pi";
import type { HostMessage } from "#pi/codec";
import { isRecalledNote } from "#pi/health";
import { explainBudget, nameEpisodes } from "#pi/screen";
import { type Outlook, readBranch, readWhole } from "../state/session-state.ts";

export type Context = ExtensionCommandContext;

export interface Command {
	/** The command as it is typed, after `/cwl`: `pin REF`. */
	readonly usage: string;
	/** A few words that begin with a verb, for help and completion. */
	readonly purpose: string;
	/** Returns true if the answer is data, which is shown without a prefix. */
	readonly isData?: (value: string) => boolean;
	/** Values to complete; those of a REF are the names of the episodes. */
	readonly values?: readonly string[];
	/** Do it and answer what was done, in one line where it is no listing. @throws CwlError for a value that is not allowed */
	run(value: string, ctx: Context): string | Promise<string>;
}

/**
 * The episode that a person named; `lastPass` is that of the branch, 0 without one, where a pass may be named too.
 * @throws CwlError that it was compacted, or naming the closest ones
 */
export function episodeNamed(
	outlook: Outlook,
	reference: string,
	usage: string,
	lastPass?: string | 0,
): Episode {
	if (reference === "") throw refusal(`no episode was named: use /cwl ${usage}.`);
	const lookup = findEpisode(outlook.input.graph.episodes, reference);
	if (lookup.type === "found") return lookup.episode;
	const compacted = describeCompacted(outlook, reference);
	if (compacted) throw refusal(compacted);
	if (lastPass && /^#?\d+$/.test(reference))
		throw refusal(`no pass ${reference}: the last one of this branch is ${lastPass}.`);
	const known = lookup.closest.map(nameText).join(", ");
	const hint = known === "" ? "there is no episode yet" : `did you mean ${known}?`;
	const what = lastPass === undefined ? "episode" : "episode or pass";
	throw refusal(`no ${what} ${nameText(reference)}: ${hint}`);
}

/** The last episode that is sent with text which a recall brought back of another one. */
export function recalledIn({ graph, view, textOf }: PlanInput, { name }: Episode): Episode | undefined {
	// The heads of a recall name the parts of an episode by its name and a number.
	const part = quote(`${name}#`).slice(0, -1);
	const heads = (text = "") => [...text.matchAll(/^---\d* (.*)$/gm)].map(([, label = ""]) => label);
	return graph.episodes.findLast(({ items }) =>
		items.some(
			(item) => !view.removed.has(item.id) && heads(textOf?.(item)).some((label) => label.startsWith(part)),
		),
	);
}

/** The kind of an episode in words; `note` for what a recall brought back. */
export function kindText(messages: readonly HostMessage[], { kind, items }: Episode): string {
	return isRecalledNote(messages, items) ? "note" : kind;
}

/** Says of an episode from before pi's last compaction what became of it; undefined for any other name. */
export function describeCompacted({ ctx, session, input }: Outlook, reference: string): string | undefined {
	if (findEpisode(input.graph.episodes, reference).type === "found") return undefined;
	const { whole = [] } = readBranch(ctx);
	const { graph } = session.inspect(whole);
	const lookup = findEpisode(graph.episodes, reference);
	if (lookup.type !== "found") return undefined;
	const { name, state, items } = lookup.episode;
	const shown = nameText(name);
	const kept = items.flatMap((item) => itemIn(input.graph, graph, item) ?? []);
	const rest = input.graph.episodes.filter((episode) => episode.items.some((item) => kept.includes(item)));
	const names = rest.map((each) => nameText(each.name)).join(", ");
	if (names !== "" && kept.length === items.length) return `${shown} is called ${names} since pi's /compact.`;
	const here = names === "" ? "" : ` The rest of it is called ${names}.`;
	const copy = recalledIn(input, lookup.episode);
	const recalled = copy ? ` ${nameText(copy.name)} has recalled text of it.` : "";
	return `${shown} (${kindText(whole, lookup.episode)}, ${state}) was compacted: the summary of pi's /compact is in its place.${here}${recalled} /cwl recall ${shown} gives its exact text.`;
}

/** The episodes of a pass in words: each by its name in the whole session, as a compaction may have cut it in two. */
export function namesOf(pass: Pass, outlook: Outlook, asked?: EpisodeId): string {
	const { graph, messages } = readWhole(outlook);
	return nameEpisodes(pass, graph, messages, asked);
}

/** One sentence on the budget that was chosen, and why. */
export function explainChoice({ ctx, plan, input, sizes }: Outlook): string {
	return explainBudget(plan.policy, input, ctx.model?.id, sizes).reason;
}

export type Commands = Readonly<Record<string, Command>>;

/** `/cwl help`: a line for each command. */
export function createHelp(commands: Commands): Command {
	const help: Command = {
		usage: "help",
		purpose: "shows this list",
		run() {
			const all = Object.values({ ...commands, help });
			const width = Math.max(...all.map(({ usage }) => usage.length));
			return [
				"/cwl shows where the tokens are; REF is the name of an episode, or its beginning, PASS the number of a pass",
				...all.map(({ usage, purpose }) => `  /cwl ${usage.padEnd(width)}  ${purpose}`),
			].join("\n");
		},
	};
	return help;
}
