/** The ends of the footer's zones as people write them: three shares of the budget, rising. */
import type { ZoneEnds } from "#core";
import { CwlError } from "../errors.ts";

/**
 * A list, or the same with commas as the environment has it.
 * @throws CwlError `bad-zones` naming what was found and what is allowed
 */
export function readZones(raw: unknown): ZoneEnds {
	const parts: unknown = typeof raw === "string" ? raw.split(",").map(Number) : raw;
	if (Array.isArray(parts) && parts.length === 3) {
		const [green, yellow, orange]: readonly unknown[] = parts;
		if (isShare(green) && isShare(yellow) && isShare(orange) && green < yellow && yellow < orange)
			return [green, yellow, orange];
	}
	throw new CwlError(
		"bad-zones",
		`zones is ${JSON.stringify(raw)}: use where green, yellow and orange end, as three rising shares of the budget ` +
			"from 0 to 1, such as [0.5, 0.75, 0.9].",
	);
}

function isShare(value: unknown): value is number {
	return typeof value === "number" && value > 0 && value <= 1;
}

/** `readZones` reads the same back. */
export function formatZones(ends: ZoneEnds): string {
	return ends.join(",");
}
