/** What core is told of a text instead of the text: hashes of its lines, and the files that a call works on. */
import type { Digest } from "../core/transcript.ts";

/** Shorter lines stand everywhere and tell nothing; in characters, white space left out. */
const SHORTEST_LINE = 10;
/** More files than this in one call are a listing, not a subject. */
const MOST_PATHS = 16;

/** What `read`, `grep -n`, `cat -n`, `diff` and the like put before a line. */
const LINE_START = /^(?:[\w./@+~-]+[:-])?\s*(?:\d+[→:|\t-]|[+-])/;

/** The digest of a tool's output. Linear in its length. */
export function digestOutput(text: string): Digest {
	return { lines: hashLines(text), paths: [] };
}

/** The digest of a call's arguments. Linear in their length. */
export function digestArguments(args: Readonly<Record<string, unknown>>): Digest {
	const lines: number[] = [];
	const paths = new Set<string>();
	for (const [name, text] of stringsOf(args, "")) {
		for (const hash of hashLines(text)) lines.push(hash);
		for (const path of pathsIn(name, text)) if (paths.size < MOST_PATHS) paths.add(path);
	}
	return { lines, paths: [...paths] };
}

function* stringsOf(value: unknown, name: string): Generator<readonly [name: string, text: string]> {
	if (typeof value === "string") yield [name, value];
	else if (Array.isArray(value)) for (const element of value) yield* stringsOf(element, name);
	else if (typeof value === "object" && value !== null) {
		for (const [key, element] of Object.entries(value)) yield* stringsOf(element, key);
	}
}

/** In scripts that a call carries, line ends are written as escapes. */
function hashLines(text: string): readonly number[] {
	const hashes: number[] = [];
	for (const line of text.split(/\n|\\n/)) {
		const hash = hashLine(line.replace(LINE_START, ""));
		if (hash !== undefined) hashes.push(hash);
	}
	return hashes;
}

/** FNV-1a over what is not white space, in 30 bits so that the number needs no box. */
function hashLine(line: string): number | undefined {
	let hash = 0x811c9dc5;
	let length = 0;
	for (let i = 0; i < line.length; i++) {
		const code = line.charCodeAt(i);
		if (code === 32 || (code >= 9 && code <= 13)) continue;
		hash = Math.imul(hash ^ code, 0x01000193);
		length += 1;
	}
	return length < SHORTEST_LINE ? undefined : hash >>> 2;
}

const PATH_ARGUMENTS = new Set(["path", "file_path", "filePath", "notebook_path", "file", "filename"]);
const COMMAND_ARGUMENTS = new Set(["command", "cmd", "script", "input", "glob", "pattern"]);
const PATCHED = /^\*\*\* (?:Add|Update|Delete) File: (.+)$/gm;
const EXTENSIONS =
	"ts tsx mts cts js jsx mjs cjs json jsonl md mdx txt py pyi ipynb go rs java kt scala c h cc cpp hpp cs rb php pl lua " +
	"swift sh bash zsh fish bats toml yaml yml ini cfg conf env lock xml html css scss sql proto graphql tf nix vue svelte csv";
const FILE = new RegExp(`[\\w@~+./-]*[\\w@+-]\\.(?:${EXTENSIONS.replaceAll(" ", "|")})(?![\\w/])`, "g");

/** The files that an argument names: all of it where it is a path, what it patches, what a command mentions. */
function pathsIn(name: string, text: string): readonly string[] {
	if (PATH_ARGUMENTS.has(name)) return /^[\w@~+./ -]+$/.test(text) ? [shorten(text)] : [];
	if (!COMMAND_ARGUMENTS.has(name)) return [];
	const lines = text.replaceAll("\\n", "\n");
	const patched = [...lines.matchAll(PATCHED)].map(([, path]) => path ?? "");
	const found = patched.length > 0 ? patched : (lines.match(FILE) ?? []);
	return found.map(shorten);
}

/** The last two components, so that absolute and relative paths meet. */
function shorten(path: string): string {
	const components = path.trim().split("/");
	return components
		.filter((part) => part !== "" && part !== ".")
		.slice(-2)
		.join("/");
}
