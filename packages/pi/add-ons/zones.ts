/** The zones of pressure as people write them: where they end, and what the extension does when the context rises into one. */

import { type Static, Type } from "typebox";
import { Check } from "typebox/value";
import { isRecord, type UnknownRecord } from "#basics";
import { defaultZoneEnds, type Zone, type ZoneEnds, zoneEndsFor } from "#core/health";
import { defineSetting } from "../setting.ts";

/** The value that takes the ends from the size of the model's window. */
const BY_WINDOW = "by-window";

/**
 * Does nothing, adds a line to the next tool result, or makes a pass before the next request, which only fades outputs or
 * evicts.
 */
const actionNames = ["nothing", "nudge", "fade", "pass"] as const;
export type ZoneAction = (typeof actionNames)[number];

const Share = Type.Number({ exclusiveMinimum: 0, maximum: 1 });
const Action = Type.Enum([...actionNames]);
const ActionsSchema = Type.Object(
	{
		...({ yellow: Action, orange: Action, red: Action } satisfies Record<Exclude<Zone, "green">, unknown>),
		/** A spike that is about to pass the ceiling asks for a pass, which is made only if it pays for itself. */
		spike: Type.Enum(["nothing", "pass"]),
	},
	{ additionalProperties: false },
);
export type ZoneActions = Readonly<Static<typeof ActionsSchema>>;

const ZonesSchema = Type.Object({
	ends: Type.Unsafe<ZoneEnds | typeof BY_WINDOW>(
		Type.Union([Type.Tuple([Share, Share, Share]), Type.Literal(BY_WINDOW)]),
	),
	actions: ActionsSchema,
});
type Zones = Readonly<Static<typeof ZonesSchema>>;

const usualActions: ZoneActions = { yellow: "nothing", orange: "nothing", red: "nothing", spike: "pass" };
const defaultZones: Zones = { ends: defaultZoneEnds, actions: usualActions };

/** Ends an error message that begins with "use". */
const zonesAllowed = `where green, yellow and orange end, as three rising shares of the budget from 0 to 1 or ${BY_WINDOW}, and an action (${actionNames.join(", ")}) for any of yellow, orange, red, or spike=nothing, such as "0.5,0.75,0.9,red=pass" or {"ends": [0.5, 0.75, 0.9], "red": "pass"}`;

/** An object with `ends` and a zone's action by its name, or a list of shares and `red=pass`, with commas where it is a text. */
function parseZones(raw: unknown): Zones | undefined {
	const { ends = defaultZoneEnds, ...actions } = isRecord(raw) ? raw : readList(raw);
	const zones = {
		ends: readEnds(Array.isArray(ends) ? ends : [ends]),
		actions: { ...usualActions, ...actions },
	};
	return Check(ZonesSchema, zones) ? zones : undefined;
}

function readList(raw: unknown): UnknownRecord {
	const parts: readonly unknown[] =
		typeof raw === "string" ? raw.split(",") : Array.isArray(raw) ? raw : [raw];
	const isAction = (part: unknown) => typeof part === "string" && part.includes("=");
	const actions = parts.filter(isAction).map((part) => `${part}`.trim().split(/\s*=\s*/));
	const ends = parts.filter((part) => !isAction(part));
	return { ...Object.fromEntries(actions), ...(ends.length > 0 && { ends }) };
}

/** Undefined for shares that do not rise. */
function readEnds(parts: readonly unknown[]): unknown {
	if (parts.length === 1 && parts[0] === BY_WINDOW) return BY_WINDOW;
	const ends = parts.map((part) => (typeof part === "string" ? Number(part) : part));
	const rises = ends.every((end, at) => at === 0 || Number(ends[at - 1]) < Number(end));
	return rises ? ends : undefined;
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
