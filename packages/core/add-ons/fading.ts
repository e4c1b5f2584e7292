/**
 * Fading (seed 004): large outputs are sent at lower detail before anything is removed. A pass decides the age of each
 * output and keeps it in the log, so that nothing changes between two passes.
 */
import { sum } from "#basics";
import { measureFloor, totalTokens } from "../ledger/ledger.ts";
import type { Form, Pass, Reduction } from "../log/pass.ts";
import { viewAfter } from "../log/view.ts";
import { openScene, outputs } from "../planning/batch-policy.ts";
import { lowWaterOf } from "../planning/limits.ts";
import { newPass } from "../planning/make-pass.ts";
import { decidePass, isWorthwhile, wasJustMade } from "../planning/payoff.ts";
import type { PlanInput, Policy } from "../planning/policy.ts";
import { forfeitThinking } from "../planning/thinking.ts";
import type { Unit } from "../planning/units.ts";
import { ONE_LINE } from "../projection/reduced-text.ts";
import type { ItemId, ToolResult } from "../transcript/transcript.ts";

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
const ages: readonly { readonly age: Form; readonly from: number }[] = [
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
): readonly Reduction[] {
	const { graph, reducedSize } = input;
	if (!reducedSize) return [];
	const scene = openScene(input, before);
	const room = input.budget - measureFloor(input).tokens;
	const ageAt = (message: number) => {
		if (mode === "placeholder") return ONE_LINE;
		const share = scene.time.age(message) / Math.max(1, room);
		return ages.find(({ from }) => share >= from)?.age;
	};
	const fades: Reduction[] = [];
	let left = before;
	for (const unit of outputs(scene).toSorted((a, b) => a.call.message - b.call.message)) {
		if (left <= target) break;
		const { call, result } = unit;
		if (chosen && !chosen.has(call.id)) continue;
		const age = result && ageAt(result.message);
		const fade = age && graph.callOf.has(result.id) ? fadeTo(input, unit, result, age) : undefined;
		if (!fade) continue;
		left -= fade.tokens - (input.view.reduced.get(fade.item)?.tokens ?? 0);
		fades.push(fade);
	}
	return fades;
}

function fadeTo(
	{ view, reducedSize }: PlanInput,
	{ call, episode }: Unit,
	result: ToolResult,
	age: Form,
): Reduction | undefined {
	const earlier = view.reduced.get(call.id);
	const sent = result.tokens - (earlier?.tokens ?? 0);
	if (sent < MIN_SIZE || (earlier && earlier.form >= age)) return undefined;
	const size = reducedSize?.(result, age);
	if (size === undefined || size > (1 - MIN_FREED_SHARE) * sent) return undefined;
	return { episode: episode.id, item: call.id, form: age, tokens: result.tokens - size };
}

/** A pass that fades outputs and takes nothing; undefined if there is nothing to fade. */
function fadePass(
	input: PlanInput,
	policy: string,
	before: number,
	fades: readonly Reduction[],
): Pass | undefined {
	if (fades.length === 0) return undefined;
	const { reduced } = input.view;
	const freed = sum(fades, ({ item, tokens }) => tokens - (reduced.get(item)?.tokens ?? 0));
	return newPass(input, policy, { before, after: before - freed }, { strips: [], reductions: fades });
}

/**
 * The policy, whose passes are made when they would be made without fading and stop at the same size: outputs fade until
 * that size is reached, and what is still too much is evicted. With placeholders, the outputs that the policy would evict
 * give way to a line each while their calls stay.
 */
export function withFading(policy: Policy, mode: FadingMode): Policy {
	if (mode === "off") return policy;
	return {
		...policy,
		plan(input) {
			// The calls that placeholders left would be the next to go.
			if (wasJustMade(input) && !isDue(input)) return undefined;
			const plain = policy.plan(input);
			if (!plain || plain.strips.length === 0 || isOfFinishedWork(plain)) return plain;
			// A pass that could not keep to the budget may do so with fading.
			const target = Math.min(plain.after, input.budget);
			const fades =
				mode === "on"
					? planFades(input, "on", plain.before, target)
					: planPlaceholders(policy, input, plain, target);
			const faded = fadePass(input, plain.policy, plain.before, fades);
			if (!faded) return plain;
			const pass = evictRest(policy, input, plain, faded, target);
			return isShort(policy, input, pass, plain) ? plain : pass;
		},
	};
}

/**
 * Returns true if a pass that fades stops too early. What is left to evict may be too little for a pass of its own, and too much
 * for the budget; or it would be worth one, and fading has left nothing that can go alone.
 */
function isShort(policy: Policy, input: PlanInput, { after }: Pass, plain: Pass): boolean {
	if (after > Math.max(input.budget, plain.after)) return true;
	return after > lowWaterOf(policy, input) && isWorthwhile(input, after, plain.after);
}

/** Finished work and spent outputs leave: shown at lower detail they would only have to leave later, from farther back. */
function isOfFinishedWork({ decision }: Pass): boolean {
	return decision?.reason === "next work begins" || decision?.reason === "turn begins";
}

/** Returns true if a pass has to be made; otherwise it is made only because the cache is cold. */
function isDue(input: PlanInput): boolean {
	return input.lowWaterTokens !== undefined || totalTokens(input) > input.budget;
}

/** Placeholders keep the calls and free less, so the policy is asked for more of them up to this often. */
const MAX_ROUNDS = 4;

/** Placeholders for outputs that the policy would evict, as many as it takes to come down to so many tokens. */
function planPlaceholders(
	policy: Policy,
	input: PlanInput,
	plain: Pass,
	target: number,
): readonly Reduction[] {
	let fades: readonly Reduction[] = [];
	let chosen = plain;
	let asked = target;
	for (let round = 0; round < MAX_ROUNDS; round++) {
		const taken = new Set(itemsOf(chosen));
		fades = planFades(input, "placeholder", plain.before, target, taken);
		const missing = (fadePass(input, plain.policy, plain.before, fades)?.after ?? plain.before) - target;
		if (missing <= 0) break;
		asked -= 1.5 * missing;
		const deeper = policy.plan(downTo(policy, input, asked));
		if (!deeper || deeper.after >= chosen.after) break;
		chosen = deeper;
	}
	return fades;
}

/** The input of a plan that stops at a size. A policy without a low water stops at its budget. */
function downTo(policy: Policy, input: PlanInput, tokens: number): PlanInput {
	return policy.limits ? { ...input, lowWaterTokens: tokens } : { ...input, budget: tokens };
}

/** The pass that fades and then evicts down to so many tokens. */
function evictRest(policy: Policy, input: PlanInput, plain: Pass, faded: Pass, target: number): Pass {
	// Fading may reach the budget but not low water: the second plan is asked for that size, not for the budget.
	const next = { ...input, view: viewAfter(input.view, faded), lowWaterTokens: target };
	const rest = faded.after > target ? policy.plan(next) : undefined;
	const taken = new Set(rest && itemsOf(rest));
	const fades = (faded.reductions ?? []).filter(({ item }) => !taken.has(item));
	const { reductions: _reductions, ...evicted } = rest ?? faded;
	const { budget, before, decision } = plain;
	const pass: Pass = { ...evicted, budget, before, ...(fades.length > 0 && { reductions: fades }) };
	return decision ? decidePass(input, pass, decision.reason) : pass;
}

function itemsOf({ strips }: Pass): readonly ItemId[] {
	return strips.flatMap(({ items }) => items);
}

/** A pass that only fades, down to low water although none is due; undefined if that is not worth a cut. */
export function planFadePass(policy: Policy, input: PlanInput): Pass | undefined {
	const before = totalTokens(input);
	const fades = planFades(input, "on", before, lowWaterOf(policy, input));
	const pass = fadePass(input, policy.name, before, fades);
	return pass && isWorthwhile(input, before, pass.after) ? forfeitThinking(input, pass) : undefined;
}
