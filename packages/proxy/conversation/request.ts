/** A request body, taken apart as far as the proxy needs it. */
import {
	memberOf,
	parseAt,
	type ScannedArray,
	type ScannedObject,
	type Span,
	scanArray,
	scanObject,
	spanAt,
} from "../wire/json-scan.ts";
import type { RequestOptions, WireFormat } from "../wire/wire-format.ts";

export interface ParsedRequest {
	readonly bytes: Buffer;
	/** The list of messages. */
	readonly list: ScannedArray;
	/** All other values, without system prompt and tools. */
	readonly options: RequestOptions;
	readonly system: readonly Span[];
	readonly tools: Span | undefined;
}

/** An earlier request, and the number of bytes that both begin with alike. */
export interface RecentRequest {
	readonly request: ParsedRequest;
	readonly shared: number;
}

/** A body that is passed on as it is, and why. */
export type NotUnderstood = { readonly type: "not understood"; readonly reason: string };

export type Parsed = { readonly type: "parsed"; readonly request: ParsedRequest } | NotUnderstood;

/**
 * Takes a body apart; the messages themselves are not parsed. Linear in the bytes that differ from the most similar of
 * the `recent` requests: agents send the same beginning again and again.
 */
export function parseRequest(
	bytes: Buffer,
	format: WireFormat,
	recent: readonly RecentRequest[] = [],
): Parsed {
	let list: ScannedArray | undefined;
	const scanned = scanObject(bytes, 0, (key, at) => {
		if (key !== format.list) return spanAt(bytes, at);
		list = scanArray(bytes, at, knownElements(at, recent));
		return list?.span ?? spanAt(bytes, at);
	});
	if (!scanned) return { type: "not understood", reason: "the body is no JSON object" };
	if (!list) return { type: "not understood", reason: `the body has no list "${format.list}"` };
	const options = optionsOf(bytes, scanned, format);
	if (!options) return { type: "not understood", reason: "the body is no valid JSON" };
	const obstacle = format.findObstacle(options);
	if (obstacle !== undefined) return { type: "not understood", reason: obstacle };
	const spanOf = (key: string) => memberOf(scanned, key)?.value;
	const system = format.system.flatMap((key) => spanOf(key) ?? []);
	return { type: "parsed", request: { bytes, list, options, system, tools: spanOf(format.tools) } };
}

/** The first messages of a body, as far as a recent request begins with the same bytes. */
function knownElements(at: number, recent: readonly RecentRequest[]): readonly Span[] {
	let known: readonly Span[] = [];
	let longest = at;
	for (const { request, shared } of recent) {
		if (shared <= longest) continue;
		longest = shared;
		// The end of a number shows by the byte after it.
		const end = request.list.elements.findIndex((element) => element.end >= shared);
		known = end < 0 ? request.list.elements : request.list.elements.slice(0, end);
	}
	return known;
}

function optionsOf(
	bytes: Buffer,
	{ members }: ScannedObject,
	{ list, system, tools }: WireFormat,
): RequestOptions | undefined {
	const options: Record<string, unknown> = {};
	for (const { key, value } of members) {
		if (key === list || key === tools || system.includes(key)) continue;
		const parsed = parseAt(bytes, value);
		if (parsed === undefined) return undefined;
		options[key] = parsed;
	}
	return options;
}
