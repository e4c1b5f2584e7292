/** A session file in memory, line by line as pi writes it, and read the way that pi reads it. */
import { buildSessionContext, parseSessionEntries, type SessionEntry } from "@mariozechner/pi-coding-agent";
import type { HostMessage } from "../../packages/host/host-message.ts";

type Body<E> = E extends SessionEntry ? Omit<E, "id" | "parentId" | "timestamp"> : never;
export type EntryBody = Body<SessionEntry>;

export interface SessionFile {
	/** The branch from its root to the leaf. */
	branch(): readonly SessionEntry[];
	/** What pi would send, as its own objects; the same ones for each request. */
	context(): readonly HostMessage[];
	append(entry: EntryBody, time: number): void;
	/** Move in the session tree. What is not followed by an entry is forgotten by a resume, as in pi. */
	move(leaf: string): void;
	/** The file as another process finds it; the leaf is the last entry unless told. */
	reopen(leaf?: string): SessionFile;
	/** A file of its own with this branch up to an entry. */
	fork(leaf: string): SessionFile;
	/** The file after a crash that cut its last lines off, the first of them in its middle. */
	crash(lines: number): SessionFile;
	leaf(): string | undefined;
	/** The ids of all entries, of other branches too. */
	ids(): readonly string[];
}

const HEADER = JSON.stringify({ type: "session", version: 3, id: "fuzz", timestamp: "", cwd: "/" });

/** pi writes nothing before the first answer: header and first turn are never lost alone. */
const FIRST = 2;

export function createSessionFile(): SessionFile {
	return openFile([HEADER], undefined, { value: 0 });
}

/** Entry ids come from one counter for all files of a run, so that no id comes again after a crash or in a fork. */
interface Counter {
	value: number;
}

function openFile(lines: readonly string[], at: string | undefined, ids: Counter): SessionFile {
	const written = [...lines];
	const entries: SessionEntry[] = [];
	const byId = new Map<string, SessionEntry>();
	for (const entry of parseSessionEntries(written.join("\n"))) if (entry.type !== "session") take(entry);
	let leaf = at ?? entries.at(-1)?.id;
	let context: readonly HostMessage[] | undefined;

	function take(entry: SessionEntry) {
		entries.push(entry);
		byId.set(entry.id, entry);
	}

	function pathTo(id: string | undefined): readonly SessionEntry[] {
		const path: SessionEntry[] = [];
		for (let entry = byId.get(id ?? ""); entry; entry = byId.get(entry.parentId ?? "")) path.push(entry);
		return path.reverse();
	}

	return {
		branch: () => pathTo(leaf),
		context() {
			context ??= buildSessionContext(entries, leaf ?? null, byId).messages;
			return context;
		},
		append(body, time) {
			const id = `e${++ids.value}`;
			const timestamp = new Date(time).toISOString();
			const line = JSON.stringify({ ...body, id, parentId: leaf ?? null, timestamp });
			written.push(line);
			take(JSON.parse(line));
			leaf = id;
			context = undefined;
		},
		move(id) {
			leaf = id;
			context = undefined;
		},
		reopen: (id) => openFile(written, id, ids),
		fork(id) {
			const path = pathTo(id).map((entry) => JSON.stringify(entry));
			return openFile([HEADER, ...path], undefined, ids);
		},
		crash(count) {
			const kept = written.slice(0, Math.max(FIRST, written.length - count));
			const torn = written[kept.length]?.slice(0, 20) ?? "";
			return openFile([...kept, torn], undefined, ids);
		},
		leaf: () => leaf,
		ids: () => entries.map(({ id }) => id),
	};
}
