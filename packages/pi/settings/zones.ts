/** The zones of pressure as people write them: where they end, and what the extension does when one begins. */
import { type Static, Type } from "typebox";
import { type Zone, type ZoneEnds, zoneEndsFor } from "#core/health";

/** The value that takes the ends from the size of the model's window. */
const BY_WINDOW = "by-window";

const Share = Type.Number({ exclusiveMinimum: 0, maximum: 1 });
export const ZonesSchema = Type.Unsafe<ZoneEnds | typeof BY_WINDOW>(
	Type.Union([Type.Tuple([Share, Share, Share]), Type.Literal(BY_WINDOW)]),
);

/** A list, the same with commas as a variable holds it, or `by-window`; undefined for a list that does not rise. */
export function parseZones(raw: unknown): unknown {
	if (raw === BY_WINDOW) return raw;
	const parts: unknown = typeof raw === "string" ? raw.split(",").map(Number) : raw;
	const rises = Array.isArray(parts) && parts.every((part, at) => at === 0 || parts[at - 1] < part);
	return rises ? parts : undefined;
}

export function formatZones(zones: ZoneEnds | typeof BY_WINDOW): string {
	return zones === BY_WINDOW ? zones : zones.join(",");
}

/** The window that is assumed while the model's own is unknown; in tokens. */
const ASSUMED_WINDOW = 128_000;

/** The ends in force under a model with this window. */
export function resolveZones(zones: ZoneEnds | typeof BY_WINDOW, contextWindow = ASSUMED_WINDOW): ZoneEnds {
	return zones === BY_WINDOW ? zoneEndsFor(contextWindow) : zones;
}

/**
 * Does nothing, tells the model in a line of the next tool result, or makes a pass before the next request, which only
 * fades outputs or evicts.
 */
export const zoneActionNames = ["nothing", "nudge", "fade", "pass"] as const;
export type ZoneAction = (typeof zoneActionNames)[number];

const Action = Type.Enum([...zoneActionNames]);
export const ZoneActionsSchema = Type.Object(
	{ yellow: Action, orange: Action, red: Action } satisfies Record<Exclude<Zone, "green">, unknown>,
	{ additionalProperties: false },
);
export type ZoneActions = Readonly<Static<typeof ZoneActionsSchema>>;

export const defaultZoneActions: ZoneActions = { yellow: "nothing", orange: "nothing", red: "nothing" };

/** An object, or `orange=nudge,red=pass` as a variable holds it; a zone that it does not name does nothing. */
export function parseZoneActions(raw: unknown): unknown {
	const given =
		typeof raw === "string"
			? Object.fromEntries(raw.split(",").map((part) => part.split("=").map((word) => word.trim())))
			: raw;
	if (typeof given !== "object" || given === null || Array.isArray(given)) return undefined;
	return { ...defaultZoneActions, ...given };
}

export function formatZoneActions(actions: ZoneActions): string {
	return Object.entries(actions)
		.map(([zone, action]) => `${zone}=${action}`)
		.join(",");
}
