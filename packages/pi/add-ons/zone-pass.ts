/** Zones that act on the history: whether the context has risen into one, and the pass that it asks for. */
import { planFadePass } from "#core/add-ons";
import type { BurnRate, Zone } from "#core/health";
import type { Pass } from "#core/log";
import { decidePass, isWorthwhileEarly, pays, planManualPass } from "#core/planning";
import type { HostMessage } from "../codec/host-message.ts";
import type { ManagedSession, RequestSettings } from "../session/managed-session.ts";
import type { ZoneAction } from "./zones.ts";

const rising: readonly Zone[] = ["green", "yellow", "orange", "red"];

/** Returns true if a context has come from one zone into a fuller one. */
export function hasRisen(from: Zone, to: Zone): boolean {
	return rising.indexOf(to) > rising.indexOf(from);
}

/** So many steps at the present rate are foreseen: a pass at the mark would come as soon anyway. */
const FORESEEN_STEPS = 2;

/**
 * Returns true if a context accelerates and is about to pass its mark; sizes in tokens that we count.
 * @param growth tokens that each request added
 */
export function isClosing(
	growth: readonly number[],
	{ tokens, mark, burn }: { readonly tokens: number; readonly mark: number; readonly burn: BurnRate },
): boolean {
	const rate = Math.max(burn.recent, growth.at(-1) ?? 0);
	return burn.isSpike && tokens + FORESEEN_STEPS * rate > mark;
}

/**
 * The pass that pressure asks for: down to low water although none is due. A paying pass is made only if it pays for itself, and by
 * policies that make passes below the budget. Undefined for other actions, and when nothing may leave.
 */
export function planZonePass(
	session: Pick<ManagedSession, "planInput">,
	messages: readonly HostMessage[],
	settings: RequestSettings,
	action: ZoneAction | "paying pass",
): Pass | undefined {
	const { policy, lowWater } = settings;
	if (action === "nothing" || action === "nudge") return undefined;
	if (action === "paying pass" && !(policy.passesEarly && lowWater !== "quality")) return undefined;
	const input = session.planInput(messages, settings);
	if (action === "fade") return planFadePass(policy, input);
	const planned = planManualPass(policy, input);
	const pass = planned && { ...planned, policy: policy.name };
	if (!pass || action === "pass") return pass;
	if (!isWorthwhileEarly(input, pass.before, pass.after)) return undefined;
	const decided = decidePass(input, pass, "pays for itself");
	return pays(input, decided) ? decided : undefined;
}
