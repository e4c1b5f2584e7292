/**
 * Fading (seed 004): large outputs are sent at lower detail before anything is removed. A pass decides the age of each
 * output and keeps it in the log, so that nothing changes between two passes.
 */
import { measureFloor } from "../ledger/floor.ts";
import type { Fade, FadeAge, Pass } from "../log/pass.ts";
import { viewAfter } from "../log/view.ts";
import { PLACEHOLDER_AGE } from "../projection/fade-text.ts";
import type { ItemId, ToolResult } from "../transcript/transcript.ts";
import { openScene } from "./batch-policy.ts";
import { outputs } from "./batch-steps.ts";
import { newestOf } from "./make-pass.ts";
import type { PlanInput } from "./policy.ts";
import type { Unit } from "./units.ts";

/** Off: outputs leave whole. On: by age, down to their structure. Placeholder: one line in the place of each. */
export const fadingModes = ["off", "on", "placeholder"] as const;
export type FadingMode = (typeof fadingModes)[number];

/** Smaller outputs are sent whole; in tokens. */
const MIN_SIZE = 200;
/** A step that frees less than this share of what is sent of an output is not worth its bytes. */
const MIN_FREED_SHARE = 0.2;
/**
 * Where each age begins, in tokens of the session since the output, as a share of what the prologue and user turns leave
 * of the budget: the newest quarter is sent in full detail, as in the seed.
 */
const ages: readonly { readonly age: FadeAge; readonly from: number }[] = [
	{ age: 3, from: 1 },
	{ age: 2, from: 0.5 },
	{ age: 1, from: 0.25 },
];

/**
 * The outputs to fade so that a context of `before` tokens comes down to `target`, oldest first; as many as it takes.
 * With `chosen`, only the outputs of these calls.
 */
export function planFades(
	input: PlanInput,
	mode: Exclude<FadingMode, "off">,
	before: number,
	target: number,
	chosen?: ReadonlySet<ItemId>,
): readonly Fade[] {
	const { graph, fadedSize } = input;
	if (!fadedSize) return [];
	const scene = openScene(input, before);
	const room = input.budget - measureFloor(input).tokens;
	const ageAt = (message: number) => {
		if (mode === "placeholder") return PLACEHOLDER_AGE;
		const share = scene.time.age(message) / Math.max(1, room);
		return ages.find(({ from }) => share >= from)?.age;
	};
	const fades: Fade[] = [];
	let left = before;
	for (const { unit } of outputs(scene).toSorted((a, b) => a.message - b.message)) {
		if (left <= target) break;
		const { call, result } = unit;
		if (chosen && !chosen.has(call.id)) continue;
		const age = result && ageAt(result.message);
		const fade = age && graph.callOf.has(result.id) ? fadeTo(input, unit, result, age) : undefined;
		if (!fade) continue;
		left -= fade.tokens - (input.view.faded.get(fade.item)?.tokens ?? 0);
		fades.push(fade);
	}
	return fades;
}

function fadeTo(
	{ view, fadedSize }: PlanInput,
	{ call, episode }: Unit,
	result: ToolResult,
	age: FadeAge,
): Fade | undefined {
	const earlier = view.faded.get(call.id);
	const sent = result.tokens - (earlier?.tokens ?? 0);
	if (sent < MIN_SIZE || (earlier && earlier.age >= age)) return undefined;
	const size = fadedSize?.(result, age);
	if (size === undefined || size > (1 - MIN_FREED_SHARE) * sent) return undefined;
	return { episode: episode.id, item: call.id, age, tokens: result.tokens - size };
}

/** A pass that fades outputs and takes nothing; undefined if there is nothing to fade. */
export function fadePass(
	input: PlanInput,
	policy: string,
	before: number,
	fades: readonly Fade[],
): Pass | undefined {
	if (fades.length === 0) return undefined;
	const { view, budget } = input;
	const freed = fades.reduce(
		(sum, { item, tokens }) => sum + tokens - (view.faded.get(item)?.tokens ?? 0),
		0,
	);
	const sizes = { budget, before, after: before - freed };
	return { version: 1, policy, ...sizes, strips: [], fades, blockers: [], ...newestOf(input) };
}

/** The input of a plan that follows a pass. */
export function inputAfter<I extends PlanInput>(input: I, pass: Pass): I {
	return { ...input, view: viewAfter(input.view, pass) };
}
