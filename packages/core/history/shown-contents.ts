/** Facts about the texts of a session, which the host knows as digests: hashes of lines, and names of files. */
import { isEdit, type ToolTable } from "../transcript/tool-table.ts";
import { digestOf, type Item, type ItemId, type TranscriptMessage } from "../transcript/transcript.ts";
import { addSightings, createSightings, type LineSightings } from "./line-sightings.ts";

export interface Contents {
	/** When a call last named each file, and last edited it; in tokens from the beginning of the session. */
	readonly namedAt: ReadonlyMap<string, number>;
	readonly editedAt: ReadonlyMap<string, number>;
	readonly sightings: LineSightings;
	/** Results that show no name and no file which no call or result before them showed. */
	readonly withoutNews: ReadonlySet<ItemId>;
}

/**
 * A reader of the contents of a list that only grows. `ends` are the tokens up to the end of each message. Digests are
 * made when they are first read, so the reader waits until somebody asks, and then reads what is new.
 */
export function createContents(
	messages: readonly TranscriptMessage[],
	ends: readonly number[],
	tools: ToolTable,
): () => Contents {
	const namedAt = new Map<string, number>();
	const editedAt = new Map<string, number>();
	const sightings = createSightings();
	const names = new Set<number | string>();
	const withoutNews = new Set<ItemId>();
	let next = 0;
	return () => {
		for (; next < messages.length; next += 1) {
			const items = messages[next]?.items ?? [];
			for (const item of items) {
				const paths = pathsOf(item);
				setAll(namedAt, paths, ends[next] ?? 0);
				if (paths.length > 0 && isEdit(tools, item)) setAll(editedAt, paths, ends[next] ?? 0);
				if (addNames(names, item) === 0 && item.type === "result") withoutNews.add(item.id);
			}
			addSightings(sightings, items, next, tools);
		}
		return { namedAt, editedAt, sightings, withoutNews };
	};
}

/** Adds the names and files of a call or result; returns how many of them are new, undefined if nobody looked for names. */
function addNames(known: Set<number | string>, item: Item): number | undefined {
	if (item.type !== "call" && item.type !== "result") return undefined;
	const digest = digestOf(item);
	if (!digest?.names) return undefined;
	const before = known.size;
	for (const name of digest.names) known.add(name);
	for (const path of digest.paths) known.add(path);
	return known.size - before;
}

function pathsOf(item: Item): readonly string[] {
	return item.type === "call" ? (digestOf(item)?.paths ?? []) : [];
}

function setAll(times: Map<string, number>, paths: readonly string[], time: number) {
	for (const path of paths) times.set(path, time);
}
