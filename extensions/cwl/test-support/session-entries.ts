/** A session file, read as a host would read it that has nothing but the file. */
import { readFile } from "node:fs/promises";

interface Entry {
	readonly type: string;
	readonly id: string;
	readonly parentId: string | null;
	readonly customType?: string;
	readonly data?: unknown;
	readonly message?: { readonly role: string; readonly content: unknown };
}

export type SessionEntries = Awaited<ReturnType<typeof readSessionEntries>>;

export async function readSessionEntries(file: string) {
	const lines = (await readFile(file, "utf8")).split("\n").filter((line) => line !== "");
	const parsed = lines.map(parse);
	const entries = parsed.flatMap((entry) => (entry && entry.type !== "session" ? [entry] : []));
	const byId = new Map(entries.map((entry) => [entry.id, entry]));
	const branch: Entry[] = [];
	for (let entry = entries.at(-1); entry; entry = byId.get(entry.parentId ?? "")) branch.unshift(entry);
	return {
		/** Every entry, the header left out, and those from the first to the last one that was written. */
		entries,
		branch,
		/** Ids of entries that name a parent which is not there. */
		orphans: entries.flatMap(({ id, parentId }) => (parentId !== null && !byId.has(parentId) ? [id] : [])),
		/** Lines that are no entry. */
		unreadable: parsed.filter((entry) => !entry).length,
	};
}

function parse(line: string): Entry | undefined {
	try {
		return JSON.parse(line);
	} catch {
		return undefined;
	}
}

/** The texts of the user turns on the branch that a resumed session would be on. */
export function userTexts({ branch }: SessionEntries): readonly string[] {
	return branch.flatMap(({ message }) => (message?.role === "user" ? [JSON.stringify(message.content)] : []));
}

/** The data of the custom entries of a type, oldest first. */
export async function readData(file: string, type: string) {
	const { entries } = await readSessionEntries(file);
	return entries.flatMap(({ customType, data }) => (customType === type ? [Object(data)] : []));
}
