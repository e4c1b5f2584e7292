/**
 * What an output is worth. Keeping it costs a cached read with each request that is likely still to come. Without it
 * there is a chance of a second look, which is one more request: it reads the context, writes the output again and has an
 * answer. An output is worth its price while a look, times its chance, times how much it is feared, would cost more.
 * `npm run bench -- chance` reads the chance off recorded sessions, and fits the two figures of its line.
 */
import { isEdit } from "../transcript/tool-table.ts";
import { digestOf } from "../transcript/transcript.ts";
import { turnsBack } from "./evictable.ts";
import { answerOf, fearOf, likelyRequests, usualPrices } from "./payoff.ts";
import type { PlanInput } from "./policy.ts";
import type { Unit } from "./units.ts";

/** The logarithm of the odds of a second look is a line in the score of an output. */
const ODDS = { base: 1, byScore: 0.4 };
/** Added where a call of the last turn read or edited the same file: the next turn edits there. It lapses a turn later. */
const TOUCHED = 3;
/** Added for what the agent wrote into files at length: nothing else shows it. */
const OWN = 1;
/** An edit is written at length from here on; in tokens. Of shorter ones one in two hundred is needed again. */
const LONG = 200;

export interface Worth {
	/** What letting go of it saves, in the unit of the prices; not above 0 while it is worth its price. */
	readonly gain: number;
	/** The chance of a second look. */
	readonly chance: number;
}

/** Answers what outputs are worth in a context of `before` tokens. A higher score is needed more. */
export function createWorth(
	input: PlanInput,
	before: number,
	score: (unit: Unit) => number,
): (unit: Unit) => Worth {
	const { graph, prices = usualPrices } = input;
	const requests = likelyRequests(graph);
	const fear = fearOf(input);
	const chanceOf = createChance(input, score);
	const request = before * prices.read + answerOf(graph) * prices.output;
	return (unit) => {
		const chance = chanceOf(unit);
		const look = request + unit.tokens * prices.write;
		return { gain: unit.tokens * prices.read * requests - chance * fear * look, chance };
	};
}

function createChance({ graph, tools }: PlanInput, score: (unit: Unit) => number) {
	const touched = new Set<string>();
	for (const { items } of graph.messages.slice(turnsBack(graph, 2))) {
		for (const item of items) {
			if (item.type === "call") for (const path of digestOf(item)?.paths ?? []) touched.add(path);
		}
	}
	return (unit: Unit) => {
		const { call } = unit;
		const isTouched = digestOf(call)?.paths.some((path) => touched.has(path)) === true;
		const isOwn = call.tokens > LONG && isEdit(tools, call);
		const signals = (isTouched ? TOUCHED : 0) + (isOwn ? OWN : 0);
		return 1 / (1 + Math.exp(-(ODDS.base + ODDS.byScore * score(unit) + signals)));
	};
}
