/** A session file in memory: frozen entries as pi writes them, and the messages that pi makes of a branch. */
import type { SessionEntry } from "@mariozechner/pi-coding-agent";
import type { HostMessage } from "#pi/codec";
import { loadLibrary } from "../pi-host.ts";

const { buildSessionContext } = await loadLibrary();

type Body<E> = E extends SessionEntry ? Omit<E, "id" | "parentId" | "timestamp"> : never;
export type EntryBody = Body<SessionEntry>;

export type SessionFile = ReturnType<typeof openFile>;

export function createSessionFile(): SessionFile {
	let ids = 0;
	return openFile(() => `e${++ids}`, []);
}

/** All files of a run share the counter of ids, so that none comes again after a crash or in a fork. The leaf defaults to the last entry. */
function openFile(nextId: () => string, entries: readonly SessionEntry[], at?: string) {
	const byId = new Map(entries.map((entry) => [entry.id, entry]));
	let leaf = at ?? entries.at(-1)?.id;
	let context: readonly HostMessage[] | undefined;

	function pathTo(id: string | undefined): readonly SessionEntry[] {
		const path: SessionEntry[] = [];
		for (let entry = byId.get(id ?? ""); entry; entry = byId.get(entry.parentId ?? "")) path.push(entry);
		return path.reverse();
	}

	return {
		/** The branch from its root to the leaf. */
		branch: () => pathTo(leaf),
		/** The messages that pi would send, as pi's own objects; the same objects for each request. */
		context(): readonly HostMessage[] {
			context ??= buildSessionContext([...byId.values()], leaf ?? null, byId).messages;
			return context;
		},
		append(body: EntryBody, time: number) {
			const timestamp = new Date(time).toISOString();
			const line = JSON.stringify({ ...body, id: nextId(), parentId: leaf ?? null, timestamp });
			const entry: SessionEntry = JSON.parse(line);
			freeze(entry);
			byId.set(entry.id, entry);
			leaf = entry.id;
			context = undefined;
		},
		/** Moves in the session tree. A resume forgets a move that no entry follows, as pi does. */
		move(id: string) {
			leaf = id;
			context = undefined;
		},
		/** The file as another process reads it, at its end. */
		resume: () => openFile(nextId, [...byId.values()]),
		/** The same where it is. */
		reload: () => openFile(nextId, [...byId.values()], leaf),
		/** A new file with this branch up to an entry. */
		fork: (id: string) => openFile(nextId, pathTo(id)),
		/** The file after a crash that lost its last entries. pi writes nothing before the first answer, so the first one stays. */
		crash: (lost: number) => openFile(nextId, [...byId.values()].slice(0, Math.max(1, byId.size - lost))),
		leaf: () => leaf,
		/** The ids of all entries, of other branches too. */
		ids: () => [...byId.keys()],
	};
}

function freeze(value: unknown) {
	if (typeof value !== "object" || value === null) return;
	Object.freeze(value);
	for (const inner of Object.values(value)) freeze(inner);
}
