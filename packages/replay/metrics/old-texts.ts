/** The texts that a recorded call had to know by heart: what an edit replaces, what a patch finds its place by. */
import { stringsOf } from "#pi";

/** Under these names the edit tools of pi, Claude Code, Gemini CLI, OpenHands and SWE-agent take the text that they replace. */
const REPLACED = new Set(["oldText", "old_string", "old_str"]);

/** Argument names of a patch for `git apply` or `patch`, in a here-document or on its own. */
const UNIFIED = new Set(["command", "cmd", "script", "input", "code", "patch", "diff"]);

/** The old texts of one call: one for each replacement and for each hunk of a patch, wherever the call carries it. */
export function findOldTexts(args: Readonly<Record<string, unknown>>): readonly string[] {
	const texts: string[] = [];
	// SWE-agent's edit by search.
	if (typeof args.search === "string" && typeof args.replace === "string") texts.push(args.search);
	for (const { name, text } of stringsOf(args)) {
		if (REPLACED.has(name)) texts.push(text);
		else if (text.includes(BEGIN)) for (const patch of findPatches(text)) texts.push(...readHunks(patch));
		else if (UNIFIED.has(name)) texts.push(...readUnifiedHunks(text));
	}
	return texts;
}

const BEGIN = "*** Begin Patch";
const END = "*** End Patch";

/** Patches in Codex's format, bare, in a here-document, or as a string of a script. */
function* findPatches(text: string): Generator<string> {
	let start = text.indexOf(BEGIN);
	while (start >= 0) {
		const end = text.indexOf(END, start);
		const patch = text.slice(start, end < 0 ? undefined : end);
		yield patch.startsWith(`${BEGIN}\\n`) ? unescapeScript(patch) : patch;
		start = end < 0 ? -1 : text.indexOf(BEGIN, end);
	}
}

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r" };

function unescapeScript(text: string): string {
	return text.replace(/\\(.)/g, (_, letter: string) => ESCAPES[letter] ?? letter);
}

/** Context and removed lines of each hunk of the files that a patch updates. */
function readHunks(patch: string): readonly string[] {
	const hunks: string[] = [];
	let hunk: string[] = [];
	const flush = () => {
		if (hunk.length > 0) hunks.push(hunk.join("\n"));
		hunk = [];
	};
	for (const line of patch.trimEnd().split("\n")) {
		if (line.startsWith("@@") || line.startsWith("***")) flush();
		else if (line === "" || line.startsWith(" ") || line.startsWith("-")) hunk.push(line.slice(1));
	}
	flush();
	return hunks;
}

/** Lines of the old file that a hunk covers: one when no number follows the comma. */
const UNIFIED_HUNK = /^@@ -\d+(?:,(\d+))? \+\d+(?:,\d+)? @@/;

/** The same of a unified diff, whose hunks say how long they are. */
function readUnifiedHunks(text: string): readonly string[] {
	const hunks: string[][] = [];
	let left = 0;
	for (const line of text.split("\n")) {
		const header = UNIFIED_HUNK.exec(line);
		if (header) {
			left = Number(header[1] ?? 1);
			hunks.push([]);
		} else if (left > 0 && !line.startsWith("+") && !line.startsWith("\\")) {
			hunks.at(-1)?.push(line.slice(1));
			left -= 1;
		}
	}
	return hunks.filter((hunk) => hunk.length > 0).map((hunk) => hunk.join("\n"));
}
