/** Passes on disk: one append-only file for each session, one line of JSON a pass. */
import { appendFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isRecord } from "#core";
import type { PassStore, StoredPass } from "./managed-context.ts";

/** Opens a store in a folder, which is made with the first pass. It holds no texts of a session but its evicted episodes' lines. */
export function createFileStore(folder: string): PassStore {
	const pathOf = (session: string) => join(folder, `${encodeURIComponent(session)}.jsonl`);
	return {
		load(session) {
			const path = pathOf(session);
			return existsSync(path) ? readFileSync(path, "utf8").split("\n").flatMap(readLine) : [];
		},
		save(session, stored) {
			mkdirSync(folder, { recursive: true, mode: 0o700 });
			// A line break before it as well: a process that was killed may have left half a line.
			appendFileSync(pathOf(session), `\n${JSON.stringify(stored)}\n`, { mode: 0o600, flush: true });
		},
	};
}

/** A line that was cut short is no JSON: its pass is unknown, and is made again. */
function readLine(line: string): readonly StoredPass[] {
	try {
		const stored: unknown = JSON.parse(line);
		return isStored(stored) ? [stored] : [];
	} catch {
		return [];
	}
}

function isStored(value: unknown): value is StoredPass {
	if (!isRecord(value) || typeof value.at !== "string" || !isRecord(value.pass)) return false;
	return value.pass.version === 1 && Array.isArray(value.pass.strips);
}
