/** The pass over outputs and words that are not worth their price, from the message on where a cut saves most. */
import { append } from "#basics";
import { timelineOf } from "../graph/history.ts";
import { sentSizes, totalTokens } from "../ledger/ledger.ts";
import type { Pass } from "../log/pass.ts";
import { removedBy } from "../log/whole-calls.ts";
import { markerText } from "../projection/episode-lines.ts";
import { readAnswers } from "./answers.ts";
import { isInHand, turnsBack } from "./evictable.ts";
import { createEpisodeEviction, draftPass } from "./eviction.ts";
import { makePass } from "./make-pass.ts";
import { decidePass, type Looks, usualPrices } from "./payoff.ts";
import type { PlanInput, WeighedOutput } from "./policy.ts";
import { type Candidate, candidateOf, episodesOfWords, isEvictableUnit } from "./units.ts";
import { createWorth, type Worth } from "./worth.ts";

/** Lost thinking counts here as if this share of it were thought again: a cut further back must gain that much more. */
const FEARED_RETHOUGHT_SHARE = 0.5;

/** The pass with its figures; undefined if every output is worth its price. Linear in the session. */
export function planWorthPass(input: PlanInput, policy: string, before: number): Pass | undefined {
	const draft = draftPass(input, before);
	const { visible, eviction } = draft;
	const worths = new Map<Candidate, Worth>();
	const { answers, weighed } = weighCandidates(input, draft);
	for (const { candidate, worth, isHeld } of weighed) {
		if (!isHeld && worth.gain > 0) worths.set(candidate, worth);
	}
	const closer = createEpisodeEviction(input, visible, eviction, { isSpared: answers.isKept });
	const taken = behindBestCut(input, worths);
	for (const { unit } of taken) if (unit) eviction.takeUnit(unit);
	answers.takeWords(eviction, new Set(taken.flatMap(({ unit }) => (unit ? [unit.call.message] : []))));
	for (const { episode } of taken) closer.close(episode);
	closer.settle();
	const strips = eviction.strips();
	if (strips.length === 0) return undefined;
	const pass = makePass(policy, input, before, eviction.total(), strips);
	return decidePass(input, pass, input.isCold ? "cold cache" : "turn begins", looksAt(taken, worths));
}

/** Weighs every output of the context, oldest first; those of pinned episodes are left out. Linear in the session. */
export function weighOutputs(input: PlanInput): readonly WeighedOutput[] {
	const before = totalTokens(input.graph, input.view, input.fixed);
	const { weighed } = weighCandidates(input, draftPass(input, before));
	return weighed.flatMap(({ candidate, worth, isHeld }) => {
		const { unit, episode } = candidate;
		return unit ? [{ ...worth, call: unit.call, episode, isHeld }] : [];
	});
}

/** Weighs calls, and episodes of words alone; those of the last turn stay, since this one answers them. */
function weighCandidates(input: PlanInput, { visible, isEvictable }: ReturnType<typeof draftPass>) {
	const { graph } = input;
	const worthOf = createWorth({ input, visible, time: timelineOf(graph.history) });
	const isWorthKeeping = (words: Candidate) => worthOf(words, words.tokens).gain <= 0;
	const answers = readAnswers(graph, visible, isEvictable, isWorthKeeping);
	const freedBy = ({ unit, episode, tokens }: Candidate) =>
		unit ? tokens + answers.wordsFor(unit) : tokens - input.countMarker(markerText(episode));
	const lastTurn = turnsBack(graph, 2);
	const isHeld = ({ unit, episode, message }: Candidate) =>
		(unit ? !isEvictableUnit(unit, isEvictable) : message >= lastTurn) ||
		isInHand(input, episode, message) ||
		episode.isKept === true;
	const candidates = [
		...visible.units.filter(({ isWork }) => isWork).map(candidateOf),
		...episodesOfWords(visible),
	];
	const weighed = candidates.map((candidate) => ({
		candidate,
		worth: worthOf(candidate, freedBy(candidate)),
		isHeld: isHeld(candidate),
	}));
	return { answers, weighed };
}

function looksAt(candidates: readonly Candidate[], worths: ReadonlyMap<Candidate, Worth>): Looks {
	let requests = 0;
	let tokens = 0;
	for (const candidate of candidates) {
		const chance = worths.get(candidate)?.chance ?? 0;
		requests += chance;
		tokens += chance * candidate.tokens;
	}
	return { requests, tokens };
}

/**
 * Those of the candidates from the message on where a cut saves most: what stands further back costs more, in tokens that are
 * written again and in thinking that is lost, than it gains. A cold cache is written again anyway. Linear in the history.
 */
function behindBestCut(input: PlanInput, worths: ReadonlyMap<Candidate, Worth>): readonly Candidate[] {
	const { graph, isCold = false, prices = usualPrices } = input;
	const { read, write, output } = prices;
	const sizeAt = createSizes(input);
	const leavingAt = new Map<number, Candidate[]>();
	for (const candidate of worths.keys()) append(leavingAt, firstOf(candidate), candidate);
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
		const leaving = leavingAt.get(message);
		if (!leaving) continue;
		for (const candidate of leaving) {
			freed += worths.get(candidate)?.tokens ?? 0;
			gained += worths.get(candidate)?.gain ?? 0;
		}
		const rewritten = isCold ? 0 : Math.max(0, behind - freed - thinking);
		const saved = gained - rewritten * (write - read) - FEARED_RETHOUGHT_SHARE * thinking * output;
		if (saved > most) {
			most = saved;
			cut = message;
		}
	}
	return [...worths.keys()].filter((candidate) => firstOf(candidate) >= cut);
}

function firstOf({ items, message }: Candidate): number {
	return items[0]?.message ?? message;
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
