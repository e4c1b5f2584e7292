import { decodeBytes } from "./byte-text.mjs";
import type { GrepLine } from "./grep-engine.ts";
import { cutLine } from "./line-text.mjs";

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

/** Reads `--files-with-matches --null`: `path NUL`. */
export function readPaths(output: Buffer): readonly string[] {
	return decodeBytes(output).split("\0").slice(0, -1).map(stripDot);
}

/** Reads `--json`: one object a line; what is not UTF-8 comes as base64. */
export function readLines(output: Buffer): ReadonlyMap<string, readonly GrepLine[]> {
	const lines = new Map<string, GrepLine[]>();
	for (let at = 0; at < output.length; ) {
		const next = output.indexOf("\n", at);
		const end = next === -1 ? output.length : next;
		const event: unknown = JSON.parse(output.toString("utf8", at, end));
		at = end + 1;
		const read = readEvent(event);
		if (read === undefined) continue;
		const known = lines.get(read.path);
		if (known === undefined) lines.set(read.path, [read.line]);
		else known.push(read.line);
	}
	return lines;
}

function readEvent(event: unknown): { readonly path: string; readonly line: GrepLine } | undefined {
	const type = field(event, "type");
	if (type !== "match" && type !== "context") return undefined;
	const data = field(event, "data");
	const path = stripDot(decodeBytes(readBytes(field(data, "path"))));
	const number = field(data, "line_number");
	if (typeof number !== "number") return undefined;
	const bytes = readBytes(field(data, "lines"));
	const text = decodeBytes(bytes.at(-1) === 0x0a ? bytes.subarray(0, -1) : bytes);
	return { path, line: { type, number, text: cutLine(text, findMatchStart(data, bytes)) } };
}

function findMatchStart(data: unknown, bytes: Buffer): number {
	const submatches = field(data, "submatches");
	const start = Array.isArray(submatches) ? field(submatches[0], "start") : undefined;
	return typeof start === "number" ? decodeBytes(bytes.subarray(0, start)).length : 0;
}

function readBytes(value: unknown): Buffer {
	const text = field(value, "text");
	if (typeof text === "string") return Buffer.from(text, "utf8");
	const base64 = field(value, "bytes");
	return Buffer.from(typeof base64 === "string" ? base64 : "", "base64");
}

function field(value: unknown, name: string): unknown {
	if (typeof value !== "object" || value === null) return undefined;
	return Object.getOwnPropertyDescriptor(value, name)?.value;
}

/** Paths are handed over and come back with `./` in front. */
function stripDot(path: string): string {
	return path.startsWith("./") ? path.slice(2) : path;
}
