/** The zones of pressure as people write them: where they end, and what the extension does when the context rises into one. */

import { defaultZoneEnds, type Zone, type ZoneEnds, zoneEndsFor } from "#core/health";
import { defineSetting, readParts } from "../setting.ts";

/** The value that takes the ends from the size of the model's window. */
const BY_WINDOW = "by-window";

/**
 * Does nothing, adds a line to the next tool result, or makes a pass before the next request, which only fades outputs or
 * evicts.
 */
const actionNames = ["nothing", "nudge", "fade", "pass"] as const;
export type ZoneAction = (typeof actionNames)[number];

export interface ZoneActions extends Readonly<Record<Exclude<Zone, "green">, ZoneAction>> {
	/** A spike that is about to pass the ceiling asks for a pass, which is made only if it pays for itself. */
	readonly spike: "nothing" | "pass";
}

export interface Zones {
	readonly ends: ZoneEnds | typeof BY_WINDOW;
	readonly actions: ZoneActions;
}

const usualActions: ZoneActions = { yellow: "nothing", orange: "nothing", red: "nothing", spike: "pass" };
const defaultZones: Zones = { ends: defaultZoneEnds, actions: usualActions };

/** Ends an error message that begins with "use". */
const zonesAllowed = `where green, yellow and orange end, as three rising shares of the budget from 0 to 1 or ${BY_WINDOW}, and an action (${actionNames.join(", ")}) for any of yellow, orange, red, or spike=nothing, such as "0.5,0.75,0.9,red=pass"`;

/** Reads the ends of three zones, actions by zone, or both. */
function parseZones(raw: unknown): Zones | undefined {
	const parts = readParts(raw);
	const ends = parts && readEnds(parts.words);
	if (!ends || !parts.values.every(isAction)) return undefined;
	return { ends, actions: { ...usualActions, ...Object.fromEntries(parts.values) } };
}

function isAction([zone, action]: readonly [zone: string, action: string]): boolean {
	const allowed = zone === "spike" ? ["nothing", "pass"] : actionNames;
	return Object.hasOwn(usualActions, zone) && allowed.some((each) => each === action);
}

/** Undefined for what is no list of three shares that rise. */
function readEnds(words: readonly string[]): Zones["ends"] | undefined {
	if (words.length === 0) return defaultZoneEnds;
	if (words.length === 1 && words[0] === BY_WINDOW) return BY_WINDOW;
	const [green = 0, yellow = 0, orange = 0, ...more] = words.map(Number);
	const rises = 0 < green && green < yellow && yellow < orange && orange <= 1;
	return rises && more.length === 0 ? [green, yellow, orange] : undefined;
}

function formatZones({ ends, actions }: Zones): string {
	const usual: ReadonlyMap<string, string> = new Map(Object.entries(usualActions));
	const own = Object.entries(actions).filter(([zone, action]) => action !== usual.get(zone));
	return [ends, ...own.map(([zone, action]) => `${zone}=${action}`)].flat().join(",");
}

/** The window that is assumed while the model's own is unknown; in tokens. */
const ASSUMED_WINDOW = 128_000;

/** The ends in force under a model with this window. */
export function resolveZones({ ends }: Pick<Zones, "ends">, contextWindow = ASSUMED_WINDOW): ZoneEnds {
	return ends === BY_WINDOW ? zoneEndsFor(contextWindow) : ends;
}

export const zonesSetting = defineSetting({
	default: defaultZones,
	allowed: zonesAllowed,
	parse: parseZones,
	format: formatZones,
	choices: [BY_WINDOW],
	cost: "pass in every zone costs 13 % more; fade 20 % more, and keeps 89 instead of 91.6 % of edits (budget 40k)",
});
