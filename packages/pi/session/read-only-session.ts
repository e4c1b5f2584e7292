/** A session file that is only read. pi's own way to open one would mend a damaged file by emptying it. */

import { readFile } from "node:fs/promises";
import type * as Pi from "@mariozechner/pi-coding-agent";
import { isRecord } from "#basics";
import type { Answer, HostMessage } from "../codec/host-message.ts";
import type { BranchEntry } from "../custom-entries.ts";
import { refusal } from "../errors.ts";
import { codeOf } from "../files/text-file.ts";
import type { AnsweredBy } from "../model-prices.ts";

interface Entry extends BranchEntry {
	readonly parentId?: unknown;
	/** Set on a user message that another agent's compaction left. */
	readonly compactSummary?: unknown;
}

/** Pi's exports that read session files; every version has them. */
export type SessionParser = Pick<
	typeof Pi,
	"parseSessionEntries" | "migrateSessionEntries" | "buildSessionContext"
>;

export interface OldSession {
	readonly id: string;
	readonly cwd: string;
	/** From the root to the last entry of the session. */
	readonly branch: readonly Entry[];
	/** Everything on that branch, uncompacted: summaries are left out. */
	readonly messages: readonly HostMessage[];
	/** Where the host, or the agent that recorded the session, put a summary in place of messages; oldest first. */
	readonly compactions?: readonly OldCompaction[];
	/** The usage of model calls of its file that are not on that branch, of answers that failed, and of the host's own calls. */
	readonly otherCalls?: readonly OtherCall[];
	/** Other branches of its file up to a compaction whose usage is not recorded. */
	readonly compactedBranches?: readonly OldSession[];
}

export interface OtherCall {
	readonly usage: Answer["usage"];
	/** Undefined where the file does not say it. */
	readonly by: AnsweredBy | undefined;
	/** True for a call on another branch. */
	readonly isElsewhere: boolean;
	readonly entry: Entry;
}

/** Indexes are those of the uncompacted messages. */
interface OldCompaction {
	/** The first message that came after it. */
	readonly position: number;
	/** The first message that stayed; at most `position`. */
	readonly firstKept: number;
	readonly summary: string;
}

/**
 * Read a session file.
 * @throws CwlError naming the file, when it cannot be read or is no session
 */
export async function readOldSession(path: string, parser: SessionParser): Promise<OldSession> {
	const text = await readFile(path, "utf8").catch((error: unknown) => {
		throw refusal(`${path} cannot be read (${codeOf(error)}).`);
	});
	const isEntry = (value: unknown): value is Entry => isRecord(value) && typeof value.type === "string";
	const entries = parser.parseSessionEntries(text).filter(isEntry);
	const [header] = entries;
	if (header?.type !== "session" || typeof header.id !== "string") {
		throw refusal(`${path} is no pi session: its first line is no session header.`);
	}
	parser.migrateSessionEntries(entries as never);
	const branch = branchOf(entries.slice(1)).filter((entry) => !isSummary(entry));
	const cwd = "cwd" in header && typeof header.cwd === "string" ? header.cwd : "";
	return { id: header.id, cwd, branch, messages: readMessages(branch, parser) };
}

/**
 * pi follows parents: linked anew, a branch is as if it had never been compacted. Entries of extensions are left out: they
 * hold no message, and pi takes time that grows with the square of the entries.
 */
function readMessages(branch: readonly Entry[], parser: SessionParser): readonly HostMessage[] {
	const kept = branch.filter(({ type }) => type !== "custom");
	const linked = kept.map((entry, index) => ({ ...entry, parentId: kept[index - 1]?.id ?? null }));
	return parser.buildSessionContext(linked as never).messages;
}

/** Returns true for an entry that puts a summary in place of earlier messages: pi's own, or the flagged message of another agent. */
function isSummary({ type, compactSummary }: Entry): boolean {
	return type === "compaction" || (type === "message" && compactSummary === true);
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
