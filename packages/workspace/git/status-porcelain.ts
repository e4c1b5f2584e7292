/** A changed path. `kind` is git's letter, M modified, A added, D deleted, R renamed, C copied, T type changed. */
export interface Change {
	readonly kind: string;
	readonly path: string;
}

export interface Changes {
	/** Undefined when HEAD is detached. */
	readonly branch: string | undefined;
	/** Undefined before the first commit. */
	readonly commit: string | undefined;
	/** Commits ahead of and behind the upstream branch; undefined without one. */
	readonly ahead: number | undefined;
	readonly behind: number | undefined;
	/** In the index, against HEAD. */
	readonly staged: readonly Change[];
	/** In the work tree, against the index. */
	readonly changed: readonly Change[];
	/** A directory without tracked files stands for all of its files, with `/` at the end. */
	readonly untracked: readonly string[];
	readonly conflicts: readonly string[];
}

/** Reads `git status --porcelain=v2 --branch -z` (git-status(1), "Porcelain Format Version 2"). */
export function readPorcelain(output: string): Changes {
	const headers = new Map<string, string>();
	const staged: Change[] = [];
	const changed: Change[] = [];
	const untracked: string[] = [];
	const conflicts: string[] = [];
	const records = output.split("\0");
	for (let at = 0; at < records.length; at += 1) {
		const record = records[at] ?? "";
		const type = record.charAt(0);
		if (type === "#") readHeader(record, headers);
		else if (type === "?") untracked.push(record.slice(2));
		else if (type === "u") conflicts.push(skipFields(record, 10));
		else if (type === "1" || type === "2") {
			const path = skipFields(record, type === "1" ? 8 : 9);
			addChange(staged, record.charAt(2), path);
			addChange(changed, record.charAt(3), path);
			// A rename's old path is a record of its own.
			if (type === "2") at += 1;
		}
	}
	return { ...readBranch(headers), staged, changed, untracked, conflicts };
}

function readHeader(record: string, headers: Map<string, string>): void {
	const [, name = "", value = ""] = /^# (\S+) (.*)$/s.exec(record) ?? [];
	headers.set(name, value);
}

function readBranch(headers: ReadonlyMap<string, string>) {
	const head = headers.get("branch.head");
	const commit = headers.get("branch.oid");
	const [, ahead, behind] = /^\+(\d+) -(\d+)$/.exec(headers.get("branch.ab") ?? "") ?? [];
	return {
		branch: head === "(detached)" ? undefined : head,
		commit: commit === "(initial)" ? undefined : commit,
		ahead: ahead === undefined ? undefined : Number(ahead),
		behind: behind === undefined ? undefined : Number(behind),
	};
}

function addChange(changes: Change[], kind: string, path: string): void {
	if (kind !== ".") changes.push({ kind, path });
}

/** Returns the record without its first fields: the path comes last and may hold spaces. */
function skipFields(record: string, fields: number): string {
	let at = 0;
	for (let field = 0; field < fields; field += 1) at = record.indexOf(" ", at) + 1;
	return record.slice(at);
}
