/** Soft limits: shares of the budget that a component of the context may take before somebody is told. */
import { type Static, Type } from "typebox";
import type { Ledger } from "#core/ledger";

export type Component = Exclude<keyof Ledger, "total">;

/** In the order of the ledger. */
export const components: readonly Component[] = [
	...(["system", "tools", "prologue", "user"] as const),
	...(["expl", "act", "unannotated", "markers"] as const),
];

const Limit = Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 1 }));
const limitsByComponent = { system: Limit, tools: Limit, prologue: Limit, user: Limit };
const limitsOfWork = { expl: Limit, act: Limit, unannotated: Limit, markers: Limit };

/** A component without a limit may take all of the budget. */
export const LimitsSchema = Type.Object(
	{ ...limitsByComponent, ...limitsOfWork } satisfies Record<Component, unknown>,
	{ additionalProperties: false },
);
export type ComponentLimits = Readonly<Static<typeof LimitsSchema>>;

/** Work has no limit, because passes evict it; what never leaves has to leave room for it. */
export const defaultLimits: ComponentLimits = {
	system: 0.2,
	tools: 0.2,
	prologue: 0.25,
	user: 0.33,
	markers: 0.15,
};

/** An object, or `tools=0.2,user=0.5` as a variable holds it; a component that it does not name keeps its default. */
export function parseLimits(raw: unknown): unknown {
	const given = typeof raw === "string" ? parseList(raw) : raw;
	if (typeof given !== "object" || given === null || Array.isArray(given)) return undefined;
	return { ...defaultLimits, ...given };
}

function parseList(text: string): Readonly<Record<string, number>> {
	const pairs = text.split(",").map((part) => part.split("="));
	return Object.fromEntries(pairs.map(([name = "", share = ""]) => [name.trim(), Number(share)]));
}

/** In the order of the ledger; `parseLimits` reads the same back. */
export function formatLimits(limits: ComponentLimits): string {
	return components
		.flatMap((name) => (limits[name] === undefined ? [] : [`${name}=${limits[name]}`]))
		.join(",");
}

/** A component that is over its limit. */
interface Excess {
	readonly component: Component;
	/** Tokens that we count. */
	readonly tokens: number;
	readonly limit: number;
}

/** Components over their limits, in the order of the ledger. */
export function findExcess(ledger: Ledger, budget: number, limits: ComponentLimits): readonly Excess[] {
	return components.flatMap((component) => {
		const limit = limits[component] ?? 1;
		const tokens = ledger[component];
		return limit < 1 && tokens > limit * budget ? [{ component, tokens, limit }] : [];
	});
}
