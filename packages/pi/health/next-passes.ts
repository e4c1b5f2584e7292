/** The passes that can come next, planned by the functions that make them. */
import { DELIMITER } from "#core/annotation";
import type { Graph } from "#core/graph";
import { type SealedTokens, sealedIn, sealedTokens, totalTokens, withoutUnsent } from "#core/ledger";
import { changesContext, createNetSizes, type Pass, touchedEpisodes, viewAfter } from "#core/log";
import {
	afterResults,
	atNextTurn,
	ceilingOf,
	joinParts,
	type PlanInput,
	type Policy,
	planPass,
} from "#core/planning";
import { type Item, type ItemId, sumTokens } from "#core/transcript";
import type { Sizes } from "../screen/sizes.ts";
import {
	isIdle,
	isLargeNote,
	keptByUser,
	keptOutputs,
	noteWorths,
	type OutputWorth,
	outputWorths,
} from "./output-worth.ts";
import { createPassReader } from "./pass-parts.ts";

/** The event that brings a pass; `no room`: the budget is full, and nothing newer can leave in place of what undo brought back or a recall found in the context. */
export type Moment = "next request" | "next message" | "next expl" | "full" | "no room" | "cold cache";

/** A pass, and the session as it will be when it is made. */
interface Outcome {
	readonly pass: Pass;
	readonly input: PlanInput;
	/** True if a large message of the user has another pass made in its place. */
	readonly dependsOnMessage?: boolean;
}

export interface PlannedPass extends Outcome {
	readonly at: Moment;
	/** The most tokens that may still come before it; 0 for all moments but `full` and `no room`. */
	readonly dueIn: number;
	/** The minutes without a request after which it comes; 0 for all moments but `cold cache`. */
	readonly idle: number;
	/** True for a pass of `no room` that comes in place of the one of `full`: after that, what undo spares is too little for a pass. */
	readonly isInstead?: true;
}

type Ask = (input: PlanInput) => Pass | undefined;
type Plan = (input: PlanInput) => Outcome | undefined;

/**
 * Plans the passes that can come next, the nearest first. Where the next request makes one, the later ones are planned as they will
 * be after it; a moment that brings none is left out. Changes nothing.
 * @param ask the pass that the pressure of a request asks for, after the one that is due
 * @param idle the minutes without a request after which the cache counts as cold
 */
export function planNextPasses(policy: Policy, input: PlanInput, ask: Ask, idle = 0): readonly PlannedPass[] {
	const plan = (at: PlanInput) => planRequest(policy, at, ask);
	// Between turns, the next request begins with the user's message.
	const isBetween = isIdle(input.graph);
	const planNext = (at: PlanInput) => (isBetween ? planTurn(plan, at) : plan(at));
	const made = planNext(input);
	const now = plannedAt(isBetween ? "next message" : "next request", made);
	const later = afterPass(isBetween ? atNextTurn(input) : input, made);
	const cold = plannedAt("cold cache", planNext({ ...input, isCold: true }), 0, idle);
	const others = takesNothingElse(cold, now) ? [] : cold;
	const turn = isBetween ? [] : plannedAt("next message", planTurn(plan, later));
	const arrivals = planArrivals(plan, later);
	return made ? [...now, ...others, ...arrivals, ...turn] : [...arrivals, ...turn, ...others];
}

/** The sizes of a usual message and of a large one, the state of git that comes with it included; in tokens. */
const USUAL_MESSAGE = 150;
const LARGE_MESSAGE = 600;

/** The pass that comes with the next message of the user; where its length has it take other things, or nothing, the one that frees least. */
function planTurn(plan: Plan, input: PlanInput): Outcome | undefined {
	const outcomes = [0, USUAL_MESSAGE, LARGE_MESSAGE].map((tokens) => plan(atNextTurn(input, tokens)));
	const least = leastOf(outcomes);
	if (!least) return undefined;
	const isSame = (other: Outcome | undefined) =>
		other !== undefined && keyOf(other) === keyOf(least) && freedBy(other) === freedBy(least);
	return outcomes.every(isSame) ? least : { ...least, dependsOnMessage: true };
}

function afterPass(input: PlanInput, made: Outcome | undefined): PlanInput {
	return made ? { ...input, view: viewAfter(input.view, made.pass) } : input;
}

/**
 * The passes that come with results: where the model marks its next expl, and where the context is full at the latest. Of the second, the
 * one that frees least: more results and smaller ones only make it free more. What undo spares is in a pass of its own: the work to
 * come may leave instead.
 */
function planArrivals(plan: Plan, now: PlanInput): readonly PlannedPass[] {
	const input = { ...now, pinned: keptByUser(now) };
	const { graph, view, fixed } = input;
	const toCome = Math.max(0, ceilingOf(input) + 1 - totalTokens({ graph, view, fixed }));
	const bringsPass = (tokens: number) => plan(afterResults(input, tokens, "continues")) !== undefined;
	const sizes = new Set([leastArrival(bringsPass, 0, toCome), toCome]);
	const grown = [...sizes].flatMap((tokens) => [
		plan(afterResults(input, tokens, "continues")),
		plan(afterResults(input, tokens, "ends")),
	]);
	const full = leastOf(grown);
	// The message that comes before the mark may be too large for a pass that only just pays. A full context does not wait for a mark.
	const messages = toCome > 0 ? [0, LARGE_MESSAGE] : [];
	const seams = messages.map((tokens) => plan(afterResults(input, tokens, "begins")));
	const seam = plannedAt("next expl", seams.includes(undefined) ? undefined : leastOf(seams));
	const after = planRestored(plan, afterPass(now, full), toCome);
	const instead = full && after.length === 0 ? planRestored(plan, now, toCome) : [];
	// It comes where the context is full, so that no larger request is spoken of than the budget allows.
	const together = instead.map((each) => ({ ...each, dueIn: toCome, isInstead: true as const }));
	const restored = [...after, ...together];
	return [...seam, ...plannedAt("full", full, toCome), ...restored];
}

/** The pass of what undo spares, which comes at the latest where nothing newer can leave; from `full` tokens on, with the pass that comes there made. */
function planRestored(plan: Plan, input: PlanInput, full: number): readonly PlannedPass[] {
	const { graph, pinned, spared } = input;
	if (!spared?.size) return [];
	const newer = graph.episodes.map(({ id }) => id).filter((id) => !spared.has(id));
	const now = { ...input, pinned: new Set([...(pinned ?? []), ...newer]) };
	const planAt = (tokens: number) => {
		const made = plan(afterResults(now, tokens, "continues"));
		const isRestored = made?.pass.strips.some(({ episode, level }) => level > 1 && spared.has(episode));
		return isRestored ? made : undefined;
	};
	const bringsPass = (tokens: number) => planAt(tokens) !== undefined;
	const least = bringsPass(full) ? full : leastArrival(bringsPass, full, full + ceilingOf(now));
	return plannedAt("no room", planAt(least), least);
}

/** The one that frees least. */
function leastOf(outcomes: readonly (Outcome | undefined)[]): Outcome | undefined {
	const [least] = outcomes.filter((each) => each !== undefined).toSorted((a, b) => freedBy(a) - freedBy(b));
	return least;
}

function freedBy({ pass }: Outcome): number {
	return pass.before - pass.after;
}

/** The sealed thinking that a pass takes, in tokens. */
function sealedTaken({ pass, input: { graph, view, model } }: Outcome): SealedTokens {
	const before = sealedTokens(graph, view, model);
	const after = sealedTokens(graph, viewAfter(view, pass), model);
	return { sent: before.sent - after.sent, unsent: before.unsent - after.unsent };
}

/** Halvings of an arrival: they find its size to 2 %. */
const HALVINGS = 6;

/** The least results that bring a pass, in tokens: `most`, or fewer where fewer bring one, but more than `none`. */
function leastArrival(bringsPass: (tokens: number) => boolean, none: number, most: number): number {
	if (most - 1 <= none || !bringsPass(most - 1)) return most;
	let few = none;
	let enough = most - 1;
	for (let step = 0; step < HALVINGS; step += 1) {
		const middle = Math.round((few + enough) / 2);
		if (bringsPass(middle)) enough = middle;
		else few = middle;
	}
	return enough;
}

/** Plans the pass that is due at a request, with the one that its pressure asks for after that. */
function planRequest(policy: Policy, input: PlanInput, ask: Ask): Outcome | undefined {
	const planned = planPass(policy, input);
	const due = planned && changesContext(planned) ? planned : undefined;
	const asked = ask(due ? { ...input, view: viewAfter(input.view, due) } : input);
	const pass = due && asked ? joinPasses(due, asked) : (due ?? asked);
	return pass && changesContext(pass) ? { pass, input } : undefined;
}

function joinPasses({ decision: _, ...due }: Pass, asked: Pass): Pass {
	return { ...due, after: asked.after, ...joinParts(due, asked) };
}

function plannedAt(at: Moment, made: Outcome | undefined, dueIn = 0, idle = 0): readonly PlannedPass[] {
	return made ? [{ at, dueIn, idle, ...made }] : [];
}

function takesNothingElse(planned: readonly PlannedPass[], others: readonly PlannedPass[]): boolean {
	const known = new Set(others.map(keyOf));
	return planned.every((each) => known.has(keyOf(each)));
}

/** The items that a pass takes or reduces, as one text. */
function keyOf({ pass }: Outcome): string {
	return [...takenBy(pass)].toSorted().join(" ");
}

/** The items that a pass takes or reduces. */
export function takenBy({ strips, reductions = [] }: Pass): ReadonlySet<ItemId> {
	return new Set([...strips.flatMap(({ items }) => items), ...reductions.map(({ item }) => item)]);
}

/** An output that the nearest pass leaves alone, and the moment of a later one that may take it. */
export interface KeptOutput extends OutputWorth {
	readonly leaves: Due | null;
}

/** When a pass comes. */
export type Due = ReturnType<typeof momentOf>;

/** Sizes are in the tokens of the provider. */
export type NextPass = ReturnType<typeof describePass>;

/** Passes to come, with names in place of ids. The nearest one has the outputs that it keeps although they are large or old. */
export function reportNextPasses(
	planned: readonly PlannedPass[],
	policy: Policy,
	input: PlanInput,
	sizes: Sizes,
): readonly NextPass[] {
	const { resultOf } = input.graph;
	const taken = planned.map(({ pass }) => takenBy(pass));
	const worths = [...outputWorths(policy, input, sizes), ...noteWorths(input, sizes)].map(
		({ call, worth }) => {
			const isIn = (items: ReadonlySet<ItemId>) =>
				items.has(call) || items.has(resultOf.get(call)?.id ?? call);
			return { worth, place: taken.findIndex(isIn) };
		},
	);
	// A file of which an output leaves is not said to stay, although another call may show some lines of it.
	const leaving = new Set(worths.flatMap(({ worth, place }) => (place === 0 ? [worth.output] : [])));
	const kept = worths.flatMap(({ worth, place }): readonly KeptOutput[] => {
		const by = planned[place];
		return leaving.has(worth.output) ? [] : [{ ...worth, leaves: by ? momentOf(by, sizes) : null }];
	});
	return planned.map((each, place) => describePass(each, sizes, place === 0 ? keptOutputs(kept) : []));
}

function momentOf({ at, dueIn, idle }: PlannedPass, { part }: Sizes) {
	return { at, dueIn: part(dueIn), idle };
}

/** Describes what a pass takes. */
export function describePass(planned: PlannedPass, sizes: Sizes, kept: readonly KeptOutput[] = []) {
	const { pass, input } = planned;
	const { part } = sizes;
	const freed = part(freedBy(planned), sealedTaken(planned));
	return {
		...momentOf(planned, sizes),
		/** Tokens that later requests no longer send; likely ones if work comes before the pass, or a message may change it. */
		freed,
		/** Its other figures; null if work comes before the pass, or a message may change it. */
		effect: dependsOnWork(planned) || planned.dependsOnMessage ? null : effectOf(planned, part),
		...createPassReader(input.graph).partsOf(createNetSizes(input.view)(pass), part),
		kept,
		...(planned.isInstead && { isInstead: planned.isInstead }),
	};
}

/** Returns true if work comes before the pass: what that reads again makes older outputs worth less, and shows that earlier passes cost more. */
function dependsOnWork({ at }: Pick<PlannedPass, "at">): boolean {
	return at === "full" || at === "no room" || at === "next expl";
}

/** The figures of a pass that comes with the next request. */
function effectOf({ pass, input }: Outcome, part: Sizes["part"]) {
	const taken = takenBy(pass);
	const thinking = input.graph.reasoning.filter(({ id }) => taken.has(id));
	return {
		/** The part of the freed tokens that is thinking. */
		thinking: part(sumTokens(thinking), sealedIn(thinking, input.model)),
		/** Outputs of tools that it takes or reduces, recalled ones included and the answers to marks aside, and the episodes that they are from. */
		outputs: outputsOf(input.graph, pass) + (pass.reductions?.length ?? 0),
		episodes: touchedEpisodes(withoutUnsent(input.graph, pass)).size,
	};
}

function outputsOf({ episodes, resultOf }: Graph, { strips }: Pass): number {
	const taken = new Set(strips.flatMap(({ items }) => items));
	const isOutput = (item: Item) =>
		taken.has(item.id) &&
		(isLargeNote(item) || (item.type === "call" && item.tool !== DELIMITER && resultOf.has(item.id)));
	return episodes.flatMap(({ items }) => items.filter(isOutput)).length;
}
