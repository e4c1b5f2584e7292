/** A session file that is only read. pi's own way to open one would mend a damaged file by emptying it. */
import { readFile } from "node:fs/promises";
import type { HostMessage } from "../codec/host-message.ts";
import { CwlError } from "../errors.ts";

interface Entry {
	readonly type: string;
	readonly id?: unknown;
	readonly parentId?: unknown;
	readonly customType?: unknown;
	readonly data?: unknown;
}

/** What we use of pi's exports to read session files; every host has them. */
export interface SessionParser {
	parseSessionEntries(text: string): unknown[];
	/** Brings entries of older versions up to date, in place. */
	migrateSessionEntries(entries: never): unknown;
	buildSessionContext(entries: never): { readonly messages: HostMessage[] };
}

export interface OldSession {
	readonly id: string;
	readonly cwd: string;
	/** From the root to where the session stood last. */
	readonly branch: readonly Entry[];
	/** Everything on that branch, pi's compactions left out. */
	readonly messages: readonly HostMessage[];
}

/**
 * Read a session file.
 * @throws CwlError `bad-session` naming the file, when it cannot be read or is no session
 */
export async function readOldSession(path: string, parser: SessionParser): Promise<OldSession> {
	const entries = parser.parseSessionEntries(await readText(path)).filter(isEntry);
	const [header] = entries;
	if (header?.type !== "session" || typeof header.id !== "string") {
		throw new CwlError("bad-session", `${path} is no pi session: its first line is no session header.`);
	}
	parser.migrateSessionEntries(entries as never);
	const branch = branchOf(entries.slice(1)).filter(({ type }) => type !== "compaction");
	// pi follows parents: linked anew, the branch is as if it had never been compacted.
	const linked = branch.map((entry, index) => ({ ...entry, parentId: branch[index - 1]?.id ?? null }));
	const { messages } = parser.buildSessionContext(linked as never);
	const cwd = "cwd" in header && typeof header.cwd === "string" ? header.cwd : "";
	return { id: header.id, cwd, branch, messages };
}

async function readText(path: string): Promise<string> {
	try {
		return await readFile(path, "utf8");
	} catch (error) {
		const code = error instanceof Error && "code" in error ? error.code : undefined;
		throw new CwlError("bad-session", `${path} cannot be read (${String(code)}).`);
	}
}

function isEntry(value: unknown): value is Entry {
	return typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";
}

/** The last entry and its parents, oldest first. */
function branchOf(entries: readonly Entry[]): readonly Entry[] {
	const byId = new Map(entries.map((entry) => [entry.id, entry]));
	const branch: Entry[] = [];
	for (let entry = entries.at(-1); entry; entry = byId.get(entry.parentId)) {
		branch.push(entry);
		// A file that somebody touched may lead in a circle.
		byId.delete(entry.id);
	}
	return branch.toReversed();
}
