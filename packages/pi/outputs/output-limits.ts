/** The setting that says how large the output of a tool may be when it arrives. */
import { type Static, Type } from "typebox";

/** The limit of every tool that has none of its own. */
export const ANY_TOOL = "*";

/** Tokens by tool name in lower case; 0 leaves the outputs of a tool as they are. */
export const OutputLimitsSchema = Type.Record(Type.String(), Type.Integer({ minimum: 0 }));
export type OutputLimits = Readonly<Static<typeof OutputLimitsSchema>>;

/** A limit that is in force from a place in the session on. A change of the setting makes a new rule. */
export interface OutputRule {
	/** The name of the last message that it leaves alone. */
	readonly after: string;
	readonly limits: OutputLimits;
}

export const noOutputLimits: OutputLimits = { [ANY_TOOL]: 0 };

/** The limit of a tool in tokens; 0 for none. */
export function outputLimit(limits: OutputLimits, tool: string): number {
	const name = tool.toLowerCase();
	return (Object.hasOwn(limits, name) ? limits[name] : limits[ANY_TOOL]) ?? 0;
}

/** `off`, a number of tokens for all tools, an object by tool, or `8k,bash=4k` as a variable holds it. */
export function parseOutputLimits(raw: unknown): unknown {
	if (raw === "off" || raw === false) return noOutputLimits;
	if (typeof raw === "number") return { [ANY_TOOL]: raw };
	const given = typeof raw === "string" ? parseList(raw) : raw;
	if (typeof given !== "object" || given === null || Array.isArray(given)) return undefined;
	const limits = Object.entries(given).map(([tool, limit]) => [tool.trim().toLowerCase(), parseLimit(limit)]);
	return { ...noOutputLimits, ...Object.fromEntries(limits) };
}

function parseList(text: string): Readonly<Record<string, unknown>> {
	const pairs = text.split(",").map((part) => part.split("="));
	return Object.fromEntries(
		pairs.map(([name = "", limit]) => (limit === undefined ? [ANY_TOOL, name] : [name, limit])),
	);
}

function parseLimit(limit: unknown): unknown {
	if (limit === "off" || limit === false) return 0;
	if (typeof limit !== "string") return limit;
	const [, digits, kilo] = /^\s*(\d+)(k?)\s*$/i.exec(limit) ?? [];
	return digits === undefined ? limit : Number(digits) * (kilo ? 1_000 : 1);
}

/** `parseOutputLimits` reads the same back. */
export function formatOutputLimits(limits: OutputLimits): string {
	const { [ANY_TOOL]: any = 0, ...tools } = limits;
	const named = Object.entries(tools).map(([tool, limit]) => `${tool}=${limit || "off"}`);
	return [any || "off", ...named].join(",");
}
