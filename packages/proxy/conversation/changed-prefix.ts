/**
 * Changes that an agent itself makes to what it has sent: a tool that connects late, another system prompt after a
 * resume, results in another order. Current models then refuse the thinking that was produced behind the change.
 */
import { isRecord } from "#core";
import { parseAt, type Span } from "../wire/json-bytes.ts";
import { type Entry, withoutMarkers } from "../wire/wire-format.ts";
import type { ParsedRequest, ReadRequest } from "./request.ts";

/** `head`: system prompt or tools; `entry`: the first entry of both requests that differs. */
export type PrefixChange = { readonly type: "head" } | { readonly type: "entry"; readonly entry: number };

/**
 * The first change between two requests of one conversation, cache markers aside; undefined if one begins the other.
 * `shared` is the number of bytes that both begin with alike.
 */
export function findPrefixChange(
	before: ParsedRequest,
	now: ParsedRequest,
	shared: number,
): PrefixChange | undefined {
	const [old, latest] = [headsOf(before), headsOf(now)];
	if (old.some((span, index) => !isSame(before, span, now, latest[index]))) return { type: "head" };
	const isKept = (a: Span, b: Span | undefined) =>
		(a.end <= shared && a.start === b?.start && a.end === b.end) || isSame(before, a, now, b);
	const { elements } = now.list;
	const entry = before.list.elements.findIndex((span, index) => !isKept(span, elements[index]));
	return entry < 0 || entry >= elements.length ? undefined : { type: "entry", entry };
}

/** More are forgotten, oldest first. */
const MAX_ORIGINS = 50_000;

/**
 * Creates a finder of answers that an agent put behind another prefix, as after a compaction of its own. It remembers what
 * stood before each answer when it was seen first.
 */
export function createMovedFinder(): (
	request: Pick<ReadRequest, "readings" | "links">,
) => PrefixChange | undefined {
	const origins = new Map<string, string>();
	return ({ readings, links }) => {
		let moved: number | undefined;
		for (const [index, entry] of readings.entries()) {
			const link = links[index] ?? "";
			for (const key of originKeys(entry)) {
				const origin = origins.get(key);
				if (origin === undefined) origins.set(key, link);
				else if (origin !== link) moved ??= index;
			}
		}
		for (const key of origins.keys()) {
			if (origins.size <= MAX_ORIGINS) break;
			origins.delete(key);
		}
		return moved === undefined ? undefined : { type: "entry", entry: moved };
	};
}

function originKeys({ drawnId, seal }: Entry): readonly string[] {
	return [drawnId, seal].filter((key) => key !== undefined);
}

/** The change that stands first. */
export function firstOf(
	one: PrefixChange | undefined,
	other: PrefixChange | undefined,
): PrefixChange | undefined {
	if (!one || !other) return one ?? other;
	return one.type === "head" || (other.type === "entry" && one.entry <= other.entry) ? one : other;
}

const headsOf = ({ system, tools }: ParsedRequest): readonly (Span | undefined)[] => [system[0], tools];

function isSame(one: ParsedRequest, a: Span | undefined, other: ParsedRequest, b: Span | undefined): boolean {
	if (!a || !b) return a === b;
	if (
		a.end - a.start === b.end - b.start &&
		one.bytes.compare(other.bytes, b.start, b.end, a.start, a.end) === 0
	) {
		return true;
	}
	return plainText(one, a) === plainText(other, b);
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
