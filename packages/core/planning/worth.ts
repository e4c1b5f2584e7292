/**
 * The worth of an output. Keeping it costs a cached read with each request that is likely still to come. Without it
 * there is a chance of a second look, which is one more request: it reads the context, writes the output again and has an
 * answer. An output is worth its price while a look, times its chance, times how much it is feared, would cost more.
 */
import { totalTokens } from "../ledger/ledger.ts";
import { createLookChance } from "./chance.ts";
import { answerOf, fearOf, likelyRequests, usualPrices } from "./payoff.ts";
import type { LookChance, WeighedOutput } from "./policy.ts";
import type { Candidate, Scene, Score } from "./units.ts";

export interface Worth extends LookChance, Pick<WeighedOutput, "gain" | "tokens"> {
	/** The cost of a second look times its chance, in the unit of the prices. */
	readonly loss: number;
}

/** Answers what candidates are worth, given the tokens that leave with each. */
export function createWorth(scene: Scene): (candidate: Candidate, freed: number) => Worth {
	const { graph, prices = usualPrices } = scene.input;
	const requests = likelyRequests(graph);
	const fear = fearOf(scene.input);
	const lookChanceOf = createLookChance(scene);
	const request = totalTokens(scene.input) * prices.read + answerOf(graph) * prices.output;
	return (candidate, freed) => {
		const look = lookChanceOf(candidate);
		const loss = look.chance * (request + candidate.tokens * prices.write);
		return { ...look, gain: freed * prices.read * requests - fear * loss, tokens: freed, loss };
	};
}

/** The order in which a forced pass takes candidates: first what loses least for each token that leaves. */
export function createLossOrder(scene: Scene): Score {
	const worthOf = createWorth(scene);
	return (candidate) => worthOf(candidate, candidate.tokens).loss / Math.max(1, candidate.tokens);
}
