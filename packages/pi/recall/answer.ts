/** The answer to a recall: one page of what was asked for, framed so that no text can pose as the frame. */

import { type CountTokens, countOf, quoteStart } from "#basics";
import { findEpisode } from "#core/graph";
import type { Image } from "../codec/host-message.ts";
import { type Finding, findAsked } from "./finding.ts";
import { type Entry, framePage, noText, paginate } from "./pages.ts";
import { openSources, type RecallSession, type RecallSources } from "./recall-sources.ts";

/** No answer is longer; in tokens, images included. */
export const PAGE_TOKENS = 4_000;
/** Kept free for what the lines of an answer cost where they meet. */
const SLACK_TOKENS = 60;
/** Shown of a query, a name or a handle; in characters. */
const MAX_SHOWN_LENGTH = 100;
/** Searching compiles the query, and V8 throws at patterns of some 16,000 characters; in characters. */
export const MAX_QUERY_LENGTH = 1_000;
const MAX_VISIBLE = 8;

/**
 * Answers a recall, also one of what is unknown; never throws. The page counts from 1; `takesImages` if the model in use accepts
 * images.
 */
export function answerRecall(
	session: RecallSession,
	request: { readonly query: string; readonly page: number; readonly takesImages: boolean },
	count: CountTokens,
) {
	const asked = `recall ${quoteStart(request.query, MAX_SHOWN_LENGTH)}`;
	const query = request.query.trim();
	if (query.length > MAX_QUERY_LENGTH) {
		const found = `the query has ${query.length} characters, and at most ${MAX_QUERY_LENGTH} are allowed`;
		return note(`${asked}: ${found}. Ask for a name, a handle, a path or a few words of the text.`);
	}
	const sources = openSources(session);
	const finding = findAsked(sources, query);
	if (!finding) return note(`${asked}: ${describeUnknown(sources, request.query)}`);
	if (finding.entries.length === 0) {
		const text = `${asked}: still in context above, so not repeated: ${listVisible(finding)}.`;
		return note(text, finding);
	}
	const entries = finding.entries.map((entry) => settleImage(entry, request.takesImages));
	const head = (page: number, pages: number) => headOf(asked, finding, page, pages);
	const room = PAGE_TOKENS - count(head(9_999, 99_999)) - SLACK_TOKENS;
	const pages = paginate(entries, room, count);
	const page = pages[request.page - 1];
	if (!page) {
		return note(`${asked} has ${countOf(pages.length, "page")}; there is no page ${request.page}.`);
	}
	const text = `${head(request.page, pages.length)}\n${framePage(page)}`;
	const images = page.flatMap(({ image }) => image ?? []);
	return { ...note(text, finding), images, pages: pages.length };
}

/** An answer that gives nothing back. */
function note(text: string, finding?: Finding) {
	const visible = finding?.visible ?? [];
	return {
		text,
		images: [] as readonly Image[],
		pages: 0,
		/** True where all of it is still in the context. */
		isStillSent: finding !== undefined && finding.entries.length === 0,
		/** The episodes of what the answer does not repeat, because it is still in the context. */
		stillSent: visible.flatMap(({ episode }) => episode ?? []),
	};
}

function describeUnknown({ all }: RecallSources, query: string): string {
	const lookup = findEpisode(all.graph.episodes, query);
	const closest = lookup.type === "found" ? [lookup.episode.name] : lookup.closest;
	const known = closest.map((name) => quoteStart(name, MAX_SHOWN_LENGTH)).join(", ");
	const hint = known && ` Closest names: ${known}.`;
	return (
		"unknown. No episode, handle, call or file of this session has that name, and no text holds these words." +
		`${hint} Ask for a name or handle as a line about an evicted episode shows it, a path, or words of its text.`
	);
}

/** A model that takes no images gets a line that names the image. */
function settleImage(entry: Entry, takesImages: boolean): Entry {
	if (!entry.image) return entry;
	if (takesImages) return { ...entry, label: `${entry.label} attached` };
	return { ...noText, label: `${entry.label} not shown, as this model takes no images` };
}

function headOf(asked: string, finding: Finding, page: number, pages: number): string {
	const place =
		pages === 1
			? ""
			: ` Page ${page} of ${pages}${page < pages ? `; ask again with page ${page + 1} for the next` : ""}.`;
	const visible =
		finding.visible.length > 0 ? `\nStill in context above, so not repeated: ${listVisible(finding)}.` : "";
	return `${asked}: ${finding.heading}.${place}${visible}`;
}

function listVisible({ visible }: Finding): string {
	const shown = visible.slice(0, MAX_VISIBLE).map(({ handle }) => quoteStart(handle, MAX_SHOWN_LENGTH));
	const rest = visible.length - shown.length;
	return shown.join(", ") + (rest > 0 ? ` and ${rest} more` : "");
}
