/**
 * The digest of a text that core gets instead of the text: hashes of its lines, and the files that it
 * names.
 */

import { fnv1a } from "#basics";
import { type Digest, pathArgument } from "#core/transcript";
import { stringsOf } from "./item-content.ts";
import { fileKey, folderOf, folderOfCommand, viewedLines } from "./named-files.ts";

/** Shorter lines stand everywhere and tell nothing; in characters, white space left out. */
const MIN_LINE_LENGTH = 10;
/** The maximum number of files that are kept of a call or an output. */
const MAX_PATHS = 16;

/** Only the beginning of a longer output is read, so that no output delays a request for long; in characters. */
const MAX_DIGESTED = 1_000_000;

/** Prefixes that `read`, `grep -n`, `cat -n`, `diff` and the like put before a line. */
const LINE_START = /^(?:[\w./@+~-]+[:-])?\s*(?:\d+[→:|\t-]|[+-])/;

/** The digest of a tool's output in a workspace, whose folder is "" if unknown. Linear in its length. */
export function digestOutput(output: string, cwd = ""): Digest {
	const text = output.slice(0, MAX_DIGESTED);
	return { lines: hashLines(text), paths: firstKeys(filesIn(text), cwd) };
}

/** The digest of a call's arguments in a workspace, whose folder is "" if unknown. Linear in their length. */
export function digestArguments(args: Readonly<Record<string, unknown>>, cwd = ""): Digest {
	const named = [...stringsOf(args)];
	const folder = folderOf(args, cwd);
	const views = viewedLines(args, cwd);
	return {
		...(views.length > 0 ? { views } : {}),
		lines: named.flatMap(({ text }) => hashLines(text)),
		paths: firstKeys(named.flatMap(({ name, text }) => subjectsOf(name, text, folder))),
	};
}

/** Keys of the first files that these paths, from this folder, name. */
function firstKeys(paths: Iterable<string>, folder = ""): readonly string[] {
	const found = new Set<string>();
	for (const path of paths) {
		if (found.size === MAX_PATHS) break;
		found.add(fileKey(path, folder));
	}
	return [...found];
}

/** Splits at escapes too, since scripts that a call carries write line ends so. */
function hashLines(text: string): readonly number[] {
	return text.split(/\n|\\n/).flatMap((line) => {
		const said = line.replace(LINE_START, "").replace(/[\t-\r ]+/g, "");
		return said.length < MIN_LINE_LENGTH ? [] : hashText(said);
	});
}

/** FNV-1a in 30 bits, so that the number needs no box. */
function hashText(text: string): number {
	return fnv1a(text) >>> 2;
}

const COMMAND_ARGUMENTS = new Set(["command", "cmd", "script", "input", "glob", "pattern"]);
const PATCHED = /^\*\*\* (?:Add|Update|Delete) File: (.+)$/gm;
const EXTENSIONS = new Set(
	(
		"ts tsx mts cts js jsx mjs cjs json jsonl md mdx txt py pyi ipynb go rs java kt scala c h cc cpp hpp cs rb php pl " +
		"lua swift sh bash zsh fish bats toml yaml yml ini cfg conf env lock xml html css scss sql proto graphql tf nix vue svelte csv"
	).split(" "),
);

/** Keys of the files that a call is about: an argument that is a path, what it patches, what a command mentions. */
function subjectsOf(name: string, text: string, folder: string): readonly string[] {
	const path = pathArgument(name, text);
	if (path !== undefined) return [fileKey(path, folder)];
	if (!COMMAND_ARGUMENTS.has(name)) return [];
	const lines = text.replaceAll("\\n", "\n");
	const patched = [...lines.matchAll(PATCHED)].map(([, path]) => path ?? "");
	if (patched.length > 0) return firstKeys(patched, folder);
	return firstKeys(filesIn(lines), folderOfCommand(lines, folder));
}

/** Looks at each run of path characters once, so that no text can make it slow. */
function* filesIn(text: string): Generator<string> {
	for (const [run] of text.matchAll(/[\w@~+./-]+/g)) {
		const path = run.replace(/(?<![./-])[./-]+$/, "");
		const dot = path.lastIndexOf(".");
		if (dot > 0 && EXTENSIONS.has(path.slice(dot + 1))) yield path;
	}
}
