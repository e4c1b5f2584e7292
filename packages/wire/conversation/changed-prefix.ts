/**
 * Changes that an agent itself makes to what it has sent: a tool that connects late, another system prompt after a
 * resume, results in another order. Current models then refuse the thinking that was produced behind the change.
 */
import { isRecord } from "#basics";
import { parseAt, type Span } from "../formats/json-bytes.ts";
import { withoutMarkers } from "../formats/wire-format.ts";
import { type Conversation, isEqualAt, type ParsedRequest } from "./request.ts";

/** In place of the index of the first entry that changed. */
export const UNCHANGED = Infinity;

/**
 * The first entry that differs between two requests of one conversation, cache markers aside; 0 for another system
 * prompt or other tools, UNCHANGED if one request begins the other.
 */
export function findPrefixChange(before: ParsedRequest, now: ParsedRequest): number {
	if (!isSame(before, before.system, now, now.system) || !isSame(before, before.tools, now, now.tools))
		return 0;
	const { elements } = now.list;
	const entry = before.list.elements.findIndex((span, index) => !isSame(before, span, now, elements[index]));
	return entry < 0 || entry >= elements.length ? UNCHANGED : entry;
}

/** More are forgotten, oldest first. */
const MAX_ORIGINS = 50_000;

/**
 * Creates a finder of answers that an agent put behind another prefix, as after a compaction of its own. It remembers what
 * stood before each answer when it was seen first.
 */
export function createMovedFinder(): (request: Pick<Conversation, "readings" | "links">) => number {
	const origins = new Map<string, string>();
	return ({ readings, links }) => {
		let moved = UNCHANGED;
		for (const [index, { drawnId, seal }] of readings.entries()) {
			const link = links[index] ?? "";
			for (const key of [drawnId, seal]) {
				if (key === undefined) continue;
				const origin = origins.get(key) ?? link;
				origins.set(key, origin);
				if (origin !== link) moved = Math.min(moved, index);
			}
		}
		for (const key of origins.keys()) {
			if (origins.size <= MAX_ORIGINS) break;
			origins.delete(key);
		}
		return moved;
	};
}

function isSame(one: ParsedRequest, a: Span | undefined, other: ParsedRequest, b: Span | undefined): boolean {
	if (!a || !b) return a === b;
	return isEqualAt(one, a, other, b) || plainText(one, a) === plainText(other, b);
}

/** The value without cache markers, with texts in the form of blocks. */
function plainText({ bytes }: ParsedRequest, span: Span): string {
	return JSON.stringify(asBlocks(withoutMarkers(parseAt(bytes, span))));
}

function asBlocks(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(asBlocks);
	if (!isRecord(value)) return value;
	const { content } = value;
	if (typeof content === "string") return { ...value, content: [{ type: "text", text: content }] };
	return content === undefined ? value : { ...value, content: asBlocks(content) };
}
