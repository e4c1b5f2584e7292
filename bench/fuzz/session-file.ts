/** A session file in memory, line by line as pi writes it, and read the way that pi reads it. */
import type { SessionEntry } from "@mariozechner/pi-coding-agent";
import type { HostMessage } from "#pi/codec";
import { loadLibrary } from "../pi-host.ts";

const { buildSessionContext, parseSessionEntries } = await loadLibrary();

type Body<E> = E extends SessionEntry ? Omit<E, "id" | "parentId" | "timestamp"> : never;
export type EntryBody = Body<SessionEntry>;

export interface SessionFile {
	/** The branch from its root to the leaf. */
	branch(): readonly SessionEntry[];
	/** The messages that pi would send, as pi's own objects; the same objects for each request. */
	context(): readonly HostMessage[];
	append(entry: EntryBody, time: number): void;
	/** Moves in the session tree. A resume forgets a move that no entry follows, as pi does. */
	move(leaf: string): void;
	/** The file as another process reads it; the leaf defaults to the last entry. */
	reopen(leaf?: string): SessionFile;
	/** A new file with this branch up to an entry. */
	fork(leaf: string): SessionFile;
	/** The file after a crash that cut off its last lines and tore the first of them in the middle. */
	crash(lines: number): SessionFile;
	leaf(): string | undefined;
	/** The ids of all entries, of other branches too. */
	ids(): readonly string[];
}

const HEADER = JSON.stringify({ type: "session", version: 3, id: "fuzz", timestamp: "", cwd: "/" });

/** Lines that no crash removes: pi writes nothing before the first answer, so header and first turn are on disk together. */
const SAFE_LINES = 2;

export function createSessionFile(): SessionFile {
	return openFile([HEADER], undefined, { ids: 0, parsed: new Map() });
}

/** State that all files of a run share. */
interface Run {
	/** Ids come from one counter, so that no id comes again after a crash or in a fork. */
	ids: number;
	/** Entries by line, parsed once and frozen: a changed entry would change what another process reads. */
	readonly parsed: Map<string, readonly SessionEntry[]>;
}

function openFile(lines: readonly string[], at: string | undefined, run: Run): SessionFile {
	const written = [...lines];
	const entries: SessionEntry[] = [];
	const byId = new Map<string, SessionEntry>();
	for (const line of written) for (const entry of read(line)) take(entry);
	let leaf = at ?? entries.at(-1)?.id;
	let context: readonly HostMessage[] | undefined;

	function read(line: string): readonly SessionEntry[] {
		const known = run.parsed.get(line);
		if (known) return known;
		const found = parseSessionEntries(line).flatMap((entry) => (entry.type === "session" ? [] : [entry]));
		freeze(found);
		run.parsed.set(line, found);
		return found;
	}

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
			const id = `e${++run.ids}`;
			const timestamp = new Date(time).toISOString();
			const line = JSON.stringify({ ...body, id, parentId: leaf ?? null, timestamp });
			written.push(line);
			for (const entry of read(line)) take(entry);
			leaf = id;
			context = undefined;
		},
		move(id) {
			leaf = id;
			context = undefined;
		},
		reopen: (id) => openFile(written, id, run),
		fork(id) {
			const path = pathTo(id).map((entry) => JSON.stringify(entry));
			return openFile([HEADER, ...path], undefined, run);
		},
		crash(count) {
			const kept = written.slice(0, Math.max(SAFE_LINES, written.length - count));
			const torn = written[kept.length]?.slice(0, 20) ?? "";
			return openFile([...kept, torn], undefined, run);
		},
		leaf: () => leaf,
		ids: () => entries.map(({ id }) => id),
	};
}

function freeze(value: unknown) {
	if (typeof value !== "object" || value === null) return;
	Object.freeze(value);
	for (const inner of Object.values(value)) freeze(inner);
}
