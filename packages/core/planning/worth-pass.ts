/** The pass over outputs that are not worth their price, from the message on where a cut saves most. */
import { append } from "#basics";
import type { Episode } from "../graph/graph.ts";
import { timelineOf } from "../graph/history.ts";
import { sentSizes, totalTokens } from "../ledger/ledger.ts";
import type { Pass } from "../log/pass.ts";
import { removedBy } from "../log/whole-calls.ts";
import { isInHand } from "./evictable.ts";
import { createEpisodeEviction, draftPass } from "./eviction.ts";
import { makePass } from "./make-pass.ts";
import { decidePass, type Looks, usualPrices } from "./payoff.ts";
import type { PlanInput, WeighedOutput } from "./policy.ts";
import { finishedWork } from "./seams.ts";
import { type CreateScore, candidateOf, isEvictableUnit, type Unit } from "./units.ts";
import { createWorth, type Worth } from "./worth.ts";

/** Lost thinking counts here as if this share of it were thought again: a cut further back must gain that much more. */
const FEARED_RETHOUGHT_SHARE = 0.5;

/** The pass with its figures; undefined if every output is worth its price. Linear in the session. */
export function planWorthPass(
	input: PlanInput,
	policy: string,
	before: number,
	createScore: CreateScore,
): Pass | undefined {
	const draft = draftPass(input, before);
	const { visible, eviction } = draft;
	const worths = new Map<Unit, Worth>();
	for (const { unit, worth, isHeld } of weighUnits(input, before, draft, createScore)) {
		if (!isHeld && worth.gain > 0) worths.set(unit, worth);
	}
	const closer = createEpisodeEviction(input, visible, eviction, { isSpared: () => false });
	const taken = behindBestCut(input, worths);
	for (const unit of taken) {
		eviction.takeUnit(unit);
		closer.close(unit.episode);
	}
	closer.settle();
	const strips = eviction.strips();
	if (strips.length === 0) return undefined;
	const pass = makePass(policy, input, before, eviction.total(), strips);
	return decidePass(input, pass, input.isCold ? "cold cache" : "turn begins", looksAt(taken, worths));
}

/** Weighs every output of the context, oldest first; those of pinned episodes are left out. Linear in the session. */
export function weighOutputs(input: PlanInput, createScore: CreateScore): readonly WeighedOutput[] {
	const before = totalTokens(input.graph, input.view, input.fixed);
	const weighed = weighUnits(input, before, draftPass(input, before), createScore);
	return weighed.map(({ unit, worth, isHeld }) => {
		const { call, episode, tokens } = unit;
		return { ...worth, call, episode, tokens, isHeld };
	});
}

function weighUnits(
	input: PlanInput,
	before: number,
	{ visible, isEvictable }: Pick<ReturnType<typeof draftPass>, "visible" | "isEvictable">,
	createScore: CreateScore,
) {
	const score = createScore({ input, visible, time: timelineOf(input.graph.history) });
	const worthOf = createWorth(input, before, visible.units, (unit) => score(candidateOf(unit)));
	const work = visible.units.filter(({ isWork }) => isWork);
	const isNewestWork = newestWorkIn(input);
	return work.map((unit) => {
		const { episode, call } = unit;
		const isInUse = isInHand(input, episode, call.message) || !isEvictableUnit(unit, isEvictable);
		return {
			unit,
			worth: worthOf(unit),
			isHeld: isInUse || isNewestWork(episode) || episode.isKept === true,
		};
	});
}

/** Returns a test: true for marked work that may still continue, because no later expl has begun. It leaves at the next seam. */
function newestWorkIn({ graph, view }: PlanInput): (episode: Episode) => boolean {
	const finished = new Set(finishedWork(graph, view));
	return (episode) => episode.origin === "declared" && episode.state === "closed" && !finished.has(episode);
}

function looksAt(units: readonly Unit[], worths: ReadonlyMap<Unit, Worth>): Looks {
	let requests = 0;
	let tokens = 0;
	for (const unit of units) {
		const chance = worths.get(unit)?.chance ?? 0;
		requests += chance;
		tokens += chance * unit.tokens;
	}
	return { requests, tokens };
}

/**
 * Those of the units from the message on where a cut saves most: what stands further back costs more, in tokens that are
 * written again and in thinking that is lost, than it gains. A cold cache is written again anyway. Linear in the history.
 */
function behindBestCut(input: PlanInput, worths: ReadonlyMap<Unit, Worth>): readonly Unit[] {
	const { graph, isCold = false, prices = usualPrices } = input;
	const { read, write, output } = prices;
	const sizeAt = createSizes(input);
	const unitsAt = new Map<number, Unit[]>();
	for (const unit of worths.keys()) append(unitsAt, unit.call.message, unit);
	let freed = 0;
	let gained = 0;
	let behind = 0;
	let thinking = 0;
	let most = 0;
	let cut = Infinity;
	for (let message = graph.messages.length - 1; message >= 0; message -= 1) {
		const size = sizeAt(message);
		behind += size.tokens;
		thinking += size.thinking;
		const units = unitsAt.get(message);
		if (!units) continue;
		for (const unit of units) {
			freed += unit.tokens;
			gained += worths.get(unit)?.gain ?? 0;
		}
		const rewritten = isCold ? 0 : Math.max(0, behind - freed - thinking);
		const saved = gained - rewritten * (write - read) - FEARED_RETHOUGHT_SHARE * thinking * output;
		if (saved > most) {
			most = saved;
			cut = message;
		}
	}
	return [...worths.keys()].filter(({ call }) => call.message >= cut);
}

/** Answers what a message still sends, in tokens, and how much of it is thinking. */
function createSizes({ graph, view }: PlanInput) {
	const sizeOf = sentSizes(graph, view);
	const isGone = removedBy(graph, (id) => view.removed.has(id));
	return (message: number) => {
		let tokens = 0;
		let thinking = 0;
		for (const item of graph.messages[message]?.items ?? []) {
			if (isGone(item)) continue;
			tokens += sizeOf(item);
			if (item.type === "reasoning") thinking += item.tokens;
		}
		return { tokens, thinking };
	};
}
