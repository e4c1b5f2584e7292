/**
 * The default policy. Above the budget: batches (`batch-policy.ts`). Below it, a pass is made only if it pays for itself
 * (`payoff.ts`): over finished work when the next begins (`seams.ts`), and over outputs that are not worth their price
 * (`worth.ts`) when a turn begins or the cache is cold. Calls are scored by what a call shows that nothing else shows, and by how recently it mattered. It departs
 * from Algorithm 1 in that acts do not come before expls, nor marked content before unmarked: the score weighs both. All times
 * and sizes count as logarithms. The signals are those that hold on recorded sessions; the weights are round, since no single
 * one matters much.
 */

import type { Episode, Graph } from "../graph/graph.ts";
import { readRecalls, type Timeline } from "../graph/history.ts";
import { totalTokens } from "../ledger/ledger.ts";
import type { Pass } from "../log/pass.ts";
import { countRegrets } from "../log/regret.ts";
import { batchPolicy } from "../planning/batch-policy.ts";
import { beginsTurn, limitsOf } from "../planning/limits.ts";
import { isWorthwhile, isWorthwhileEarly, mostEvictable, pays, wasJustMade } from "../planning/payoff.ts";
import type { PlanInput, Policy } from "../planning/policy.ts";
import { isSeam, planSeamPass } from "../planning/seams.ts";
import type { Scene, Score, Unit } from "../planning/units.ts";
import { planWorthPass, weighOutputs } from "../planning/worth-pass.ts";
import {
	isEdit,
	isRemote,
	RECALL,
	runsCommand,
	showsFiles,
	type ToolTable,
} from "../transcript/tool-table.ts";
import { digestOf, type ItemId, type ToolCall } from "../transcript/transcript.ts";

const batches = batchPolicy("cwl", { createScore: createEvidenceScore });

export const cwl: Policy = {
	...batches,
	passesEarly: true,
	plan(input) {
		const { graph, view, fixed, budget, lowWaterTokens, relief } = input;
		const before = totalTokens(graph, view, fixed);
		if (before > budget || lowWaterTokens !== undefined || relief) return batches.plan(input);
		return planEarlyPass(input, before);
	},
	weigh: (input) => weighOutputs(input, createEvidenceScore),
};

/** A pass that the budget does not force: over finished work or, where a turn begins or the cache is cold, over what is not worth its price. */
function planEarlyPass(input: PlanInput, before: number): Pass | undefined {
	// Nothing came since the last pass, which took all that it could or should take.
	if (wasJustMade(input)) return undefined;
	const now = { ...input, isCold: isCheaplyCold(input, before) };
	if (beginsTurn(input) || isSeam(input.graph)) {
		const seam = planSeamPass(input, cwl.name, before);
		if (seam && isWorthwhile(input, before, seam.after) && pays(input, seam)) return seam;
	}
	const isCheap = beginsTurn(input) || now.isCold;
	if (!isCheap || !isWorthwhileEarly(now, before, before - mostEvictable(input))) return undefined;
	const pass = planWorthPass(now, cwl.name, before, createEvidenceScore);
	return pass && isWorthwhileEarly(now, before, pass.after) && pays(now, pass) ? pass : undefined;
}

/**
 * Returns true if the cache is cold and the context is more than halfway from low water to the ceiling. A smaller context is
 * treated as if it were cached, so that a session that is resumed loses nothing that its budget does not ask for.
 */
function isCheaplyCold(input: PlanInput, before: number): boolean {
	if (input.isCold !== true) return false;
	const { ceiling, lowWater } = limitsOf(input);
	return before > (lowWater + ceiling) / 2;
}

function createEvidenceScore({ input, visible, time }: Scene): Score {
	const { graph, view, tools } = input;
	const freshness = measureFreshness(visible.units);
	const regrets = countRegrets(graph, view);
	const score = createUnitScore({ graph, tools, time, freshness, regrets });
	return (candidate) =>
		candidate.unit ? score(candidate.unit) : scoreWords(time, candidate.message, candidate.tokens);
}

const weights = {
	/** Calls in which the agent wrote something into files. */
	edit: 2,
	/** The content of files, against searches, listings and runs. */
	view: 2,
	/** An episode of words alone: what the agent concluded. */
	words: 0.5,
	/** Lines that nothing younger shows. */
	fresh: 2,
	/** An open act depends on it, or the model has asked for it again; more when it read it again after a pass. */
	needed: 1.5,
	/** Brought back by recall, once: the first to go again. */
	recalled: -4,
	/** The model marked that it is done with it. */
	finished: 0.5,
	/** Output of another machine in the user turn in progress: no disk gives it back. */
	remote: 1.5,
	/** The output of a short command that shows no new name: almost never needed again. */
	nothingNew: -4,
	/** Time since a call last named one of its files; its own age where it names none. */
	named: 0.7,
	/** Time since a call last edited one of its files. */
	edited: 0.3,
	/** User turns since. */
	turns: 0.8,
	size: 0.25,
};

/** Times and sizes below these differ by little; in tokens. */
const SHORT_TIME = 2_000;
const SMALL_SIZE = 50;

/** The facts that a score depends on, apart from the unit itself. */
export interface Evidence {
	readonly graph: Graph;
	readonly tools: ToolTable;
	readonly time: Timeline;
	readonly freshness: ReadonlyMap<Unit, number>;
	/** How often what a call shows was read again after a pass; see countRegrets. */
	readonly regrets: ReadonlyMap<ItemId, number>;
}

/** The score of a call with its result: the lowest goes first. */
export function createUnitScore(evidence: Evidence): (unit: Unit) => number {
	const { graph, tools, time, freshness, regrets } = evidence;
	const worth = createWorth(evidence);
	const annotation = createAnnotationScore(graph);
	const novelty = createNovelty(evidence);
	return (unit) => {
		const { call, episode, tokens } = unit;
		const paths = digestOf(call)?.paths ?? [];
		// The weight grows with each time that it was read again after a pass, so the same mistake gets less likely.
		const again = call.tool === RECALL ? 0 : (regrets.get(call.id) ?? 0);
		return (
			worth(call) +
			weights.fresh * (freshness.get(unit) ?? 0) +
			annotation(episode) +
			weights.needed * Math.log2(1 + again) +
			(isRemote(tools, call) && time.turns(call.message) === 0 ? weights.remote : 0) +
			novelty(unit) -
			weights.named * logTime(paths.length > 0 ? time.sinceNamed(paths) : time.age(call.message)) -
			weights.edited * logTime(time.sinceEdited(paths)) -
			agingOf(time, call.message, tokens)
		);
	};
}

/** The score, on the same scale, of an episode that has only words: what the agent concluded, and notes. */
export function scoreWords(time: Timeline, message: number, tokens: number): number {
	const since = weights.named * logTime(time.age(message)) + weights.edited * logTime(time.sinceEdited([]));
	return weights.words - since - agingOf(time, message, tokens);
}

/** Scores the kind of a call. Recalled content is scored by how often it was asked for, whatever it shows. */
function createWorth({ graph, tools }: Evidence): (call: ToolCall) => number {
	const recalled = readRecalls(graph.history);
	return (call) => {
		const asked = recalled(call);
		if (asked) return asked === "again" ? weights.view + weights.needed : weights.recalled;
		if (isEdit(tools, call)) return weights.edit;
		return showsFiles(tools, call.tool, call.arguments) ? weights.view : 0;
	};
}

/** In tokens: what the agent writes at length in a command is its own work, as in an edit. */
const SHORT_CALL = 100;

/** Command output without any new name is evicted before everything else. */
function createNovelty({ graph, tools }: Evidence): (unit: Unit) => number {
	const { withoutNews } = graph.history.contents();
	return ({ call, result }) => {
		if (!result || call.tokens > SHORT_CALL || !withoutNews.has(result.id)) return 0;
		return runsCommand(tools, call) ? weights.nothingNew : 0;
	};
}

function agingOf(time: Timeline, message: number, tokens: number): number {
	return weights.turns * Math.log(1 + time.turns(message)) + weights.size * Math.log(tokens + SMALL_SIZE);
}

function logTime(tokens: number): number {
	return Math.log(tokens + SHORT_TIME);
}

/**
 * Scores an episode by the model's own marks: an expl that an open act declared is needed; a closed act, and a closed
 * expl whose acts are all closed, are finished.
 */
function createAnnotationScore(graph: Graph): (episode: Episode) => number {
	const needed = new Set<string>();
	const builtUpon = new Set<string>();
	for (const { dependencies, state } of graph.episodes) {
		for (const id of dependencies) (state === "open" ? needed : builtUpon).add(id);
	}
	return ({ id, kind, origin, state }) => {
		if (needed.has(id)) return weights.needed;
		const isFinished = origin === "declared" && state === "closed" && (kind === "act" || builtUpon.has(id));
		return isFinished ? -weights.finished : 0;
	};
}

/**
 * For each unit the share of its lines, between 0 and 1, that no younger unit shows. One without lines to compare
 * counts as superseded. Linear in the lines.
 */
export function measureFreshness(units: readonly Unit[]): ReadonlyMap<Unit, number> {
	const isShown = new Set<number>();
	const shares = new Map<Unit, number>();
	for (const unit of units.toSorted((a, b) => b.call.message - a.call.message)) {
		const lines = [unit.call, ...(unit.result ? [unit.result] : [])].flatMap(
			(item) => digestOf(item)?.lines ?? [],
		);
		const fresh = lines.filter((line) => !isShown.has(line)).length;
		shares.set(unit, lines.length === 0 ? 0 : fresh / lines.length);
		for (const line of lines) isShown.add(line);
	}
	return shares;
}
