/** A pass in the making: what it may take, what it has taken so far, by episode, when an episode leaves whole, and what that leaves. */
import { sum } from "#basics";
import type { Episode, EpisodeId } from "../graph/graph.ts";
import { sealedIn, tokensWithResults } from "../ledger/ledger.ts";
import type { Marker, Strip, StripLevel } from "../log/pass.ts";
import { retainedEpisodes } from "../log/view.ts";
import { isOrphaned, removedBy } from "../log/whole-calls.ts";
import { markerText, partText } from "../projection/episode-lines.ts";
import { outputClass } from "../transcript/tool-table.ts";
import type { Item, ItemId } from "../transcript/transcript.ts";
import { evictableIn, inProgressIn, isOpen } from "./evictable.ts";
import type { PlanInput } from "./policy.ts";
import { collectUnits, episodeByItem, isEvictableUnit, type Unit, type VisibleUnits } from "./units.ts";

export type Eviction = ReturnType<typeof beginEviction>;

type Draft = { -readonly [K in keyof Strip]: Strip[K] } & { readonly items: ItemId[] };

/** Begin a pass over a context of `before` tokens. `episodeOf` answers the episode of a reasoning item. */
export function beginEviction(
	input: PlanInput,
	before: number,
	episodeOf: (reasoning: Item) => Episode | undefined,
) {
	const { graph, view } = input;
	const isTaken = new Set<ItemId>();
	const taken: Item[] = [];
	const drafts = new Map<EpisodeId, Draft>();
	/** Returns true if the next request does not send an item. */
	const gone = removedBy(graph, { has: (id) => view.removed.has(id) || isTaken.has(id) });
	/** Tokens that the strips freed: of an output that was reduced, less than its size, and of what another model has sealed, nothing. */
	const freed = new Map<EpisodeId, number>();
	let total = before;

	const loose = new Map<number, readonly Item[]>();
	/** The items of a message that leave once what they belong to has left. An answer may have thousands of calls. */
	function looseIn(message: number): readonly Item[] {
		const items = loose.get(message) ?? graph.messages[message]?.items.filter(canBeOrphaned) ?? [];
		loose.set(message, items);
		return items;
	}

	const sizeOf = (items: readonly Item[]) =>
		tokensWithResults(graph, items) - sum(items, ({ id }) => view.reduced.get(id)?.tokens ?? 0);

	/** The part that the request would send: thinking that another model has sealed is counted with it, and not sent. */
	const sentOf = (items: readonly Item[]) => sizeOf(items) - sealedIn(items, input.model).unsent;

	function add({ id }: Episode, items: readonly Item[], level: StripLevel) {
		const earlier = view.episodes.get(id)?.level ?? 1;
		const draft: Draft = drafts.get(id) ?? { episode: id, level: earlier, items: [], tokens: 0 };
		const tokens = tokensWithResults(graph, items);
		for (const item of items) {
			isTaken.add(item.id);
			taken.push(item);
			draft.items.push(item.id);
		}
		draft.tokens += tokens;
		if (level > draft.level) draft.level = level;
		drafts.set(id, draft);
		freed.set(id, (freed.get(id) ?? 0) + sentOf(items));
		total -= sizeOf(items);
	}

	/** Takes what is left of some items of one episode, and reasoning that leads to nothing any more. */
	function take(episode: Episode, items: readonly Item[], level: StripLevel) {
		const left = items.filter((item) => !gone(item));
		if (left.length === 0) return;
		add(episode, left, level);
		for (const { message } of left) {
			for (const item of looseIn(message)) {
				if (!gone(item) && isOrphaned(graph, item, gone)) add(episodeOf(item) ?? episode, [item], 1);
			}
		}
	}

	/** The line of an episode, by this pass or an earlier one. */
	const markerOf = (id: EpisodeId) => drafts.get(id)?.marker ?? view.episodes.get(id)?.marker;

	return {
		gone,
		/** The items that this pass took so far, in its order; results leave with their calls and are not listed. */
		taken: taken as readonly Item[],
		markerOf,
		take,
		/** The size of the next request, in tokens. */
		total: () => total,
		/** Takes a call with its result, at its level. */
		takeUnit: (unit: Unit) => take(unit.episode, unit.items, levelOf(input, unit)),
		/** Tokens by which requests are smaller once these items of an episode are gone too, next to what this pass took of it. */
		freedBy: ({ id }: Episode, items: readonly Item[]) => (freed.get(id) ?? 0) + sentOf(items),
		/** Sets the line of an episode that something was taken of, in place of the one that it has; `isWhole` if all of it is. */
		mark(episode: Episode, marker: Marker, isWhole = false) {
			const draft = drafts.get(episode.id);
			if (!draft) return;
			total += marker.tokens - (markerOf(episode.id)?.tokens ?? 0);
			draft.marker = marker;
			if (isWhole) draft.level = 4;
		},
		/** Returns true if an episode is wholly evicted, by this pass or an earlier one. */
		isEvicted: (id: EpisodeId) => (drafts.get(id)?.level ?? view.episodes.get(id)?.level) === 4,
		strips: (): readonly Strip[] => [...drafts.values()],
	};
}

function canBeOrphaned({ type }: Item): boolean {
	return type === "reasoning" || type === "text";
}

/** Begins a pass over a context of `before` tokens. Linear in what is visible. */
export function draftPass(input: PlanInput, before: number) {
	const { graph, view } = input;
	const left = retainedEpisodes(graph, view).filter(({ id }) => !input.pinned?.has(id));
	/** The episodes that something is left of, without pinned ones. */
	const visible = collectUnits(graph, view, left);
	const isEvictable = evictableIn(graph);
	return {
		input,
		visible,
		eviction: beginEviction(input, before, episodeByItem(graph, visible)),
		/** Returns true if a pass may take an item at all. */
		isEvictable,
		/**
		 * The same without the reasoning of the tool loop in progress: providers want that back while anything that it led to
		 * is sent.
		 */
		isRemovable: (item: Item) =>
			isEvictable(item) && (item.type !== "reasoning" || item.message < graph.openLoop),
	};
}

export type PassDraft = ReturnType<typeof draftPass>;

/** The level that a unit leaves at: bulk outputs are level 2, the rest is level 3 (paper 4.4). */
export function levelOf({ tools }: PlanInput, { call, result }: Unit): 2 | 3 {
	return outputClass(tools, call, result?.tokens ?? 0) === "bulk" ? 2 : 3;
}

interface EvictionOptions {
	/** Episodes that stay, such as recent ones; none if absent. */
	readonly isSpared?: (episode: Episode) => boolean;
	/**
	 * True to evict episodes that reach into the exchange in progress: the line replaces all but the calls of that exchange,
	 * which leave with the next pass.
	 */
	readonly isAtSeam?: boolean;
}

/** Episodes are closed as a pass takes what is in them. */
export function createEpisodeEviction(
	{ input, visible, eviction, isEvictable, isRemovable }: PassDraft,
	{ isSpared = () => false, isAtSeam = false }: EvictionOptions = {},
) {
	const byId = new Map(visible.episodes.map((episode) => [episode.id, episode]));
	const isInProgress = inProgressIn(input.graph);
	const hasWork = createWorkFinder(visible, eviction.gone, (unit) => unit.isWork && isFree(unit));
	/** Episodes that stay, of which a pass took calls since their lines were set. */
	const withoutLine = new Set<Episode>();
	/** Returns true if an act that is not evicted declares the episode (design rule 5). */
	const isNeeded = ({ id }: Episode) =>
		input.graph.dependents.get(id)?.some((act) => !eviction.isEvicted(act)) === true;
	const isHeld = (episode: Episode) =>
		isOpen(input.graph, episode) ||
		(!isAtSeam && isInProgress(episode)) ||
		isSpared(episode) ||
		hasWork(episode) ||
		isNeeded(episode);
	const isFree = (unit: Unit) => !isAtSeam || isEvictableUnit(unit, isEvictable);
	/** Everything but the work in progress. */
	const restOf = (episode: Episode) => {
		const calls = visible
			.unitsOf(episode)
			.filter(isFree)
			.flatMap((unit) => unit.items);
		const words = visible.restOf(episode).filter(isRemovable);
		// A result that came twice is among the words of its episode and belongs to its call.
		return [...new Set([...words, ...calls])].filter((item) => !eviction.gone(item));
	};
	const setLine = (episode: Episode) => {
		if (withoutLine.delete(episode)) markPart(input, visible, eviction, episode);
	};
	/**
	 * Evicts what is left of an episode once none of its own calls that worked is: texts, notes, failed calls, the
	 * delimiter's. Then the same for the expls that were kept for it. Does nothing while the episode is open, spared, in
	 * the exchange in progress, or needed. Of an episode that left before, it takes what could not leave then. An episode
	 * that is unmarked or open, and of which something stays, gets a line where its calls left once `setLines` is called.
	 */
	const close = (episode: Episode) => {
		if (eviction.isEvicted(episode.id)) {
			if (!isInProgress(episode)) eviction.take(episode, restOf(episode), 4);
			return;
		}
		if (isHeld(episode)) {
			if (episode.origin === "inferred" || episode.state === "open") withoutLine.add(episode);
			return;
		}
		setLine(episode);
		if (!evictRest(input, eviction, episode, restOf(episode))) return;
		for (const id of episode.dependencies) {
			const dependency = byId.get(id);
			if (dependency) close(dependency);
		}
	};
	return {
		close,
		isNeeded,
		/** Sets the lines of episodes that stay. Each is read from all calls that left of it: call this once the size matters. */
		setLines() {
			for (const episode of withoutLine) setLine(episode);
		},
	};
}

/** Returns a test: true if such a unit of an episode is still there. Linear in the units over all calls, since none comes back. */
function createWorkFinder(
	visible: VisibleUnits,
	gone: (item: Item) => boolean,
	isWork: (unit: Unit) => boolean,
): (episode: Episode) => boolean {
	const passed = new Map<Episode, number>();
	return (episode) => {
		const units = visible.unitsOf(episode);
		let at = passed.get(episode) ?? 0;
		for (let unit = units[at]; unit && (gone(unit.call) || !isWork(unit)); unit = units[at]) at += 1;
		passed.set(episode, at);
		return at < units.length;
	};
}

/**
 * Returns true if the episode is evicted. It stays when it has no line yet and one would save nothing, so that no words leave
 * without a line.
 */
function evictRest(input: PlanInput, eviction: Eviction, episode: Episode, rest: readonly Item[]): boolean {
	const [anchor] = episode.items;
	// Unmarked work may be calls alone: once this pass has taken them, nothing else is left.
	const isTaken = episode.origin === "inferred" && eviction.freedBy(episode, []) > 0;
	if (!anchor || (rest.length === 0 && !isTaken)) return false;
	const text = markerText(episode);
	const marker = { anchor: anchor.id, text, tokens: input.countMarker(text) };
	const paysOff = marker.tokens < eviction.freedBy(episode, rest);
	if (!paysOff && !eviction.markerOf(episode.id)) return false;
	eviction.take(episode, rest, 4);
	if (paysOff) eviction.mark(episode, marker, true);
	return true;
}

/**
 * Sets the line of an episode that stays although a pass takes calls of it, where the first of them stood. The line of an earlier pass
 * stays as it is: another one would change the request at its place, which may be far in front of what this pass takes.
 */
function markPart(input: PlanInput, visible: VisibleUnits, eviction: Eviction, episode: Episode): void {
	if (input.view.episodes.get(episode.id)?.marker) return;
	const taken = visible.unitsOf(episode).filter(({ call }) => eviction.gone(call));
	const [first] = taken;
	if (!first) return;
	const items = taken.flatMap(({ items, result }) => (result ? [...items, result] : items));
	const text = partText(episode, items);
	const marker = { anchor: first.call.id, text, tokens: input.countMarker(text) };
	if (marker.tokens < eviction.freedBy(episode, [])) eviction.mark(episode, marker);
}
