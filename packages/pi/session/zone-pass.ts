/** Zones that act on the history: whether the context has risen into one, and the pass that it asks for. */
import type { Zone } from "#core/health";
import type { Pass } from "#core/log";
import { decidePass, pays, planFadePass, planManualPass } from "#core/planning";
import type { HostMessage } from "../codec/host-message.ts";
import type { ZoneAction } from "../settings/zones.ts";
import type { ManagedSession, RequestSettings } from "./managed-session.ts";

const rising: readonly Zone[] = ["green", "yellow", "orange", "red"];

/** Returns true if a context has come from one zone into a fuller one. */
export function hasRisen(from: Zone, to: Zone): boolean {
	return rising.indexOf(to) > rising.indexOf(from);
}

/** The pass that a zone or a spike asks for, if it pays for itself. */
export type PressureAction = ZoneAction | "paying pass";

/**
 * The pass that a zone or a spike asks for: down to low water although none is due. Undefined for other actions, and when nothing
 * may leave.
 */
export function planZonePass(
	session: Pick<ManagedSession, "planInput">,
	messages: readonly HostMessage[],
	settings: RequestSettings,
	action: PressureAction,
): Pass | undefined {
	if (action === "nothing" || action === "nudge") return undefined;
	const input = session.planInput(messages, settings);
	if (action === "fade") return planFadePass(settings.policy, input);
	const pass = planManualPass(settings.policy, input);
	if (pass && action === "paying pass" && !pays(input, decidePass(input, pass, "over budget")))
		return undefined;
	return pass && { ...pass, policy: settings.policy.name };
}
