/** How large the output of a tool may be when it arrives: as the setting says, and so that a request can hold it. */

import { type Static, Type } from "typebox";
import { readParts } from "../setting.ts";

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
	/** The tokens that the outputs of one answer may have together; absent if the window is unknown. */
	readonly room?: number;
}

export const noOutputLimits: OutputLimits = { [ANY_TOOL]: 0 };

/** The limit of a tool in tokens; 0 for none. */
export function outputLimit(limits: OutputLimits, tool: string): number {
	const name = tool.toLowerCase();
	return (Object.hasOwn(limits, name) ? limits[name] : limits[ANY_TOOL]) ?? 0;
}

/** Shares of what is free: a new room, and the smallest that a room may come to before a new one replaces it. */
const NEW_ROOM = 0.9;
const SMALLEST_ROOM = 0.8;

/**
 * The room for the outputs of one answer where so many tokens are free; the one in force as long as it suits, so that few
 * requests begin a new rule.
 */
export function roomIn(free: number, inForce = 0): number {
	return inForce <= free && inForce >= SMALLEST_ROOM * free ? inForce : Math.floor(NEW_ROOM * free);
}

/** The most that each of several sizes may have so that their sum fits into the room; Infinity if it does. */
export function shareOf(room: number, sizes: readonly number[]): number {
	let left = room;
	for (const [index, size] of [...sizes].sort((a, b) => a - b).entries()) {
		const share = Math.floor(left / (sizes.length - index));
		if (size > share) return share;
		left -= size;
	}
	return Infinity;
}

/** Reads `off`, tokens for all tools, limits by tool, or both, as in `8k,bash=4k`. */
export function parseOutputLimits(raw: unknown): OutputLimits | undefined {
	const { words, values } = readParts(raw) ?? { words: [""], values: [] };
	const [any = "off", ...more] = words;
	const limits = [[ANY_TOOL, any] as const, ...values].map(([tool, limit]) => {
		return [tool.toLowerCase(), parseLimit(limit)] as const;
	});
	const isRead = more.length === 0 && limits.every(([, limit]) => limit !== undefined);
	return isRead ? Object.fromEntries(limits.map(([tool, limit = 0]) => [tool, limit])) : undefined;
}

function parseLimit(limit: string): number | undefined {
	if (limit === "off") return 0;
	const [, digits, kilo] = /^(\d+)(k?)$/i.exec(limit) ?? [];
	return digits === undefined ? undefined : Number(digits) * (kilo ? 1_000 : 1);
}

/** `parseOutputLimits` reads the same back. */
export function formatOutputLimits(limits: OutputLimits): string {
	const { [ANY_TOOL]: any = 0, ...tools } = limits;
	const named = Object.entries(tools).map(([tool, limit]) => `${tool}=${limit || "off"}`);
	return [any || "off", ...named].join(",");
}
