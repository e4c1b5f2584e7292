import { decodeBytes } from "../text/byte-text.ts";

/** Reads `--count --null`: `path NUL count LF`. A path may hold a line break, but no NUL. */
export function readCounts(output: Buffer): ReadonlyMap<string, number> {
	const text = decodeBytes(output);
	const counts = new Map<string, number>();
	for (let at = 0; at < text.length; ) {
		const nul = text.indexOf("\0", at);
		const end = text.indexOf("\n", nul);
		if (nul === -1 || end === -1) break;
		counts.set(stripDot(text.slice(at, nul)), Number(text.slice(nul + 1, end)));
		at = end + 1;
	}
	return counts;
}

/** The place of a match: the line from 1, and the bytes of UTF-8 in front of the first match in it. */
export interface Hit {
	readonly line: number;
	readonly bytesBefore: number;
}

/**
 * Reads `--null --line-number --column --max-columns=1`: `path NUL line:column:` and a text without meaning, LF. The
 * lines themselves are not printed, because one may be as long as its file.
 */
export function readHits(output: Buffer): ReadonlyMap<string, readonly Hit[]> {
	const text = decodeBytes(output);
	const hits = new Map<string, Hit[]>();
	for (let at = 0; at < text.length; ) {
		const nul = text.indexOf("\0", at);
		const end = text.indexOf("\n", nul);
		if (nul === -1 || end === -1) break;
		const path = stripDot(text.slice(at, nul));
		const [line, column] = text
			.slice(nul + 1, end)
			.split(":", 2)
			.map(Number);
		const known = hits.get(path) ?? [];
		hits.set(path, known);
		known.push({ line: line ?? 0, bytesBefore: (column ?? 1) - 1 });
		at = end + 1;
	}
	return hits;
}

/** Paths are given, and printed, with `./` in front. */
function stripDot(path: string): string {
	return path.startsWith("./") ? path.slice(2) : path;
}
