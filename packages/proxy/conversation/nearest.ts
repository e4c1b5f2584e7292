/** Finds the conversation that a request continues: the one that shares most of its beginning, byte for byte. */
import { countShared, type Span } from "../wire/json-scan.ts";
import type { Entry, WireFormat } from "../wire/wire-format.ts";
import { type NotUnderstood, type ParsedRequest, parseRequest } from "./request.ts";

/** The last request of a conversation, as it was read. */
export interface ReadRequest {
	readonly format: WireFormat;
	readonly request: ParsedRequest;
	readonly readings: readonly Entry[];
	/** The name of the conversation up to each message. */
	readonly links: readonly string[];
}

/** A request taken apart, with the conversation that is nearest to it. */
export interface Located<Known extends ReadRequest> {
	readonly type: "located";
	readonly request: ParsedRequest;
	readonly known: Known | undefined;
	/** Messages that begin both, byte for byte. */
	readonly same: number;
	/** Bytes that begin both. */
	readonly shared: number;
}

/** Takes a request apart. The most recent conversation stands last. */
export function locateRequest<Known extends ReadRequest>(
	recent: readonly Known[],
	body: Buffer,
	format: WireFormat,
): Located<Known> | NotUnderstood {
	const similar = recent.flatMap((conversation) =>
		conversation.format === format
			? { conversation, request: conversation.request, shared: countShared(conversation.request.bytes, body) }
			: [],
	);
	const parsed = parseRequest(body, format, similar);
	if (parsed.type !== "parsed") return parsed;
	const { request } = parsed;
	return { type: "located", request, ...findNearest(similar, request) };
}

interface Similar<Known> {
	readonly conversation: Known;
	readonly shared: number;
}

function findNearest<Known extends ReadRequest>(
	similar: readonly Similar<Known>[],
	request: ParsedRequest,
): Omit<Located<Known>, "type" | "request"> {
	let nearest: ReturnType<typeof findNearest<Known>> = { known: undefined, same: 0, shared: 0 };
	for (const { conversation: known, shared } of similar.toReversed()) {
		const same = countEqual(known.request, request, shared);
		if (same > nearest.same) nearest = { known, same, shared };
	}
	return nearest;
}

/** Two requests of one session begin with the same bytes: one comparison answers for all messages in them. */
function countEqual(one: ParsedRequest, other: ParsedRequest, shared: number): number {
	const end = Math.min(one.list.elements.length, other.list.elements.length);
	for (let index = 0; index < end; index += 1) {
		const [a, b] = [one.list.elements[index], other.list.elements[index]];
		const isShared = a && b && a.start === b.start && a.end === b.end && a.end <= shared;
		if (!isShared && !isEqualAt(one, a, other, b)) return index;
	}
	return end;
}

/** Returns true if the same bytes stand at both places. */
export function isEqualAt(
	one: ParsedRequest,
	a: Span | undefined,
	other: ParsedRequest,
	b: Span | undefined,
): boolean {
	if (!a || !b || a.end - a.start !== b.end - b.start) return false;
	return one.bytes.compare(other.bytes, b.start, b.end, a.start, a.end) === 0;
}
