/** The passes that are to come, planned by the functions that make them: the nearest first. */
import type { Graph } from "#core/graph";
import { type Pass, touchedEpisodes } from "#core/log";
import {
	type PlanInput,
	type Policy,
	passEffect,
	pays,
	previewNextTurn,
	previewPass,
	type WeighedOutput,
	weighAtNextTurn,
} from "#core/planning";
import { pricePass } from "#core/prices";
import type { Sizes } from "../screen/sizes.ts";
import { describeWorth, isIdle, keptOutputs } from "./output-worth.ts";

/** The event that brings a pass. */
export type Moment = "next request" | "next message" | "next piece of work" | "full";

interface PlannedPass {
	readonly at: Moment;
	/** Tokens that may still come before it; 0 for all moments but `full`. */
	readonly dueIn: number;
	readonly pass: Pass;
}

/** Sizes are in the tokens of the provider. */
export type NextPass = ReturnType<typeof describePass>;

/** Plans the passes of the moments to come; a moment that brings none is left out. Changes nothing. */
export function planNextPasses(policy: Policy, input: PlanInput): readonly PlannedPass[] {
	const { pass, toCome, seam } = previewPass(policy, input);
	const turn = previewNextTurn(policy, input);
	const isDue = pass !== undefined && toCome === 0;
	const isWorking = !isIdle(input.graph);
	const planned: readonly (PlannedPass | false | undefined)[] = [
		// Between turns, the next request begins with the user's message.
		isDue && (isWorking || !turn) && { at: "next request", dueIn: 0, pass },
		turn && { at: "next message", dueIn: 0, pass: turn },
		// A seam that would not pay brings no pass.
		seam && pays(input, seam) && { at: "next piece of work", dueIn: 0, pass: seam },
		pass && toCome > 0 && { at: "full", dueIn: toCome, pass },
	];
	return planned.flatMap((each) => each || []);
}

/** The passes to come, in the tokens of the provider, with names in place of ids, and with the outputs that the nearest one leaves alone. */
export function reportNextPasses(policy: Policy, input: PlanInput, sizes: Sizes): readonly NextPass[] {
	const weighed = weighAtNextTurn(policy, input);
	return planNextPasses(policy, input).map((planned, place) =>
		describePass(planned, input, sizes, place === 0 ? weighed : []),
	);
}

/** Describes what a pass that was planned from this input takes and costs, and what it keeps of the outputs that were weighed. */
export function describePass(
	{ at, dueIn, pass }: PlannedPass,
	input: PlanInput,
	sizes: Sizes,
	weighed: readonly WeighedOutput[] = [],
) {
	const { part } = sizes;
	const { strips, reductions = [], decision } = pass;
	const { graph } = input;
	const names = new Map(graph.episodes.map(({ id, name }) => [id, name]));
	const effect = decision ?? {
		...passEffect(input, pass),
		paidBackAfter: priceOf(input, pass)?.paidBackAfter,
	};
	const { freed, rewritten, paidBackAfter = Number.POSITIVE_INFINITY } = effect;
	const left = new Set([...strips.flatMap(({ items }) => items), ...reductions.map(({ item }) => item)]);
	const isTaken = ({ call }: WeighedOutput) =>
		left.has(call.id) || left.has(graph.resultOf.get(call.id)?.id ?? call.id);
	const nameOf = (episode: string) => names.get(episode) ?? episode;
	return {
		at,
		dueIn: part(dueIn),
		/** Tokens that later requests no longer send, and cached tokens that the next one writes again. */
		freed: part(freed),
		rewritten: part(rewritten),
		/** The part of the freed tokens that is thinking which the pass makes invalid. */
		forfeited: part(pass.forfeited ?? 0),
		/** Requests after which it has paid for itself; null if it never does, or the prices are unknown. */
		paysAfter: Number.isFinite(paidBackAfter) ? paidBackAfter : null,
		/** Outputs of tools that it takes or reduces, and the episodes that they are from. */
		outputs: outputsOf(graph, pass) + reductions.length,
		episodes: touchedEpisodes(pass).size,
		strips: strips
			.map(({ episode, level, tokens }) => ({ episode: nameOf(episode), level, tokens: part(tokens) }))
			.toSorted((a, b) => b.tokens - a.tokens),
		reductions: reductions.map(({ episode, form, tokens }) => ({
			episode: nameOf(episode),
			form,
			tokens: part(tokens),
		})),
		/** Outputs that stay although they are large or old. */
		kept: keptOutputs(
			weighed.filter((each) => !isTaken(each)).map((each) => describeWorth(each, input, sizes)),
		),
	};
}

/** The cost of a pass and its saving for each later request, in dollars; undefined if the prices are unknown. */
function priceOf(input: PlanInput, pass: Pass) {
	const { prices, isCold } = input;
	const { before, forfeited = 0, decision } = pass;
	const { freed, rewritten } = decision ?? passEffect(input, pass);
	return prices && pricePass({ freed, rewritten, forfeited, before, ...(isCold && { isCold }) }, prices);
}

function outputsOf({ resultOf }: Graph, { strips }: Pass): number {
	return strips.reduce((count, { items }) => count + items.filter((id) => resultOf.has(id)).length, 0);
}
