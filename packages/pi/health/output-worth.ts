/** The worth of the context's outputs: which stay although they are large or old, and the reason for it. */
import { nameText } from "#basics";
import type { EpisodeId, Graph } from "#core/graph";
import { type PlanInput, type Policy, type WeighedOutput, weighAtNextTurn } from "#core/planning";
import { digestOf, effectOf, type Item, isEdit, showsFiles } from "#core/transcript";
import type { Sizes } from "../screen/sizes.ts";

/** Sizes are in the tokens of the provider. */
export interface OutputWorth {
	/** The file, or the tool and its episode. */
	readonly output: string;
	readonly did: "edited" | "read" | "ran" | "added";
	/** User turns since; 0 is the turn in progress, 1 the last one. */
	readonly turns: number;
	readonly tokens: number;
	/** The reason why it stays: unfinished work, a mark of the model, a decision of the user, or the chance of a second look; null if keeping it costs more than it is worth. A note is not weighed. */
	readonly keptBy: "held" | "mark" | "pinned" | "spared" | "chance" | "note" | null;
	/** The chance of a second look. */
	readonly chance: number;
}

/** The episodes that the user pinned or brought back. */
export function keptByUser({ pinned = new Set(), spared = new Set() }: PlanInput): ReadonlySet<EpisodeId> {
	return new Set([...pinned, ...spared]);
}

/** The worth of each output of the context when the next message of the user comes, as every screen says it; with the id of its call. */
export function outputWorths(policy: Policy, input: PlanInput, sizes: Sizes) {
	const stay = keptByUser(input);
	// As the pass weighs them: it leaves out what stays.
	const weighed = weighAtNextTurn(policy, { ...input, pinned: stay });
	const all = stay.size > 0 ? weighAtNextTurn(policy, { ...input, pinned: new Set() }) : [];
	return [...weighed, ...all.filter(({ episode }) => stay.has(episode.id))].map((each) => {
		const { call, episode } = each;
		return { call: call.id, episode: episode.id, worth: describeWorth(each, input, sizes) };
	});
}

/** Describes an output in names and figures. */
export function describeWorth(
	{ call, episode, tokens, gain, chance, isHeld }: WeighedOutput,
	{ graph, tools, pinned, spared }: PlanInput,
	{ part }: Sizes,
): OutputWorth {
	// A command that also writes to a file has not only read it.
	const isView =
		showsFiles(tools, call.tool, call.arguments) && effectOf(tools, call.tool, call.arguments) === "reads";
	const did = isEdit(tools, call) ? "edited" : isView ? "read" : "ran";
	const keptBy = () => {
		if (pinned?.has(episode.id)) return "pinned";
		if (isHeld) return episode.isKept ? "mark" : "held";
		if (spared?.has(episode.id)) return "spared";
		return gain > 0 ? null : "chance";
	};
	const [path] = did === "ran" ? [] : (digestOf(call)?.paths ?? []);
	return {
		output: path === undefined ? `${call.tool} of ${nameText(episode.name)}` : nameText(path),
		did,
		turns: turnsSince(graph, call.message),
		tokens: part(tokens),
		keptBy: keptBy(),
		chance,
	};
}

/** Returns true for a note as large as an output, such as one with what a recall brought back. */
export function isLargeNote({ type, tokens }: Item): boolean {
	return type === "note" && tokens >= LARGE;
}

/** The large notes of the context, with their ids: they stay until a pass takes their episode. */
export function noteWorths({ graph, view, pinned }: PlanInput, { part }: Sizes) {
	return graph.episodes.flatMap(({ id: episode, name, items }) =>
		items
			.filter((item) => isLargeNote(item) && !view.removed.has(item.id))
			.map(({ id, message, tokens }) => {
				const worth: OutputWorth = {
					output: `note ${nameText(name)}`,
					did: "added",
					turns: turnsSince(graph, message),
					tokens: part(tokens),
					keptBy: pinned?.has(episode) ? "pinned" : "note",
					chance: 0,
				};
				return { call: id, worth };
			}),
	);
}

const SHOWN = 3;
/** Smaller outputs of the last turn surprise no reader; in tokens. */
const LARGE = 200;

/** The outputs that stay although they are large or old, at most three: the ones that cost most to keep. Each file is named once. */
export function keptOutputs<Worth extends OutputWorth>(worths: readonly Worth[]): readonly Worth[] {
	const priceOf = ({ tokens, turns }: OutputWorth) => tokens * (1 + turns);
	const kept = worths
		.filter(({ keptBy, tokens, turns }) => keptBy !== null && (tokens >= LARGE || turns > 1))
		.toSorted((a, b) => priceOf(b) - priceOf(a));
	return firstOfEach(kept).slice(0, SHOWN);
}

/** The first output of each name, in their order. */
export function firstOfEach<Worth extends OutputWorth>(worths: readonly Worth[]): readonly Worth[] {
	const byName = new Map(worths.toReversed().map((worth) => [worth.output, worth]));
	return worths.filter((worth) => byName.get(worth.output) === worth);
}

function turnsSince(graph: Graph, message: number): number {
	const { turns } = graph.history;
	return (turns.at(-1) ?? 0) - (turns[message] ?? 0) + (isIdle(graph) ? 1 : 0);
}

/** Returns true between two turns: the last answer asks for nothing, whatever notes came since. */
export function isIdle({ messages }: Graph): boolean {
	const last = messages.findLast(({ author }) => author !== "host");
	return last === undefined || (last.author === "model" && last.items.every(({ type }) => type !== "call"));
}
