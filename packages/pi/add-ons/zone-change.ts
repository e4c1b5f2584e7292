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

/** The zone of a request, the one that it came from where it crossed, and what the settings ask for then. */
export interface ZoneState {
	readonly zone: Zone;
	readonly from?: Zone | undefined;
	readonly isSpike: boolean;
	/** The spike that began with this request. */
	readonly spike?: Spike | undefined;
	/** Back to `nothing` once done. */
	readonly action: ZoneAction;
}

const rising: readonly Zone[] = ["green", "yellow", "orange", "red"];

/** Returns true if a context has come from one zone into a fuller one. */
function hasRisen(from: Zone, to: Zone): boolean {
	return rising.indexOf(to) > rising.indexOf(from);
}

/**
 * Compares a request with the one before it, which is undefined where it is unknown. A change of zone has the action for this request.
 * @param baseline tokens that earlier requests added, in the provider's tokens
 */
export function enterZone(
	last: ZoneState | undefined,
	{ zone, used, budget, level, velocity, turnsToRed, isSpike }: Pressure,
	baseline: number,
	actions: ZoneActions,
): { readonly state: ZoneState; readonly change: ZoneChange | undefined } {
	const before: ZoneState = last ?? { zone, isSpike, action: "nothing" };
	const spike = isSpike && !before.isSpike ? { velocity, baseline, used, budget, zone } : undefined;
	if (before.zone === zone) {
		// A nudge waits for the next tool result, which may belong to a later request.
		const action = before.action === "nudge" ? before.action : "nothing";
		return { state: { zone, isSpike, spike, action }, change: undefined };
	}
	const action = zone === "green" || !hasRisen(before.zone, zone) ? "nothing" : actions[zone];
	const size = { used, budget, level, velocity };
	const change = { from: before.zone, to: zone, ...size, action, turnsToRed: turnsToRed ?? null };
	return { state: { zone, isSpike, spike, from: before.zone, action }, change };
}
