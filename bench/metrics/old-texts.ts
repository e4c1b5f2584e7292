/** The texts that a recorded call had to know by heart: what an edit replaces, what a patch finds its place by. */
import { stringsOf } from "./passages.ts";

/** Under these names the edit tools of pi, Claude Code and SWE-agent take the text that they replace. */
const REPLACED = new Set(["oldText", "old_string", "old_str"]);

/** The old texts of one call: one for each replacement and for each hunk of a patch, wherever the call carries it. */
export function findOldTexts(args: Readonly<Record<string, unknown>>): readonly string[] {
	const texts: string[] = [];
	for (const { name, text } of stringsOf(args)) {
		if (REPLACED.has(name)) texts.push(text);
		else for (const patch of findPatches(text)) texts.push(...readHunks(patch));
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
