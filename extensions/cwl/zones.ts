/** Zones that act: events when the context enters one or grows in a spike, and the action that the user set for it. */
import type { ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";
import { hasRisen, type ZoneAction } from "#pi";
import { emit } from "./events.ts";
import { readPressure } from "./footer.ts";
import type { Runtime } from "./state/runtime.ts";
import type { RequestSize } from "./state/session-state.ts";

/** Compares a request with the one before it; answers what is to be done about a zone that the context has risen to. */
export function enterZone(
	pi: ExtensionAPI,
	runtime: Runtime,
	ctx: ExtensionContext,
	size: Pick<RequestSize, "tokens" | "burn">,
): ZoneAction {
	const { session, settings } = runtime;
	const { zone, used, budget, level, velocity, turnsToRed, isSpike } = readPressure(runtime, ctx, size);
	const before = session.zone;
	// A nudge waits for the next tool result, which may belong to a later request.
	const isSame = before.zone === zone;
	const waiting = isSame && before.action === "nudge" ? "nudge" : "nothing";
	session.zone = { zone, isSpike, from: isSame ? undefined : before.zone, action: waiting };
	const baseline = runtime.scale.part(ctx, size.burn.before);
	if (isSpike && !before.isSpike) emit(pi, "cwl:spike", { velocity, baseline, used, budget, zone });
	if (isSame) return "nothing";
	const { zoneActions } = settings.loaded.settings;
	const action = zone === "green" || !hasRisen(before.zone, zone) ? "nothing" : zoneActions[zone];
	session.zone = { ...session.zone, action };
	emit(pi, "cwl:zone", {
		...{ from: before.zone, to: zone, used, budget, level, velocity, action },
		turnsToRed: turnsToRed ?? null,
	});
	return action;
}
