/** Searches files on a thread of its own, which can be ended while a regular expression runs away. */
import { closeSync, constants, fstatSync, lstatSync, openSync, readSync } from "node:fs";
import { parentPort, workerData } from "node:worker_threads";
import { decodeBytes, encodeText } from "./byte-text.mjs";
import { cutLine, isBinary, readMark } from "./line-text.mjs";

const HEAD_BYTES = 8192;
const POST_EVERY_MS = 50;
const NOTHING = Buffer.alloc(0);
const NO_MATCHES = { count: 0, lines: [] };
/** A link that is not followed, a socket, and what is gone since it was listed. */
const PASSED_OVER = new Set(["ELOOP", "EMLINK", "ENXIO", "ENOENT", "ENOTDIR"]);
/** A name that became a link or a pipe since it was listed is neither followed nor waited for. */
const OPEN_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

const { root, paths, maxFileBytes, pattern, lines } = workerData;
const expression = new RegExp(pattern.javascript, pattern.ignoreCase ? "giu" : "gu");
const needle = Buffer.from(pattern.needle, "utf8");
let buffer = Buffer.allocUnsafe(1 << 16);
let wanted = lines?.limit ?? 0;

search();

function search() {
	const skipped = { large: 0, unreadable: 0 };
	let found = [];
	let posted = performance.now();
	for (let index = 0; index < paths.length; index += 1) {
		const matches = searchFile(paths[index]);
		if (typeof matches === "string") skipped[matches] += 1;
		else if (matches.count > 0) found.push({ index, ...matches });
		if (performance.now() - posted < POST_EVERY_MS) continue;
		posted = performance.now();
		parentPort.postMessage({ searched: index + 1, ...skipped, found });
		found = [];
	}
	parentPort.postMessage({ searched: paths.length, ...skipped, found });
}

/** The matches, or why the file was skipped. A vanished file, a link or a pipe has no matches. */
function searchFile(path) {
	try {
		const bytes = readFile(`${root}/${path}`);
		return bytes === "large" ? bytes : searchBytes(bytes);
	} catch (error) {
		return PASSED_OVER.has(error.code) ? NO_MATCHES : "unreadable";
	}
}

function searchBytes(bytes) {
	if (isBinary(bytes.subarray(0, HEAD_BYTES))) return NO_MATCHES;
	const encoding = readMark(bytes);
	if (needle.length > 0 && encoding === undefined && !bytes.includes(needle)) return NO_MATCHES;
	const text = encoding ? new TextDecoder(encoding).decode(bytes) : decodeBytes(bytes).replace(/^\uFEFF/, "");
	const hits = [];
	let count = 0;
	for (let hit = findLine(text, 0); hit !== undefined; hit = findLine(text, hit.end + 1)) {
		count += 1;
		if (hits.length <= wanted && wanted > 0) hits.push(hit);
	}
	wanted = Math.max(0, wanted - count);
	return { count, lines: collectLines(text, hits) };
}

function readFile(path) {
	const name = encodeText(path);
	if (constants.O_NOFOLLOW === undefined && !lstatSync(name).isFile()) return NOTHING;
	const file = openSync(name, OPEN_FLAGS);
	try {
		const stats = fstatSync(file);
		if (!stats.isFile()) return NOTHING;
		if (stats.size > maxFileBytes) return "large";
		if (stats.size > buffer.length) buffer = Buffer.allocUnsafe(stats.size);
		let length = 0;
		for (let read = -1; read !== 0 && length < stats.size; length += read) {
			read = readSync(file, buffer, length, stats.size - length, null);
		}
		return buffer.subarray(0, length);
	} finally {
		closeSync(file);
	}
}

/** The next line from `from` on, a line's start, that matches. No part of the expression can leave its line. */
function findLine(text, from) {
	for (let at = from; at < text.length; ) {
		const start = pattern.needle === "" ? at : text.indexOf(pattern.needle, at);
		if (start === -1) return undefined;
		if (pattern.needle !== "") {
			const line = lineAround(text, start);
			const match = matchIn(text.slice(line.start, line.end), 0);
			if (match !== undefined) return { ...line, matchStart: match };
			at = line.end + 1;
			continue;
		}
		const match = matchIn(text, start);
		if (match === undefined || (match === text.length && text.endsWith("\n"))) return undefined;
		const line = lineAround(text, match);
		return { ...line, matchStart: match - line.start };
	}
	return undefined;
}

function matchIn(text, from) {
	expression.lastIndex = from;
	return expression.exec(text)?.index;
}

function lineAround(text, at) {
	const next = text.indexOf("\n", at);
	return { start: at === 0 ? 0 : text.lastIndexOf("\n", at - 1) + 1, end: next === -1 ? text.length : next };
}

/** The matching lines with the lines around them, each once, in order. */
function collectLines(text, hits) {
	if (hits.length === 0) return [];
	const collected = [];
	const matching = new Map(hits.map((hit) => [hit.start, hit.matchStart]));
	const windows = hits.map((hit) => [back(text, hit.start), ahead(text, hit.end)]);
	let number = 1;
	let counted = 0;
	let shown = 0;
	for (const [first, last] of windows) {
		for (let start = Math.max(first, shown); start < last; ) {
			for (let at = text.indexOf("\n", counted); at !== -1 && at < start; at = text.indexOf("\n", counted)) {
				number += 1;
				counted = at + 1;
			}
			const { end } = lineAround(text, start);
			const matchStart = matching.get(start);
			const line = cutLine(text.slice(start, end), matchStart ?? 0);
			collected.push({ number, text: line, type: matchStart === undefined ? "context" : "match" });
			start = end + 1;
			shown = start;
		}
	}
	return collected;
}

function back(text, start) {
	let first = start;
	for (let step = 0; step < lines.context && first > 0; step += 1) {
		first = first < 2 ? 0 : text.lastIndexOf("\n", first - 2) + 1;
	}
	return first;
}

function ahead(text, end) {
	let last = end;
	for (let step = 0; step < lines.context && last + 1 < text.length; step += 1) {
		last = lineAround(text, last + 1).end;
	}
	return last + 1;
}
