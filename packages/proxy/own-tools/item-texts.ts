/** The texts of items, read from the request that holds them. */
import { isRecord } from "#core";
import type { Item, ItemId } from "#core/transcript";
import type { Begun } from "../conversation/conversation.ts";
import type { ParsedRequest } from "../conversation/request.ts";
import { parseAt } from "../wire/json-scan.ts";
import { contentText, textOf } from "../wire/reading.ts";
import type { Place, WireFormat } from "../wire/wire-format.ts";

/** The text that stands at a place of an entry; "" for what is no text. */
export function textAt(request: ParsedRequest, format: WireFormat, entry: number, place: Place): string {
	const span = request.list.elements[entry];
	const value = span && parseAt(request.bytes, span);
	return isRecord(value) ? textOfPart(partAt(value, place), format) : "";
}

/** Finds the text of every item of a conversation. Only the messages that it is asked for are parsed. */
export function createTextFinder({ request, format, transcript }: Begun): (item: Item) => string {
	const places = new Map<
		ItemId,
		{ readonly entry: number; readonly place: Place; readonly answer?: string }
	>();
	for (const [entry, { items }] of transcript.entries.entries()) {
		for (const { message, item: index, place, answer } of items) {
			const item = transcript.messages[message]?.items[index];
			if (item) places.set(item.id, { entry, place, ...(answer !== undefined && { answer }) });
		}
	}
	return ({ id }) => {
		const found = places.get(id);
		return found?.answer ?? (found ? textAt(request, format, found.entry, found.place) : "");
	};
}

function partAt(entry: Readonly<Record<string, unknown>>, place: Place): unknown {
	if (place.type === "entry") return entry;
	if (place.type === "member") return entry[place.key];
	const list = entry[place.list];
	return Array.isArray(list) ? list[place.index] : undefined;
}

function textOfPart(part: unknown, { resultContent }: WireFormat): string {
	if (!isRecord(part)) return contentText(part);
	const own = textOf(part.text) || textOf(part.thinking);
	return own || contentText(part[resultContent] ?? part.content ?? part.summary);
}
