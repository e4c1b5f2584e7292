/** A session file as bytes on a disk, and what a crash must not do to it. */
import { readFile } from "node:fs/promises";
import { parseFields } from "#lab";

export interface SessionFile {
	/** The lines that end. */
	readonly lines: readonly string[];
	/** What stands behind the last line end: a line that was cut short, "" when none was. */
	readonly tail: string;
}

export async function readSessionFile(path: string): Promise<SessionFile> {
	const lines = (await readFile(path, "utf8")).split("\n");
	return { lines: lines.slice(0, -1), tail: lines.at(-1) ?? "" };
}

/** Whatever was on the disk is still there, at its place; a line that was cut short has not swallowed another. */
export function checkGrowth(before: SessionFile, after: SessionFile): readonly string[] {
	const now = linesOf(after);
	return linesOf(before).flatMap((line, i) =>
		line === now[i] ? [] : [`line ${i + 1} of the session file has changed`],
	);
}

const linesOf = ({ lines, tail }: SessionFile): readonly string[] => (tail === "" ? lines : [...lines, tail]);

/** In a session that never branched, each entry follows the one before it; lines cut short stand between them. */
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

/** A message as pi tells its end. */
export interface InjectedMessage {
	readonly role: string;
	readonly content: unknown;
}

/** What pi told as ended is on the disk. It tells just before it writes: the very last one may be missing. */
export function checkTold(file: SessionFile, told: readonly InjectedMessage[]): readonly string[] {
	const written = new Set(linesOf(file).flatMap(messageOf));
	return told
		.slice(0, -1)
		.filter((message) => !written.has(nameOf(message)))
		.map(({ role }) => `a message (${role}) that pi told as ended is not in the session file`);
}

const nameOf = ({ role, content }: { readonly role: unknown; readonly content: unknown }): string =>
	JSON.stringify([role, content]);

function messageOf(line: string): readonly string[] {
	const entry = parseFields(line);
	if (entry?.type === "custom_message") return [nameOf({ role: "custom", content: entry.content })];
	if (entry?.type !== "message" || typeof entry.message !== "object" || entry.message === null) return [];
	return "role" in entry.message && "content" in entry.message ? [nameOf(entry.message)] : [];
}
