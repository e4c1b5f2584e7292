/** The passes that are to come, planned by the functions that make them: the nearest first. */
import { DELIMITER } from "#core/annotation";
import type { Graph } from "#core/graph";
import { totalTokens } from "#core/ledger";
import { changesContext, type Pass, touchedEpisodes, viewAfter } from "#core/log";
import {
	afterAnswer,
	atNextSeam,
	atNextTurn,
	ceilingOf,
	largestArrival,
	type PlanInput,
	type Policy,
	passEffect,
	planPass,
	type WeighedOutput,
	weighAtNextTurn,
} from "#core/planning";
import type { Item } from "#core/transcript";
import type { Sizes } from "../screen/sizes.ts";
import { describeWorth, isIdle, keptOutputs } from "./output-worth.ts";
import { payback } from "./rewrites.ts";

/** The event that brings a pass. */
export type Moment = "next request" | "next message" | "next piece of work" | "full";

export interface PlannedPass {
	readonly at: Moment;
	/** Tokens that may still come before it; 0 for all moments but `full`. */
	readonly dueIn: number;
	readonly pass: Pass;
	/** The session as it will be then. */
	readonly input: PlanInput;
}

/** Sizes are in the tokens of the provider. */
export type NextPass = ReturnType<typeof describePass>;

/**
 * Plans the passes of the moments to come, each as it will be made after those in front of it; a moment that brings none is left
 * out. Changes nothing.
 * @param ask the pass that the pressure of a request asks for where none is due
 */
export function planNextPasses(
	policy: Policy,
	input: PlanInput,
	ask: (input: PlanInput) => Pass | undefined,
): readonly PlannedPass[] {
	// Between turns, the next request begins with the user's message.
	const isBetween = isIdle(input.graph);
	const next = isBetween ? atNextTurn(input) : input;
	const now = planFor(isBetween ? "next message" : "next request", 0, next, (begun) => {
		const due = planPass(policy, begun);
		return due && changesContext(due) ? due : ask(begun);
	});
	const later = now ? { ...next, view: viewAfter(next.view, now.pass) } : next;
	const { graph, view, fixed } = later;
	const toCome = Math.max(0, ceilingOf(later) + 1 - totalTokens(graph, view, fixed));
	const seam = planFor("next piece of work", 0, atNextSeam(later), (begun) => {
		const pass = planPass(policy, begun);
		// Without marks, and above the budget, the beginning of other work changes nothing.
		return pass?.decision?.reason === "next work begins" ? pass : undefined;
	});
	const full = planFor("full", toCome, afterAnswer(later, toCome), (grown) => planPass(policy, grown));
	const isFullFirst = toCome < largestArrival(graph);
	return [now, ...(isFullFirst ? [full, seam] : [seam, full])].filter((each) => each !== undefined);
}

function planFor(at: Moment, dueIn: number, input: PlanInput, plan: (input: PlanInput) => Pass | undefined) {
	const pass = plan(input);
	return pass && changesContext(pass) ? { at, dueIn, pass, input } : undefined;
}

/** Passes to come, in the tokens of the provider, with names in place of ids, and with the outputs that the nearest one leaves alone. */
export function reportNextPasses(
	planned: readonly PlannedPass[],
	policy: Policy,
	sizes: Sizes,
): readonly NextPass[] {
	return planned.map((each, place) =>
		describePass(each, sizes, place === 0 ? weighAtNextTurn(policy, each.input) : []),
	);
}

/** Describes what a pass takes and costs, and what it keeps of the outputs that were weighed. */
export function describePass(
	{ at, dueIn, pass, input }: PlannedPass,
	sizes: Sizes,
	weighed: readonly WeighedOutput[] = [],
) {
	const { part } = sizes;
	const { strips, reductions = [], decision } = pass;
	const { graph } = input;
	const names = new Map(graph.episodes.map(({ id, name }) => [id, name]));
	const { freed, rewritten } = decision ?? passEffect(input, pass);
	// A cold cache is written in any case.
	const broken = input.isCold ? 0 : rewritten;
	const paysAfter = input.prices && payback(pass, broken, input.prices);
	const left = new Set([...strips.flatMap(({ items }) => items), ...reductions.map(({ item }) => item)]);
	const isTaken = ({ call }: WeighedOutput) =>
		left.has(call.id) || left.has(graph.resultOf.get(call.id)?.id ?? call.id);
	const nameOf = (episode: string) => names.get(episode) ?? episode;
	return {
		at,
		dueIn: part(dueIn),
		/**
		 * Tokens that later requests no longer send, and cached tokens that the next one writes again: at least so many, since a provider keeps
		 * its cache only up to an earlier point that it has marked.
		 */
		freed: part(freed),
		rewritten: part(rewritten),
		/** The part of the freed tokens that is thinking which the pass makes invalid. */
		forfeited: part(pass.forfeited ?? 0),
		/** Requests after which it has paid for these; null if it never does, or the prices are unknown. */
		paysAfter: paysAfter ?? null,
		/** Outputs of tools that it takes or reduces, the answers to marks aside, and the episodes that they are from. */
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

function outputsOf({ episodes, resultOf }: Graph, { strips }: Pass): number {
	const taken = new Set(strips.flatMap(({ items }) => items));
	const isOutput = (item: Item) =>
		item.type === "call" && item.tool !== DELIMITER && taken.has(item.id) && resultOf.has(item.id);
	return episodes.reduce((count, { items }) => count + items.filter(isOutput).length, 0);
}
