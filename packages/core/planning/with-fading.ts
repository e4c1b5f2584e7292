/** A policy that fades outputs first, and evicts only what fading does not free. */
import { totalTokens } from "../ledger/ledger.ts";
import type { Fade, Pass } from "../log/pass.ts";
import { forfeitThinking } from "../thinking/forfeit.ts";
import type { ItemId } from "../transcript/transcript.ts";
import { withDecision } from "./batch-policy.ts";
import { type FadingMode, fadePass, inputAfter, planFades } from "./fading.ts";
import { lowWaterOf } from "./manual-pass.ts";
import type { PlanInput, Policy } from "./policy.ts";
import { isWorthwhile, wasJustMade } from "./worthwhile.ts";

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
			if (!plain || plain.strips.length === 0) return plain;
			// A pass that could not keep to the budget may do so with fading.
			const target = Math.min(plain.after, input.budget);
			const fades =
				mode === "on"
					? planFades(input, "on", plain.before, target)
					: planPlaceholders(policy, input, plain, target);
			const faded = fadePass(input, plain.policy, plain.before, fades);
			if (!faded) return plain;
			const pass = evictRest(policy, input, plain, faded, target);
			// What is left to evict may be too little for a pass of its own, and too much for the budget.
			return pass.after > Math.max(input.budget, plain.after) ? plain : pass;
		},
	};
}

/** Returns true if a pass has to be made; otherwise it is made only because the cache is cold. */
function isDue({ graph, view, fixed, budget, lowWaterTokens }: PlanInput): boolean {
	return lowWaterTokens !== undefined || totalTokens(graph, view, fixed) > budget;
}

/** Without their calls outputs free less, so the policy is asked for more of them up to this often. */
const MAX_ROUNDS = 4;

/** Placeholders for outputs that the policy would evict, as many as it takes to come down to so many tokens. */
function planPlaceholders(policy: Policy, input: PlanInput, plain: Pass, target: number): readonly Fade[] {
	let fades: readonly Fade[] = [];
	let [chosen, asked] = [plain, target];
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
	return policy.lowWater ? { ...input, lowWaterTokens: tokens } : { ...input, budget: tokens };
}

/** The pass that fades and then evicts down to so many tokens. */
function evictRest(policy: Policy, input: PlanInput, plain: Pass, faded: Pass, target: number): Pass {
	// Fading may reach the budget but not low water: the second plan is asked for that size, not for the budget.
	const rest =
		faded.after > target ? policy.plan({ ...inputAfter(input, faded), lowWaterTokens: target }) : undefined;
	const taken = new Set(rest && itemsOf(rest));
	const fades = (faded.fades ?? []).filter(({ item }) => !taken.has(item));
	const { fades: _fades, ...evicted } = rest ?? faded;
	const { budget, before, decision } = plain;
	const pass: Pass = { ...evicted, budget, before, ...(fades.length > 0 && { fades }) };
	if (!decision) return pass;
	const decided = withDecision(input, pass);
	return { ...decided, decision: { ...decided.decision, reason: decision.reason } };
}

function itemsOf({ strips }: Pass): readonly ItemId[] {
	return strips.flatMap(({ items }) => items);
}

/** A pass that only fades, down to low water although none is due; undefined if that is not worth a cut. */
export function planFadePass(policy: Policy, input: PlanInput): Pass | undefined {
	const before = totalTokens(input.graph, input.view, input.fixed);
	const fades = planFades(input, "on", before, lowWaterOf(policy, input));
	const pass = fadePass(input, policy.name, before, fades);
	return pass && isWorthwhile(input, before, pass.after) ? forfeitThinking(input, pass) : undefined;
}
