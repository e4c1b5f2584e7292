/** Files of a repository as its memory names them, and their states as it keeps them. */
import { isAbsolute, relative, sep } from "node:path";
import { quote, unquote } from "#core/projection";
import type { FileState } from "../files/file-state.ts";

/** Digits of a hash that are enough to tell contents of one file apart. */
const DIGITS = 12;
const MAX_NAME = 300;

/** The name of an absolute path below the repository, with `/`; undefined for a path outside of it. */
export function nameInRepository(root: string, path: string): string | undefined {
	const below = relative(root, path);
	if (below === "" || below === ".." || below.startsWith(`..${sep}`) || isAbsolute(below)) return undefined;
	return below.length > MAX_NAME ? undefined : below.replaceAll(sep, "/");
}

/** Returns true for a name that leads nowhere but below the repository. */
export function isInnerName(name: string): boolean {
	const isPlain = name !== "" && name.length <= MAX_NAME && !name.includes("\0");
	return isPlain && !isAbsolute(name) && !/^[A-Za-z]:/.test(name) && !name.split(/[/\\]/).includes("..");
}

export function shortState(state: FileState): string {
	const [size = "", hash] = state.split(":");
	return hash === undefined ? state : `${size}:${hash.slice(0, DIGITS)}`;
}

const ROW = /^- (.+) (gone|\d+:[0-9a-f]*)$/;

/** One file as a line of a list, in quotes where the name is not plain. */
export function formatFile(name: string, state: string): string {
	const quoted = quote(name);
	const isBare = quoted === `"${name}"` && !/[\s<]/.test(name);
	return `- ${isBare ? name : quoted.replaceAll("<", "\\u003c")} ${state}`;
}

/** Reads such a line; undefined for any other. */
export function readFileLine(line: string): readonly [name: string, state: string] | undefined {
	const [, name, state] = ROW.exec(line) ?? [];
	return name === undefined || state === undefined ? undefined : [unquote(name), state];
}
