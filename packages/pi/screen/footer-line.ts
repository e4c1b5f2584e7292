/** The footer: one line that says how full the context is, and how long it will last. */
import type { Pressure, Zone } from "#core/health";
import { formatTokens } from "../settings/budget.ts";
import { shorten, widthOf } from "./columns.ts";
import { countOf } from "./count-of.ts";

export interface Footer {
	readonly pressure: Pressure;
	/** Of the last request, what the provider read from its cache; undefined until it reports. */
	readonly cachedShare: number | undefined;
	/** Requests for which the provider dropped thinking; 0 when left out. */
	readonly droppedThinking?: number;
	/** The zone that the last request came from, where it crossed into another. */
	readonly from?: Zone;
	/** The size of the last pass, undefined before any. */
	readonly lastPass: { readonly freed: number; readonly episodes: number } | undefined;
}

/** Puts the colour of a zone on a piece of text, without a column more. */
export type Paint = (zone: Zone, text: string) => string;

const plain: Paint = (_zone, text) => text;

/** As much of the footer as `width` columns hold, what matters most first. */
export function footerLine(footer: Footer, width: number, paint: Paint = plain): string {
	const { used, budget, level, zone, source } = footer.pressure;
	const about = source === "estimated" ? "~" : "";
	const head = shorten(
		`cwl ${about}${formatTokens(used)}/${formatTokens(budget)} ${Math.round(100 * level)}%`,
		width,
	);
	let left = width - widthOf(head);
	const rest: string[] = [];
	for (const part of parts(footer)) {
		left -= widthOf(part) + SEPARATOR.length;
		if (left < 0) break;
		rest.push(part);
	}
	return [paint(zone, head), ...rest].join(SEPARATOR);
}

const SEPARATOR = " · ";

function parts({ pressure, cachedShare, droppedThinking = 0, from, lastPass }: Footer): readonly string[] {
	const { velocity, turnsToPass, isSpike } = pressure;
	const growth = `+${formatTokens(velocity)}/turn${isSpike ? "!" : ""}`;
	return [
		...(droppedThinking > 0 ? [`thinking dropped ×${droppedThinking}`] : []),
		...(from === undefined ? [] : [`${from} > ${pressure.zone}`]),
		...(velocity > 0 ? [growth] : []),
		...(turnsToPass === undefined ? [] : [describeTurns(turnsToPass)]),
		...(cachedShare === undefined ? [] : [`${Math.round(100 * cachedShare)}% cached`]),
		...(lastPass ? [describePass(lastPass)] : []),
	];
}

function describeTurns(turns: number): string {
	if (turns === 0) return "pass due";
	return turns > 99 ? "pass in 99+" : `pass in ${turns}`;
}

/** One pass in a few words: `-12k (2 episodes)`. */
function describePass({ freed, episodes }: NonNullable<Footer["lastPass"]>): string {
	return `-${formatTokens(freed)} (${countOf(episodes, "episode")})`;
}
