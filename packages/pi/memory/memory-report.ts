/** The project memory for a user: what it holds, what a fresh session is given of it, and what is wrong with its file. */
import { join } from "node:path";
import type { ReadFileState } from "../files/file-state.ts";
import { countOf } from "../screen/figures.ts";
import { findingsIn, notesIn } from "./memory.ts";
import { loadMemory, MEMORY_FILE, repositoryOf, type SavedMemory } from "./memory-file.ts";
import { MAX_MEMORY_TOKENS, type MemoryText, memoryText } from "./memory-text.ts";

/** As `cwl memory --json` prints it. */
export interface MemoryReport extends MemoryText {
	readonly version: 1;
	readonly enabled: boolean;
	/** Of the file. */
	readonly path: string;
	/** `refused`: nothing of the file is used; see `problems`. */
	readonly state: "none" | "refused" | "read";
	/** Each with file, line, value and remedy. */
	readonly problems: readonly string[];
	/** `at` is "" for what a person wrote or edited. */
	readonly findings: readonly { readonly name: string; readonly text: string; readonly at: string }[];
	readonly decisions: readonly { readonly text: string; readonly at: string }[];
	readonly maxTokens: number;
}

const nothing: MemoryText = {
	...{ text: "", tokens: 0, shown: 0 },
	unshown: { room: 0, changed: 0, secret: 0 },
};

/** Reads the memory of the repository of a folder. Never throws. */
export async function reportMemory(
	{ cwd, enabled }: { readonly cwd: string; readonly enabled: boolean },
	read: ReadFileState,
	count: (text: string) => number,
): Promise<MemoryReport> {
	const root = repositoryOf(cwd);
	const loaded = await loadMemory(root, read);
	const about = {
		...{ version: 1 as const, enabled, path: join(root, MEMORY_FILE), maxTokens: MAX_MEMORY_TOKENS },
		...{ findings: [], decisions: [], problems: [] },
	};
	if (loaded.type === "none") return { ...about, ...nothing, state: "none" };
	if (loaded.type === "refused") return { ...about, ...nothing, state: "refused", problems: [loaded.reason] };
	return {
		...about,
		...memoryText(loaded.memory, MEMORY_FILE, loaded.disk, count),
		state: "read",
		problems: loaded.problems,
		findings: findingsIn(loaded.memory).map(({ name, text, at }) => ({ name, text, at })),
		decisions: notesIn(loaded.memory).map(({ text, at }) => ({ text, at })),
	};
}

const HOW_ON = 'set "cwl": {"memory": true} in ~/.pi/agent/settings.json, or CWL_MEMORY=true, to turn it on';

/** Returns the text that `/cwl memory` and `cwl memory` show. */
export function describeMemory(report: MemoryReport): string {
	const { enabled, path, state, problems, findings, decisions, text } = report;
	const lines = [`project memory is ${enabled ? "on" : `off: ${HOW_ON}`}.`];
	if (state === "none") return [...lines, `there is no ${path} yet.`].join("\n");
	lines.push(...problems);
	if (state === "refused") return [...lines, "nothing of it is used."].join("\n");
	const what = `${countOf(decisions.length, "decision")} and ${countOf(findings.length, "finding")}`;
	lines.push(
		`${path} has ${what}; a fresh session ${enabled ? "gets" : "would get"} ${describeShare(report)}.`,
	);
	if (text !== "") lines.push("", text);
	return lines.join("\n");
}

/** Returns in words how much goes to the model, and how much does not. */
export function describeShare({ shown, tokens, maxTokens, unshown }: MemoryReport): string {
	const { room, changed, secret } = unshown;
	const left = [
		...(changed > 0 ? [`${changed} whose files changed`] : []),
		...(secret > 0 ? [`${secret} that ${secret === 1 ? "looks" : "look"} like a secret`] : []),
		...(room > 0 ? [`${room} for want of room`] : []),
	];
	const without = left.length > 0 ? `, without ${left.join(", ")}` : "";
	return `${countOf(shown, "entry", "entries")} of it, ${tokens} of at most ${maxTokens} tokens${without}`;
}

/** One line about what was written. */
export function describeUpdate({ path, added, changed, secrets }: SavedMemory): string {
	const left =
		secrets > 0
			? ` ${countOf(secrets, "line")} that may hold a secret ${secrets === 1 ? "was" : "were"} left out.`
			: "";
	if (added + changed === 0) return `the project memory has no news; ${path} is as it was.${left}`;
	const what = `${countOf(added, "entry", "entries")} added, ${changed} removed or shortened`;
	return `the project memory is in ${path}: ${what}.${left}`;
}

/** The remedy for those who ask for it while it is off. */
export const MEMORY_OFF = `project memory is off, so nothing is written: ${HOW_ON}.`;
