/**
 * The single lines among pi's own: the footer, the notice of a pass, a delimiter call as the boundary of an
 * episode.
 */

import { countOf, fieldsOf, formatTokens, listOf, percent } from "#basics";
import type { EpisodeId, Graph } from "#core/graph";
import type { Pressure } from "#core/health";
import { withoutUnsent } from "#core/ledger";
import { createNamer, type Pass, touchedEpisodes } from "#core/log";
import type { HostMessage } from "../codec/host-message.ts";
import type { NextPass } from "../health/next-passes.ts";
import { OTHER_TEXT, otherTextIn } from "../health/state-report.ts";
import { momentText } from "./answers.ts";
import { showTokens } from "./sizes.ts";
import { type Line, plainLine, shorten, span, wholeSpans, widthOf } from "./terminal-text.ts";

export interface Footer {
	readonly pressure: Pressure;
	/** The share of the last request that the provider read from its cache; undefined until it reports. */
	readonly cachedShare: number | undefined;
	/** Requests for which the provider dropped thinking; 0 when left out. */
	readonly droppedThinking?: number;
	/** The nearest pass to come; undefined where none is, and while an agent works. */
	readonly next?: NextPass | undefined;
	/** True while pi's footer says "(auto)" although its compaction is stopped. */
	readonly stopsCompaction?: boolean;
	/** The pass that `/cwl undo` takes back, with its number in the panel and the tokens that it freed, in words; undefined without one. */
	readonly lastPass: { readonly number: number; readonly freed: string } | undefined;
}

/** Returns as much of the footer as `width` columns hold, the most important part first. */
export function footerLine(footer: Footer, width: number): Line {
	const { used, budget, level, zone, source } = footer.pressure;
	const size = showTokens(used, source === "reported");
	const head = shorten(`cwl ${size}/${formatTokens(budget)} ${percent(level, "%")}`, width);
	const others = parts(footer, width - widthOf(`${head} · `));
	return wholeSpans([span(head, zone), ...others.map((text) => span(` · ${text}`))], width);
}

function parts(footer: Footer, room: number): readonly string[] {
	const { pressure, cachedShare, droppedThinking = 0, next, lastPass, stopsCompaction = false } = footer;
	const { velocity, isSpike, source } = pressure;
	const show = (tokens: number) => showTokens(tokens, source === "reported");
	const growth = `${show(velocity)} more a request${isSpike ? " (a spike)" : ""}`;
	return [
		...(next ? [nextText(next, show, room)] : []),
		...(droppedThinking > 0 ? [`thinking dropped ×${droppedThinking}`] : []),
		...(velocity > 0 ? [growth] : []),
		...(cachedShare === undefined ? [] : [`${percent(cachedShare, "%")} cached`]),
		...(lastPass ? [`pass #${lastPass.number}: ${lastPass.freed} less`] : []),
		...(stopsCompaction ? ["pi's auto-compaction stopped"] : []),
	];
}

/** `pass within 7.9k tokens: likely 12k less`, or where that is wider than the room, `within 7.9k: likely 12k less`. */
function nextText(next: NextPass, show: (tokens: number) => string, room: number): string {
	const end = `: ${next.effect ? "" : "likely "}${show(next.freed)} less`;
	const text = `pass ${momentText(next, show)}${end}`;
	if (widthOf(text) <= room) return text;
	const isFull = next.at === "full" || next.at === "no room";
	const due = next.dueIn > 0 ? `within ${show(next.dueIn)}` : "next results";
	return (isFull ? due : next.at) + end;
}

/** Episodes that are named, and columns for each name. */
const NAMED = 2;
const MAX_NAME_LENGTH = 32;

type Session = readonly [Pick<Graph, "episodes" | "reasoning">, readonly HostMessage[]];

/** A pass in one line, with the tokens that it freed and the way back. */
export function describeMadePass(pass: Pass, freed: string, ...session: Session): string {
	const { strips, reductions = [] } = pass;
	const by = touchedEpisodes(pass).size === 0 ? "" : ` from ${nameEpisodes(pass, ...session)}`;
	const reduced = reductions.length === 0 ? "" : `, ${countOf(reductions.length, "output")} reduced`;
	const went = reductions.length > 0 && strips.length === 0 ? "freed" : "evicted";
	return `${freed} tokens ${went}${reduced}${by}; recall reaches it, /cwl undo takes it back.`;
}

/** `2 messages of yours`, which a pass cut. */
export function ownMessages(cut: number): string {
	return countOf(cut, "message of yours", "messages of yours");
}

/** Your messages and the episodes that a pass took from, the one that was asked for and the largest others by name: `look, fix-parser, 2 more`. */
export function nameEpisodes(pass: Pass, graph: Session[0], messages: Session[1], asked?: EpisodeId): string {
	const { strips, reductions = [], indexLines = [], releases = [] } = withoutUnsent(graph, pass);
	const nameOf = createNamer(graph);
	const others = otherTextIn(graph, messages);
	const taken = new Map<string, number>();
	for (const part of [...strips, ...reductions]) {
		const own = nameOf(part);
		const name = others.has(own) ? OTHER_TEXT : own;
		const tokens = part.episode === asked ? Infinity : part.tokens;
		taken.set(name, (taken.get(name) ?? 0) + tokens);
	}
	const names = [...taken].toSorted(([, a], [, b]) => b - a).map(([name]) => name);
	const named = names.slice(0, NAMED).map((name) => shorten(name, MAX_NAME_LENGTH));
	const more = names.length > NAMED ? [`${names.length - NAMED} more`] : [];
	const lines = indexLines.length > 0 ? ["lines for evicted episodes"] : [];
	const released = releases.length > 0 ? [ownMessages(releases.length)] : [];
	return [...released, ...named, ...more, ...lines].join(", ");
}

/** A line of exactly `width` columns. `args` are those of a call that may still be on its way; `level` is the strip level. */
export function boundaryLine(args: unknown, level: number, width: number): string {
	// The episode's state is shown on a narrow screen too.
	const end = level === 0 ? " " : ` · ${levelText(level)} `;
	const label = shorten(shorten(`── ${describe(args)}`, Math.max(0, width - end.length)) + end, width);
	return label + "─".repeat(Math.max(0, width - widthOf(label)));
}

function describe(args: unknown): string {
	const { action, name, type, dependencies, description } = fieldsOf(args);
	if (action === "end") return description === undefined ? "end" : `end: ${textOf(description)}`;
	const needs = listOf(dependencies)
		.map(textOf)
		.filter((need) => need !== "");
	const head = [textOf(type), textOf(name)].filter((word) => word !== "").join(" ");
	return `${head || "episode"}${needs.length > 0 ? ` ← ${needs.join(", ")}` : ""}`;
}

function textOf(value: unknown): string {
	return typeof value === "string" ? plainLine(value).trim() : "";
}

/** The part of an episode that is evicted at a strip level from 1 on. */
export function levelText(level: number): string {
	return `${takenAt[level] ?? ""}evicted`;
}

const takenAt: Readonly<Record<number, string>> = { 1: "reasoning ", 2: "partly ", 3: "partly " };
