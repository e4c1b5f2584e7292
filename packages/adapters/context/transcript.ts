/** The messages of a host as core's transcript, with the place of each item among them. */
import {
	fnv1a,
	type Item,
	type ProjectedPart,
	sentPlaces,
	type TranscriptMessage,
	withoutRecall,
} from "#core";
import type { ItemDraft, Reading } from "./reading.ts";

/** An item of a host's message. */
interface Placed {
	/** Index of the host's message, and the part of it. */
	readonly entry: number;
	readonly part: number;
	/** Index of the neutral message, and of the item in it. */
	readonly message: number;
	readonly item: number;
	readonly type: Item["type"];
}

export interface Transcript {
	readonly messages: readonly TranscriptMessage[];
	readonly placed: readonly Placed[];
	/** Indexes of the host's messages with a part that is no item: such a message always stays. */
	readonly held: ReadonlySet<number>;
	/** The name of the session up to each of the host's messages: branches have other names. */
	readonly links: readonly string[];
}

/** The part of a host message that is sent. */
export interface Kept {
	keeps(part: number): boolean;
	/** True if thinking that its answer began with is not sent. */
	readonly lostThinking: boolean;
	/** Texts to add to results, by part. */
	readonly lines: ReadonlyMap<number, string>;
}

export interface Selection {
	/** For each of the host's messages: all of it, nothing, or parts of it. */
	readonly entries: readonly ("all" | "nothing" | Kept)[];
	/** Texts for messages of their own, by the index of the host's message before them. */
	readonly notes: ReadonlyMap<number, string>;
}

export function buildTranscript(readings: readonly Reading[]): Transcript {
	const messages: TranscriptMessage[] = [];
	const placed: Placed[] = [];
	const links: string[] = [];
	const held = new Set<number>();
	const calls = new Set<string>();
	for (const [entry, { identity, units, continues }] of readings.entries()) {
		const link = `${entry}.${fnv1a(`${links.at(-1) ?? ""}\n${identity}`).toString(36)}`;
		const joins = continues === true && readings[entry - 1]?.continues === true;
		links.push(link);
		const idOf = createIdCounter(link);
		for (const { author, items: all } of units) {
			// A result whose call was not understood belongs to something that nobody takes.
			const items = all.filter(({ draft }) => draft.type !== "result" || calls.has(draft.callId));
			for (const { draft } of items) if (draft.type === "call") calls.add(draft.callId);
			if (items.length === 0) held.add(entry);
			const before = joins && author === "model" ? messages.at(-1) : undefined;
			const earlier = before?.author === "model" ? before.items : [];
			const message = earlier.length > 0 ? messages.length - 1 : messages.length;
			const added = items.map(({ draft }) => ({ ...draft, id: idOf(draft), message }));
			messages[message] = {
				author: items.length < all.length ? "host" : author,
				items: [...earlier, ...added],
			};
			for (const [index, { draft, part }] of items.entries()) {
				placed.push({ entry, part, message, item: earlier.length + index, type: draft.type });
			}
		}
	}
	return { messages, placed, held, links };
}

/** Numbers items by type, so that an item keeps its id when another one of its message is missing. */
function createIdCounter(link: string): (item: ItemDraft) => string {
	const counts = new Map<string, number>();
	return ({ type }) => {
		const count = counts.get(type) ?? 0;
		counts.set(type, count + 1);
		return `${link}.${type}${count}`;
	};
}

/** From core's projection to what is sent of each of the host's messages. */
export function selectEntries(
	{ messages, placed, held, links }: Transcript,
	parts: readonly ProjectedPart[],
): Selection {
	const isSent = sentPlaces(parts);
	const { inResults, notes } = placeLines(parts, messages, placed);
	const lost = new Set(
		placed.flatMap((item) => (item.type === "reasoning" && !isSent(item) ? item.message : [])),
	);
	const byEntry: Placed[][] = links.map(() => []);
	for (const item of placed) byEntry[item.entry]?.push(item);
	const entries = byEntry.map((items, entry) => {
		const sent = items.filter(isSent);
		if (!held.has(entry) && items.length > 0 && sent.length === 0) return "nothing";
		const lines = new Map(
			sent.flatMap(({ type, message, part }) => {
				const text = type === "result" ? inResults.get(message) : undefined;
				return text === undefined ? [] : [[part, text] as const];
			}),
		);
		const lostThinking = items.some(({ message }) => lost.has(message));
		if (sent.length === items.length && !lostThinking && lines.size === 0) return "all";
		const dropped = new Set(items.filter((item) => !isSent(item)).map(({ part }) => part));
		return { keeps: (part: number) => !dropped.has(part), lostThinking, lines };
	});
	return { entries, notes };
}

/**
 * Places the lines for evicted content. In a tool loop a line is a text of the last result, or stands before the loop: a
 * message of its own would end the loop, and a provider that reasons wants the answer after it to begin with reasoning.
 */
function placeLines(
	parts: readonly ProjectedPart[],
	messages: readonly TranscriptMessage[],
	placed: readonly Placed[],
) {
	const entryOf = new Map(placed.map(({ message, entry }) => [message, entry]));
	const [inResults, notes] = [new Map<number, string>(), new Map<number, string>()];
	let anchor = { texts: notes, at: 0 };
	for (const part of parts) {
		if (part.type === "marker") {
			// The hosts have no tool that gives back what was evicted.
			const text = part.text.split("\n").map(withoutRecall).join("\n");
			const before = anchor.texts.get(anchor.at);
			anchor.texts.set(anchor.at, before === undefined ? text : `${before}\n${text}`);
			continue;
		}
		const message = messages[part.message];
		if (!message || isPassedOver(message)) continue;
		anchor =
			message.author === "tool"
				? { texts: inResults, at: part.message }
				: { texts: notes, at: entryOf.get(part.message) ?? 0 };
	}
	return { inResults, notes };
}

/** Returns true if a tool loop goes on after a message, or the message belongs to the host. */
function isPassedOver({ author, items }: TranscriptMessage): boolean {
	return items.length === 0 || (author === "model" && items.some(({ type }) => type === "call"));
}
