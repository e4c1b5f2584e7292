/** The metrics that telemetry sends, by the event that they come from: figures, never a text, a path or the name of an episode. */
import type { Events } from "./events.ts";

type Attributes = Readonly<Record<string, string | boolean>>;
type Point = readonly [value: number, attributes?: Attributes];
/** Units are UCUM; braces hold what is counted. docs/health.md describes each metric. */
type Metric<Event> = readonly [
	kind: "counter" | "gauge",
	unit: string,
	points: (event: Event) => readonly Point[],
];

/** A gauge of one figure. */
function gauge<Event>(unit: string, read: (event: Event) => number): Metric<Event> {
	return ["gauge", unit, (event) => [[read(event)]]];
}

/** Values that are no number are not sent. A zero makes a series, so that its first spike or break is seen as a step. */
export const metrics: { readonly [K in keyof Events]: Readonly<Record<string, Metric<Events[K]>>> } = {
	"cwl:request": {
		"cwl.context.tokens": gauge("{token}", ({ used }) => used),
		"cwl.context.budget": gauge("{token}", ({ budget }) => budget),
		"cwl.context.utilization": gauge("1", ({ used, budget }) => used / budget),
		"cwl.context.cached_share": gauge("1", ({ cached, input }) => cached / input),
	},
	"cwl:health": { "cwl.regret.tokens": gauge("{token}", ({ regretted }) => regretted) },
	"cwl:turn": {
		"cwl.window.utilization": gauge("1", ({ utilization }) => utilization),
		"cwl.eviction.rate": gauge("{item}", ({ evictionRate }) => evictionRate),
		"cwl.compression": gauge("1", ({ compressionRatio }) => compressionRatio),
		"cwl.burn.rate": gauge("{token}", ({ burnRate }) => burnRate),
		"cwl.fidelity.in_sight": gauge("1", ({ inSight }) => inSight),
		"cwl.fidelity.retained": gauge("1", ({ retained }) => retained),
		"cwl.tool_results.share": gauge("1", ({ bloat }) => bloat),
		"cwl.spikes": ["counter", "{spike}", () => [[0]]],
	},
	"cwl:spike": { "cwl.spikes": ["counter", "{spike}", () => [[1]]] },
	"cwl:zone": { "cwl.zone.changes": ["counter", "{change}", changeOf] },
	"cwl:account": {
		"cwl.input.tokens": ["counter", "{token}", columnsOf],
		"cwl.prefix.breaks": ["counter", "{break}", ({ isPrefixBreak }) => [[Number(isPrefixBreak)]]],
	},
	"cwl:pass": {
		"cwl.passes": ["counter", "{pass}", ({ policy }) => [[1, { "cwl.policy": policy }]]],
		"cwl.evicted.tokens": ["counter", "{token}", freedBy],
	},
	"cwl:alert": { "cwl.alerts": ["counter", "{alert}", kindOf] },
	"cwl:recall": { "cwl.recalls": ["counter", "{recall}", outcomeOf] },
};

export const eventNames = Object.keys(metrics) as readonly (keyof Events)[];

function changeOf({ from, to }: Events["cwl:zone"]): readonly Point[] {
	return [[1, { "cwl.zone.from": from, "cwl.zone.to": to }]];
}

function columnsOf({ cached, added, rewritten, expired }: Events["cwl:account"]): readonly Point[] {
	const columns = Object.entries({ cached, added, rewritten, expired });
	return columns.map(([column, tokens]) => [tokens, { "cwl.input.column": column }]);
}

function freedBy({ policy, before, after }: Events["cwl:pass"]): readonly Point[] {
	return [[Math.max(0, before - after), { "cwl.policy": policy }]];
}

/** The first word of an id is the kind of the alert; what follows may name an episode. */
function kindOf({ id, grade }: Events["cwl:alert"]): readonly Point[] {
	return [[1, { "cwl.alert.grade": grade, "cwl.alert.kind": id.replace(/ .*$/s, "") }]];
}

function outcomeOf({ by, pages }: Events["cwl:recall"]): readonly Point[] {
	return [[1, { "cwl.recall.by": by, "cwl.recall.found": pages > 0 }]];
}
