import { append, type CountTokens, countOf, showName, sum } from "#basics";
import type { Change, GitStatus, RepositoryStatus } from "./read-status.ts";

interface Section {
	readonly title: string;
	readonly entries: readonly Change[];
}

const MAX_TOKENS = 200;
const MAX_BRANCH_CHARS = 80;
const MAX_NAME_CHARS = 100;

/**
 * The status in a few lines for a model. However large the change, the text keeps to about `maxTokens`: directories
 * stand for many paths, and "+3 more" for the rest. No name can pose as a line of ours, see showName.
 */
export function formatGitStatus(status: GitStatus, count: CountTokens, maxTokens = MAX_TOKENS): string {
	if (status.type === "outside") return "not a git repository";
	if (status.type === "bare") return "a bare git repository";
	if (status.type === "unavailable") return `git status unavailable: ${REASONS[status.reason]}`;
	const head = describeHead(status);
	const sections = listSections(status);
	const { submodules } = status;
	const foot = submodules === 0 ? [] : [`${countOf(submodules, "submodule")}: changes inside not shown`];
	if (sections.length === 0) return [head, "clean", ...foot].join("\n");
	let room = maxTokens - count([head, ...foot].join("\n"));
	const lines = sections.map((section, index) => {
		const line = describeSection(section, Math.floor(room / (sections.length - index)) - 1, count);
		room -= count(line) + 1;
		return line;
	});
	return [head, ...lines, ...foot].join("\n");
}

const REASONS = {
	"no-git": "git is not installed",
	deadline: "git has not answered yet",
	unanswered: "git does not answer",
	cancelled: "cancelled",
	unsafe: "the repository's filters cannot be switched off safely",
	failed: "git could not read this repository",
} as const;

function describeHead(status: RepositoryStatus): string {
	const { branch, commit, ahead, behind, operation } = status;
	const parts = [
		branch === undefined
			? `detached at ${commit?.slice(0, 8)}`
			: `branch ${shorten(showName(branch), MAX_BRANCH_CHARS)}`,
	];
	if (commit === undefined) parts.push("no commit yet");
	if (ahead !== undefined && ahead > 0) parts.push(`ahead ${ahead}`);
	if (behind !== undefined && behind > 0) parts.push(`behind ${behind}`);
	if (operation !== undefined) parts.push(`${operation} in progress`);
	if (status.stale === "pending") parts.push("stale: git had not answered yet");
	if (status.stale === "unanswered") parts.push("stale since git does not answer");
	return parts.join(", ");
}

function listSections({ conflicts, staged, changed, untracked }: RepositoryStatus): readonly Section[] {
	const plain = (path: string): Change => ({ kind: PLAIN, path });
	const sections: readonly Section[] = [
		{ title: "conflicts", entries: conflicts.map(plain) },
		{ title: "staged", entries: staged },
		{ title: "changed", entries: changed },
		{ title: "untracked", entries: untracked.map(plain) },
	];
	return sections.filter((section) => section.entries.length > 0);
}

/** All paths if they fit; else directories for those that share one, as deep as the room allows. */
function describeSection(section: Section, room: number, count: CountTokens): string {
	const head = `${section.title} ${section.entries.length}: `;
	const left = room - count(head);
	let filled = fill(section.entries.map(toItem), left, count);
	for (let depth = 3; filled.left > 0 && depth > 0; depth -= 1)
		filled = fill(collapse(section.entries, depth), left, count);
	return head + filled.text;
}

interface Item {
	readonly text: string;
	readonly paths: number;
}

/** git's letter for a modified file, which is not shown. */
const PLAIN = "M";

function toItem({ kind, path }: Change): Item {
	const mark = kind === PLAIN ? "" : `${kind} `;
	return { text: mark + shorten(showName(path), MAX_NAME_CHARS), paths: 1 };
}

function collapse(entries: readonly Change[], depth: number): readonly Item[] {
	const groups = new Map<string, Change[]>();
	for (const entry of entries) {
		append(groups, entry.path.split("/").slice(0, -1).slice(0, depth).join("/"), entry);
	}
	return [...groups].flatMap(([directory, group]) => {
		if (directory === "" || group.length === 1) return group.map(toItem);
		const shown = shorten(showName(`${directory}/`), MAX_NAME_CHARS);
		return [{ text: `${shown} (${group.length})`, paths: group.length }];
	});
}

interface Filled {
	readonly text: string;
	/** Paths for which there was no room. */
	readonly left: number;
}

/** The items that fit into `room` tokens, by UTF-16 code unit: in the same order on every machine. */
function fill(items: readonly Item[], room: number, count: CountTokens): Filled {
	const shown: string[] = [];
	let used = 0;
	let left = sum(items, (item) => item.paths);
	for (const item of items.toSorted((one, other) => (one.text < other.text ? -1 : 1))) {
		const reserve = left > item.paths ? count(`+${left - item.paths} more`) : 0;
		const tokens = count(item.text) + 1;
		if (used + tokens + reserve > room) break;
		shown.push(item.text);
		used += tokens;
		left -= item.paths;
	}
	if (left > 0) shown.push(`+${left} more`);
	return { text: shown.join(", "), left };
}

/** Cut in the middle: both ends of a path say something. An escape cut in two stays harmless. */
function shorten(shown: string, max: number): string {
	if (shown.length <= max) return shown;
	const half = Math.floor((max - 1) / 2);
	return `${shown.slice(0, half)}…${shown.slice(-half)}`;
}
