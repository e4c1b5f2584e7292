/** The pass over outputs and words that are not worth their price, from the message on where a cut saves most. */
import { append, sum } from "#basics";
import { timelineOf } from "../graph/history.ts";
import { sentSizes, totalTokens } from "../ledger/ledger.ts";
import type { Pass } from "../log/pass.ts";
import { removedBy } from "../log/whole-calls.ts";
import { markerText } from "../projection/episode-lines.ts";
import { sumTokens } from "../transcript/transcript.ts";
import { readAnswers } from "./answers.ts";
import { isInHand, turnsBack } from "./evictable.ts";
import { createEpisodeEviction, draftPass, type PassDraft } from "./eviction.ts";
import { makePass } from "./make-pass.ts";
import { decidePass, usualPrices } from "./payoff.ts";
import type { PlanInput, WeighedOutput } from "./policy.ts";
import { type Candidate, episodesOfWords, isEvictableUnit } from "./units.ts";
import { createWorth, type Worth } from "./worth.ts";

/** Lost thinking counts here as if this share of it were thought again: a cut further back must gain that much more. */
const FEARED_RETHOUGHT_SHARE = 0.5;

/** A candidate with its worth. `isHeld`: no pass below the budget may take it. */
interface Weighed extends Worth {
	readonly candidate: Candidate;
	readonly isHeld: boolean;
}

/** The pass with its figures; undefined if every output is worth its price. Linear in the session. */
export function planWorthPass(input: PlanInput, policy: string, before: number): Pass | undefined {
	const draft = draftPass(input, before);
	const { eviction } = draft;
	const { answers, weighed } = weighCandidates(input, draft);
	const closer = createEpisodeEviction(draft, { isSpared: answers.isKept });
	const taken = behindBestCut(
		input,
		weighed.filter(({ gain, isHeld }) => !isHeld && gain > 0),
	);
	const units = taken.flatMap(({ candidate }) => (candidate.call ? [candidate] : []));
	for (const unit of units) eviction.takeUnit(unit);
	answers.takeWords(eviction, new Set(units.map(({ message }) => message)));
	for (const { candidate } of taken) closer.close(candidate.episode);
	closer.setLines();
	const strips = eviction.strips();
	if (strips.length === 0) return undefined;
	const pass = makePass(policy, input, before, eviction.total(), strips);
	const looks = {
		requests: sum(taken, ({ chance }) => chance),
		tokens: sum(taken, ({ candidate, chance }) => chance * candidate.tokens),
	};
	return decidePass(input, pass, input.isCold ? "cold cache" : "turn begins", looks);
}

/** Weighs every output of the context, oldest first; those of pinned episodes are left out. Linear in the session. */
export function weighOutputs(input: PlanInput): readonly WeighedOutput[] {
	const before = totalTokens(input);
	const { weighed } = weighCandidates(input, draftPass(input, before));
	return weighed.flatMap(({ candidate: { call, episode }, ...worth }) =>
		call ? [{ ...worth, call, episode }] : [],
	);
}

/** Weighs calls, and episodes of words alone; those of the last turn stay, since this one answers them. */
function weighCandidates(input: PlanInput, { visible, isEvictable }: PassDraft) {
	const { graph } = input;
	const worthOf = createWorth({ input, visible, time: timelineOf(graph.history) });
	const isWorthKeeping = (words: Candidate) => worthOf(words, words.tokens).gain <= 0;
	const answers = readAnswers(graph, visible, isEvictable, isWorthKeeping);
	const freedBy = (candidate: Candidate) =>
		candidate.call
			? candidate.tokens + answers.wordsFor(candidate)
			: candidate.tokens - input.countMarker(markerText(candidate.episode));
	const lastTurn = turnsBack(graph, 2);
	const isHeld = (candidate: Candidate) =>
		(candidate.call ? !isEvictableUnit(candidate, isEvictable) : candidate.message >= lastTurn) ||
		isInHand(input, candidate.episode, candidate.message) ||
		candidate.episode.isKept === true;
	const candidates = [...visible.units.filter(({ isWork }) => isWork), ...episodesOfWords(visible)];
	const weighed = candidates.map(
		(candidate): Weighed => ({
			...worthOf(candidate, freedBy(candidate)),
			candidate,
			isHeld: isHeld(candidate),
		}),
	);
	return { answers, weighed };
}

/**
 * Those of the candidates from the message on where a cut saves most: what stands further back costs more, in tokens that are
 * written again and in thinking that is lost, than it gains. A cold cache is written again anyway. Linear in the history.
 */
function behindBestCut(input: PlanInput, weighed: readonly Weighed[]): readonly Weighed[] {
	const { graph, view, isCold = false, prices = usualPrices } = input;
	const { read, write, output } = prices;
	const sizeOf = sentSizes(graph, view);
	const isGone = removedBy(graph, view.removed);
	const leavingAt = new Map<number, Weighed[]>();
	for (const each of weighed) append(leavingAt, firstOf(each), each);
	let freed = 0;
	let gained = 0;
	let behind = 0;
	let thinking = 0;
	let most = 0;
	let cut = Infinity;
	for (const [message, { items }] of [...graph.messages.entries()].toReversed()) {
		const sent = items.filter((item) => !isGone(item));
		behind += sum(sent, sizeOf);
		thinking += sumTokens(sent.filter(({ type }) => type === "reasoning"));
		const leaving = leavingAt.get(message);
		if (!leaving) continue;
		freed += sumTokens(leaving);
		for (const { gain } of leaving) gained += gain;
		const rewritten = isCold ? 0 : Math.max(0, behind - freed - thinking);
		const saved = gained - rewritten * (write - read) - FEARED_RETHOUGHT_SHARE * thinking * output;
		if (saved > most) {
			most = saved;
			cut = message;
		}
	}
	return weighed.filter((each) => firstOf(each) >= cut);
}

function firstOf({ candidate: { items, message } }: Weighed): number {
	return items[0]?.message ?? message;
}
