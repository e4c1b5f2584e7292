/** Zones that act on the history: the pass that one asks for. */
import { planFadePass } from "#core/add-ons";
import type { BurnRate } from "#core/health";
import type { Pass } from "#core/log";
import {
	decidePass,
	isWorthwhileEarly,
	type PlanInput,
	type Policy,
	pays,
	planManualPass,
} from "#core/planning";
import type { ZoneAction } from "./zones.ts";

/** So many steps at the present rate are foreseen: a pass at the ceiling would come as soon anyway. */
const FORESEEN_STEPS = 2;

interface GrowingSize {
	readonly tokens: number;
	readonly ceiling: number;
	readonly burn: Pick<BurnRate, "recent" | "isSteep">;
}

/**
 * Returns true if a context accelerates and is about to pass its ceiling; sizes in tokens that we count.
 * @param growth tokens that each request added
 */
export function isClosing(growth: readonly number[], { tokens, ceiling, burn }: GrowingSize): boolean {
	const rate = Math.max(burn.recent, growth.at(-1) ?? 0);
	return burn.isSteep && tokens + FORESEEN_STEPS * rate > ceiling;
}

/**
 * The pass that pressure asks for: down to low water although none is due. An early pass is made only if it pays for itself, and by
 * policies that make passes below the budget. Undefined for other actions, and when nothing may leave.
 */
export function planZonePass(
	policy: Policy,
	input: PlanInput,
	action: ZoneAction | "early pass",
): Pass | undefined {
	if (action === "nothing" || action === "nudge") return undefined;
	if (action === "early pass" && !(policy.passesEarly && input.lowWater !== "quality")) return undefined;
	if (action === "fade") return planFadePass(policy, input);
	const planned = planManualPass(policy, input);
	const pass = planned && { ...planned, policy: policy.name };
	if (!pass || action === "pass") return pass;
	if (!isWorthwhileEarly(input, pass.before, pass.after)) return undefined;
	const decided = decidePass(input, pass, "pays for itself");
	return pays(input, decided) ? decided : undefined;
}
