/** Checks a session file on disk after a crash. */
import { readFile } from "node:fs/promises";
import { parseFields } from "#replay";

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
	if (entry?.type !== "message" || typeof entry.message !== "object" || entry.message === null) return [];
	return "role" in entry.message && "content" in entry.message ? [nameOf(entry.message)] : [];
}
