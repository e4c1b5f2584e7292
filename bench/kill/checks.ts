/** Checks what a killed process left: its session file, its next request, its files and its processes. */

import { readdir, readFile, readlink } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fieldsOf } from "#basics";
import { parseFields } from "#replay/readers";

export interface SessionFile {
	/** The complete lines. */
	readonly lines: readonly string[];
	/** The text after the last line end: a torn line, or "". */
	readonly tail: string;
}

export async function readSessionFile(path: string): Promise<SessionFile> {
	const lines = (await readFile(path, "utf8")).split("\n");
	return { lines: lines.slice(0, -1), tail: lines.at(-1) ?? "" };
}

/** Checks that every line is still in its place, and that a torn line has not swallowed another one. */
export function checkGrowth(before: SessionFile, after: SessionFile): readonly string[] {
	const now = linesOf(after);
	return linesOf(before).flatMap((line, i) =>
		line === now[i] ? [] : [`line ${i + 1} of the session file has changed`],
	);
}

const linesOf = ({ lines, tail }: SessionFile): readonly string[] => (tail === "" ? lines : [...lines, tail]);

/**
 * Checks that each entry follows the one before it, as in a session without branches; torn lines may stand between
 * them.
 */
export function checkChain({ lines }: SessionFile, torn: ReadonlySet<string>): readonly string[] {
	const findings: string[] = [];
	let last: unknown = null;
	for (const [i, line] of lines.entries()) {
		const entry = parseFields(line);
		if (!entry && !torn.has(line)) findings.push(`line ${i + 1} of the session file cannot be read`);
		if (!entry || entry.type === "session") continue;
		if (entry.parentId !== last)
			findings.push(`line ${i + 1} does not follow the entry before it: something between them is lost`);
		last = entry.id;
	}
	return findings;
}

/** A message as pi reports its end. */
export interface EndedMessage {
	readonly role: string;
	readonly content: unknown;
}

/**
 * Checks that every message whose end pi reported is on disk. pi reports just before it writes, so the last one may
 * be missing.
 */
export function checkReported(file: SessionFile, reported: readonly EndedMessage[]): readonly string[] {
	const written = new Set(linesOf(file).flatMap(messageOf));
	return reported
		.slice(0, -1)
		.filter((message) => !written.has(nameOf(message)))
		.map(({ role }) => `a message (${role}) that pi reported as ended is not in the session file`);
}

const nameOf = ({ role, content }: { readonly role: unknown; readonly content: unknown }): string =>
	JSON.stringify([role, content]);

function messageOf(line: string): readonly string[] {
	const entry = parseFields(line);
	if (entry?.type === "custom_message") return [nameOf({ role: "custom", content: entry.content })];
	const { role, content } = fieldsOf(entry?.message);
	return entry?.type === "message" && role !== undefined ? [nameOf({ role, content })] : [];
}

/** Returns true if two request bodies, as JSON, differ in the git status that their latest user turn was given, and in nothing else. */
export function differInStatusOnly(sent: string, expected: string): boolean {
	return sent !== expected && withoutStatus(sent) === withoutStatus(expected);
}

const FRAME = /<git-status \d{6}>/;

/** The body without the status after its last answer, and without cache breakpoints, which stand at the last message. */
function withoutStatus(json: string): string {
	const body = fieldsOf(
		JSON.parse(json, (key, value: unknown) => (key === "cache_control" ? undefined : value)),
	);
	const name = Array.isArray(body.input) ? "input" : "messages";
	const list = body[name];
	if (!Array.isArray(list)) return json;
	const answer = list.findLastIndex((message) => fieldsOf(message).role === "assistant");
	const left = list.filter((message, index) => index <= answer || !FRAME.test(JSON.stringify(message)));
	return JSON.stringify({ ...body, [name]: left });
}

const POLL_MS = 20;

/** All files under a folder, by relative path. */
export async function listFiles(folder: string): Promise<readonly string[]> {
	return (await readdir(folder, { recursive: true })).toSorted();
}

/** The cache of compiled extensions, which pi fills at first use. */
const COMPILED = join("tmp", "jiti");

/** Reports new files, and locks in the work folder, including those of git. */
export function checkLeftovers(
	before: readonly string[],
	after: readonly string[],
	work: readonly string[],
): readonly string[] {
	const known = new Set(before);
	// A session that ends by itself leaves its brief next to its file; one that is written in part would be a stray.
	const isExpected = (path: string) => path.startsWith(COMPILED) || path.endsWith(".brief.md");
	const strays = after.filter((path) => !known.has(path) && !isExpected(path));
	const locks = work.filter((path) => path.endsWith(".lock"));
	return [...strays.map((path) => `a stray file: ${path}`), ...locks.map((path) => `a stuck lock: ${path}`)];
}

/** Waits for the commands that a killed process had started: they outlive it and still change files. */
export async function waitForOrphans(folder: string, known: readonly string[]): Promise<void> {
	while ((await processesIn(folder)).some((pid) => !known.includes(pid))) await pause(POLL_MS);
}

/** The ids of processes that work in this folder or below it, if the system tells them (Linux). */
export async function processesIn(folder: string): Promise<readonly string[]> {
	const pids = (await readdir("/proc").catch(() => [])).filter((name) => /^\d+$/.test(name));
	const places = await Promise.all(pids.map((pid) => readlink(join("/proc", pid, "cwd")).catch(() => "")));
	return pids.filter((_, i) => places[i] === folder || places[i]?.startsWith(`${folder}/`));
}
