/** The zone of the last request, and what a change of zone brings. */
import type { Pressure, Zone } from "#core/health";
import type { ZoneAction, ZoneActions } from "./zones.ts";

/** A request is in another zone than the one before it; sizes in the tokens of the provider. */
export interface ZoneChange extends Pick<Pressure, "used" | "budget" | "level" | "velocity"> {
	readonly from: Zone;
	readonly to: Zone;
	readonly turnsToRed: number | null;
	/** The action that the setting `zones` asks for; `nothing` when the zone fell. */
	readonly action: ZoneAction;
}

/** The context began to grow three times as fast as before; in the tokens of the provider. */
export interface Spike extends Pick<Pressure, "used" | "budget" | "velocity" | "zone"> {
	readonly baseline: number;
}

/** The zone of a request and if its context spikes, and the news since the request before it. */
export interface ZoneState extends Pick<Pressure, "zone" | "isSpike"> {
	readonly change?: ZoneChange | undefined;
	/** The spike that began with this request. */
	readonly spike?: Spike | undefined;
	/** The action that the settings ask for; back to `nothing` once done. */
	readonly action: ZoneAction;
}

const rising: readonly Zone[] = ["green", "yellow", "orange", "red"];

/**
 * Compares a request with the one before it, which is undefined where it is unknown.
 * @param baseline tokens that earlier requests added, in the provider's tokens
 */
export function enterZone(
	last: ZoneState | undefined,
	{ zone, used, budget, level, velocity, turnsToRed, isSpike }: Pressure,
	baseline: number,
	actions: ZoneActions,
): ZoneState {
	const before: ZoneState = last ?? { zone, isSpike, action: "nothing" };
	const spike = isSpike && !before.isSpike ? { velocity, baseline, used, budget, zone } : undefined;
	if (before.zone === zone) {
		// A nudge waits for the next tool result, which may belong to a later request.
		return { zone, isSpike, spike, action: before.action === "nudge" ? before.action : "nothing" };
	}
	const hasRisen = rising.indexOf(zone) > rising.indexOf(before.zone);
	const action = zone === "green" || !hasRisen ? "nothing" : actions[zone];
	const size = { used, budget, level, velocity, turnsToRed: turnsToRed ?? null };
	return { zone, isSpike, spike, change: { from: before.zone, to: zone, ...size, action }, action };
}
