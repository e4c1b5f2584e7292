/** Headers as they are passed on: names, spelling, order and repetitions stay; only those of a single connection go. */

/** Headers that belong to one connection (RFC 9110, 7.6.1). Node frames bodies anew, with the same transfer encoding. */
const HOP_BY_HOP = new Set(["connection", "keep-alive", "proxy-connection", "upgrade", "te", "expect"]);

/** A request without them is another one: a sender may not make them headers of one connection (RFC 9110, 7.6.1). */
const END_TO_END = new Set([
	...["host", "content-length", "transfer-encoding", "content-type", "content-encoding"],
	...["authorization", "x-api-key"],
]);

/** Names and values in turn, as in `rawHeaders`. */
export type RawHeaders = readonly string[];

/** The headers to send on, with other values for those that are named in `changes`; undefined leaves one out. */
export function passHeaders(
	raw: RawHeaders,
	changes: Readonly<Record<string, string | undefined>> = {},
): string[] {
	const perConnection = new Set(HOP_BY_HOP);
	for (const [name, value] of pairsOf(raw)) {
		if (name.toLowerCase() !== "connection") continue;
		for (const part of value.split(",")) {
			const named = part.trim().toLowerCase();
			if (!END_TO_END.has(named)) perConnection.add(named);
		}
	}
	return pairsOf(raw).flatMap(([name, value]) => {
		const key = name.toLowerCase();
		if (perConnection.has(key)) return [];
		if (!Object.hasOwn(changes, key)) return [name, value];
		const changed = changes[key];
		return changed === undefined ? [] : [name, changed];
	});
}

function pairsOf(raw: RawHeaders): readonly (readonly [name: string, value: string])[] {
	return Array.from(
		{ length: raw.length / 2 },
		(_, at) => [raw[2 * at] ?? "", raw[2 * at + 1] ?? ""] as const,
	);
}
