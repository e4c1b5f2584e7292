/**
 * The worth of an output. Keeping it costs a cached read with each request that is likely still to come. Without it
 * there is a chance of a second look, which is one more request: it reads the context, writes the output again and has an
 * answer. An output is worth its price while a look, times its chance, times how much it is feared, would cost more.
 */
import { isEdit, showsFiles } from "../transcript/tool-table.ts";
import { digestOf, type Item, type ToolCall } from "../transcript/transcript.ts";
import { turnsBack } from "./evictable.ts";
import { answerOf, fearOf, likelyRequests, usualPrices } from "./payoff.ts";
import type { PlanInput, Signal, WeighedOutput } from "./policy.ts";
import type { Candidate, Score, Unit } from "./units.ts";

/** The logarithm of the odds of a second look is a line in the score of an output and its signals; docs/results.md has the shares that it was fitted on. */
const oddsLine = {
	base: 0.6,
	byScore: 0.4,
	/** Added for the content of a file that no later call names: a later one would stand for it. */
	newest: 1,
	/** Added for what the agent wrote into files at length: nothing else shows it. */
	own: 1,
	/** Added for the newest call on a file that the last turn read or edited: the next turn works there. It lapses a turn later. */
	touched: 2,
};
/** Added for what the agent said: an output can be had again by the call that gave it, a conclusion by recall only. */
const WORDS = 1;
/** An edit is written at length from here on; in tokens. Of shorter ones one in two hundred is needed again. */
const LONG = 200;

export type Worth = Pick<WeighedOutput, "gain" | "tokens" | "chance" | "score" | "signals">;

/**
 * Answers what candidates are worth in a context of `before` tokens, given the tokens that leave with each. `units` are all that the
 * context shows. A higher score is needed more.
 */
export function createWorth(
	input: PlanInput,
	before: number,
	units: readonly Unit[],
	score: Score,
): (candidate: Candidate, freed: number) => Worth {
	const { graph, prices = usualPrices } = input;
	const requests = likelyRequests(graph);
	const fear = fearOf(input);
	const signalsOf = createSignals(input, units);
	const request = before * prices.read + answerOf(graph) * prices.output;
	return (candidate, freed) => {
		const signals = candidate.unit ? signalsOf(candidate.unit) : [];
		const scored = score(candidate);
		const chance = chanceOf(scored, candidate.unit ? 0 : WORDS, signals);
		const look = request + candidate.tokens * prices.write;
		const gain = freed * prices.read * requests - chance * fear * look;
		return { gain, tokens: freed, chance, score: scored, signals };
	};
}

function chanceOf(score: number, added: number, signals: readonly Signal[]): number {
	const start = oddsLine.base + oddsLine.byScore * score + added;
	const logOdds = signals.reduce((odds, signal) => odds + oddsLine[signal], start);
	return 1 / (1 + Math.exp(-logOdds));
}

function createSignals(
	{ graph, tools }: PlanInput,
	units: readonly Unit[],
): (unit: Unit) => readonly Signal[] {
	const lastCallOn = new Map<string, ToolCall>();
	for (const { call } of units) {
		for (const path of pathsOf(call)) {
			if (call.message >= (lastCallOn.get(path)?.message ?? 0)) lastCallOn.set(path, call);
		}
	}
	const lastTurn = turnsBack(graph, 2);
	return ({ call }) => {
		const isNewest = pathsOf(call).some((path) => lastCallOn.get(path) === call);
		const signals: Signal[] = [];
		if (isNewest && showsFiles(tools, call.tool, call.arguments)) signals.push("newest");
		if (call.tokens > LONG && isEdit(tools, call)) signals.push("own");
		if (isNewest && call.message >= lastTurn) signals.push("touched");
		return signals;
	};
}

function pathsOf(item: Item): readonly string[] {
	return item.type === "call" ? (digestOf(item)?.paths ?? []) : [];
}
