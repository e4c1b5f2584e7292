/**
 * Finds what a recall may ask for (design rule 12): parts of the session by the name of their episode, by their own
 * handle, or by a file. The host holds the texts; it searches and returns them.
 */
import { append, MAX_NAME_LENGTH } from "#basics";
import type { Episode, Graph } from "../graph/graph.ts";
import { RECALL } from "../transcript/tool-table.ts";
import { digestOf, type FileView, type Item, type ItemId } from "../transcript/transcript.ts";

/** The smallest part that a recall returns: a call with its result, or one item of another kind. */
export interface RecallPart {
	/** Asked for, it answers this part and no other: `name#3` for the third of an episode. */
	readonly handle: string;
	/** None for what is outside of all episodes: the prologue, and what people wrote. */
	readonly episode: Episode | undefined;
	readonly items: readonly [Item, ...Item[]];
}

/** The parts that a name, a handle or a path refers to; of a file, the newest part first. */
export type Found =
	| { readonly type: "episode"; readonly episode: Episode; readonly parts: readonly RecallPart[] }
	| { readonly type: "part"; readonly parts: readonly RecallPart[] }
	| { readonly type: "path"; readonly parts: readonly RecallPart[] };

export type RecallIndex = ReturnType<typeof createRecallIndex>;

/** Make everything that a session holds findable. Linear in the session; it describes the present graph. */
export function createRecallIndex(graph: Graph) {
	const episodes = new Map<string, Episode>();
	for (const episode of graph.episodes) if (!episodes.has(episode.name)) episodes.set(episode.name, episode);
	const ofEpisode = new Map(graph.episodes.map((episode) => [episode, listParts(graph, episode, episodes)]));
	const parts = inOrder(graph, [...ofEpisode.values()].flat());
	const byHandle = new Map(parts.map((part) => [part.handle, [part]]));
	const byId = groupById(parts);
	return {
		/** Everything that the session holds, in its order. */
		parts,
		/** The episode of this name, the part of this handle, or the calls of this id (call ids may repeat). */
		find(handle: string): Found | undefined {
			const episode = episodes.get(handle) ?? cutName(graph, handle);
			if (episode) return { type: "episode", episode, parts: ofEpisode.get(episode) ?? [] };
			const found = byHandle.get(handle) ?? byId.get(handle);
			return found && { type: "part", parts: found };
		},
		/** The calls that worked on a file; after `src/a.ts:1-240`, without those that asked for other lines only. */
		findPath(path: string): Found | undefined {
			// The name of a file may itself end like a range of lines.
			for (const asked of [{ path, ranges: [] }, ...readRanges(path)]) {
				const found = parts.filter(({ items: [first] }) => worksOn(first, asked)).toReversed();
				if (found.length > 0) return { type: "path", parts: found };
			}
			return undefined;
		},
	};
}

/** The only episode whose name begins so, where a line about it could show no more of the name. */
function cutName({ episodes }: Graph, beginning: string): Episode | undefined {
	if (beginning.length < MAX_NAME_LENGTH) return undefined;
	const [only, ...others] = episodes.filter(({ name }) => name.startsWith(beginning));
	return others.length === 0 ? only : undefined;
}

/** The parts of an episode, numbered from 1 in the order in which they came: later ones change no number. */
function listParts(
	graph: Graph,
	episode: Episode,
	named: ReadonlyMap<string, Episode>,
): readonly RecallPart[] {
	const parts: RecallPart[] = [];
	for (const item of episode.items) {
		// The call names its result too.
		if (graph.callOf.has(item.id)) continue;
		const result = graph.resultOf.get(item.id);
		const numbered = `${episode.name}#${parts.length + 1}`;
		const isTaken = named.has(numbered) || named.get(episode.name) !== episode;
		const items = result ? ([item, result] as const) : ([item] as const);
		parts.push({ handle: isTaken ? item.id : numbered, episode, items });
	}
	return parts;
}

/** Groups parts by call id and by the id of their first item. */
function groupById(parts: readonly RecallPart[]): ReadonlyMap<string, readonly RecallPart[]> {
	const groups = new Map<string, RecallPart[]>();
	for (const part of parts) {
		const [first] = part.items;
		for (const id of first.type === "call" ? [first.callId, first.id] : [first.id]) append(groups, id, part);
	}
	return groups;
}

/** All parts in the order of the session, what is outside of episodes under its own id. */
function inOrder({ messages }: Graph, numbered: readonly RecallPart[]): readonly RecallPart[] {
	const episodeByItemId = new Map<ItemId, RecallPart>();
	for (const part of numbered) for (const { id } of part.items) episodeByItemId.set(id, part);
	const parts = new Set<RecallPart>();
	for (const { items } of messages) {
		for (const item of items) {
			parts.add(episodeByItemId.get(item.id) ?? { handle: item.id, episode: undefined, items: [item] });
		}
	}
	return [...parts];
}

/** Digests hold the last two components of a path, so that absolute and relative ones meet. */
interface Asked {
	readonly path: string;
	/** Ranges of the file; the whole file without any. */
	readonly ranges: readonly Pick<FileView, "first" | "last">[];
}

/** A path with lines of it, as lines about evicted episodes name them; empty for a path alone. */
function readRanges(query: string): readonly Asked[] {
	const [, path, listed] = /^(.+?):(\d+-\d*(?: \d+-\d*)*) ?$/.exec(query) ?? [];
	if (path === undefined || listed === undefined) return [];
	const ranges = listed
		.trim()
		.split(" ")
		.map((range) => {
			const [first, last] = range.split("-");
			return { first: Number(first), last: last === "" ? Infinity : Number(last) };
		});
	return [{ path, ranges }];
}

function worksOn(item: Item, { path, ranges }: Asked): boolean {
	if (item.type !== "call" || item.tool === RECALL) return false;
	const isNamed = (known: string) =>
		known === path || known.endsWith(`/${path}`) || (known.includes("/") && path.endsWith(`/${known}`));
	const digest = digestOf(item);
	if (!digest?.paths.some(isNamed)) return false;
	const views = digest.views?.filter((view) => isNamed(view.path)) ?? [];
	// A call that names no lines of the file may have shown all of them.
	if (ranges.length === 0 || views.length === 0) return true;
	return views.some((view) => ranges.some(({ first, last }) => view.first <= last && first <= view.last));
}
