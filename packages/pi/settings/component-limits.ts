/** Soft limits: shares of the budget that a component of the context may take before somebody is told. */
import type { Ledger } from "#core";
import { CwlError } from "../errors.ts";

export type Component = Exclude<keyof Ledger, "total">;

/** A component without a limit may take all of the budget. */
export type ComponentLimits = Readonly<Partial<Record<Component, number>>>;

/** In the order of the ledger. */
export const components: readonly Component[] = [
	...(["system", "tools", "prologue", "user"] as const),
	...(["expl", "act", "unannotated", "markers"] as const),
];

/** Work has none, since passes see to it; what never leaves has to leave room for it. */
export const defaultLimits: ComponentLimits = {
	system: 0.2,
	tools: 0.2,
	prologue: 0.25,
	user: 0.33,
	markers: 0.15,
};

/**
 * An object, or `tools=0.2,user=0.5` as the environment has it; what it does not name keeps its default.
 * @throws CwlError `bad-limits` naming what was found and what is allowed
 */
export function readLimits(raw: unknown): ComponentLimits {
	const given = typeof raw === "string" ? parseList(raw) : raw;
	if (typeof given !== "object" || given === null || Array.isArray(given)) throw badLimits(raw);
	const entries = Object.entries(given).map(([name, share]: readonly [string, unknown]) => {
		const component = components.find((known) => known === name);
		if (!component || typeof share !== "number" || !(share > 0 && share <= 1)) throw badLimits(raw);
		return [component, share] as const;
	});
	return { ...defaultLimits, ...Object.fromEntries(entries) };
}

function parseList(text: string): Readonly<Record<string, number>> {
	const pairs = text.split(",").map((part) => part.split("="));
	return Object.fromEntries(pairs.map(([name = "", share = ""]) => [name.trim(), Number(share)]));
}

function badLimits(raw: unknown): CwlError {
	return new CwlError(
		"bad-limits",
		`limits is ${JSON.stringify(raw)}: use shares of the budget above 0 and up to 1 (no limit) for any of ` +
			`${components.join(", ")}, such as {"tools": 0.2}.`,
	);
}

/** In the order of the ledger; `readLimits` reads the same back. */
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
