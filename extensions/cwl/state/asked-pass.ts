/** The pass that the pressure of a request asks for: because of its zone, a spike or an open alert. */
import type { PlanInput } from "#core/planning";
import { enterZone, isClosing, planZonePass } from "#pi/add-ons";
import { pressureOf } from "./gauge.ts";
import { type LastRequest, sizeOf } from "./last-request.ts";
import type { RequestContext } from "./request-context.ts";

/** Compares the request of this input with the last one. Changes nothing, so that a preview asks it too. */
export function planAskedPass(request: RequestContext, input: PlanInput, { zone, asksPass }: LastRequest) {
	const { sizes, settings, plan } = request;
	const { actions } = settings.zones;
	const size = sizeOf(input);
	const { before, sealed } = size.burn;
	const earlier = sizes.part(before, sealed.before);
	const state = enterZone(zone, pressureOf(request, size), earlier, actions);
	const isAsked = asksPass || (actions.spike === "pass" && isClosing(input.graph.history.growth, size));
	const { action = "nothing" } = state.change ?? {};
	const asked = action === "nothing" && isAsked ? "early pass" : action;
	return { state, pass: planZonePass(plan.policy, input, asked) };
}
