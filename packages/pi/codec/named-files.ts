/**
 * Files as tool calls name them: their paths, one key for each however it is named, and the lines that a call asks
 * to see.
 */
import { homedir } from "node:os";
import { isAbsolute, join, relative, resolve, sep } from "node:path";
import { type FileView, fileKey as keyOfPath } from "#core/transcript";

/** Arguments of shell tools that name the folder to run in. */
const FOLDER_ARGUMENTS = ["workdir", "cwd", "dir_path", "working_directory"];
/** A command that changes the folder first and then runs the rest there. */
const CHANGE_FOLDER = /^\s*cd\s+("[^"\n]+"|'[^'\n]+'|[^\s;&|"'$`]+)\s*(?:&&|;|\n)/;

type Arguments = Readonly<Record<string, unknown>>;

/** The folder that a call's relative paths start from; "" if unknown. */
export function folderOf(args: Arguments, cwd: string): string {
	const named = textAmong(args, FOLDER_ARGUMENTS);
	return named === undefined ? cwd : within(cwd, named);
}

/** The first of these arguments that is a text. */
function textAmong(args: Arguments, names: readonly string[]): string | undefined {
	return names.map((name) => args[name]).find((value) => typeof value === "string");
}

/** The folder that the files of a shell command are in. */
export function folderOfCommand(command: string, folder: string): string {
	const target = CHANGE_FOLDER.exec(command)?.[1];
	return target === undefined ? folder : within(folder, target.replace(/^["']|["']$/g, ""));
}

/** The key of a path that is named in a folder. */
export function fileKey(path: string, folder: string): string {
	return keyOfPath(within(folder, path.trim()));
}

function within(folder: string, path: string): string {
	return folder === "" || /^[/~]/.test(path) ? path : `${folder}/${path}`;
}

/** The absolute path that pi's own tools take an argument for. */
export function locate(cwd: string, path: string): string {
	const bare = path.startsWith("@") ? path.slice(1) : path;
	if (bare === "~" || bare.startsWith("~/")) return join(homedir(), bare.slice(1));
	return isAbsolute(bare) ? bare : resolve(cwd, bare);
}

/** One name for a file, however a call names it: below the workspace relative to it, with `/`; else absolute. */
export function nameFile(cwd: string, path: string): string {
	const absolute = locate(cwd, path);
	const below = relative(cwd, absolute);
	const isOutside = below === "" || below === ".." || below.startsWith(`..${sep}`) || isAbsolute(below);
	return isOutside ? absolute : below.replaceAll(sep, "/");
}

type Range = readonly [first: number, last: number];

const PATH_NAMES = ["path", "file_path", "absolute_path", "filePath"];
const COMMAND_NAMES = ["command", "cmd", "script", "input"];
/** The maximum number of views that are kept of one call. */
const MAX_VIEWS = 16;
/** The largest line number that counts as one. */
const MAX_LINE = 9_999_999;

/** The views that a call asks for, with the keys of their files; none if it asks for no range. Linear in the arguments. */
export function viewedLines(args: Arguments, cwd: string): readonly FileView[] {
	const folder = folderOf(args, cwd);
	const path = textAmong(args, PATH_NAMES);
	const range = path === undefined ? undefined : rangeOf(args);
	if (path !== undefined) return range ? [viewOf(path, range, folder)] : [];
	const command = textAmong(args, COMMAND_NAMES) ?? "";
	return viewsInCommand(command.replaceAll("\\n", "\n"), folder);
}

function viewOf(path: string, [first, last]: Range, folder: string): FileView {
	return { path: fileKey(path, folder), first, last };
}

/** The lines that a read tool is asked for. Tools count from 1; from 0, the first line is meant as well. */
function rangeOf(args: Arguments): Range | undefined {
	const { offset, limit, view_range: shown, start_line: start, end_line: end } = args;
	if (Array.isArray(shown)) return rangeFrom(shown[0], shown[1]);
	if (start !== undefined) return rangeFrom(start, end);
	if (offset === undefined && limit === undefined) return undefined;
	const first = Math.max(1, Number(offset ?? 1));
	return rangeFrom(first, limit === undefined ? undefined : first + Number(limit) - 1);
}

/** Undefined for numbers that name no lines; without a last line, or with -1, up to the end of the file. */
function rangeFrom(from: unknown, to: unknown): Range | undefined {
	const first = Number(from);
	const last = to === undefined || to === null || Number(to) === -1 ? Infinity : Number(to);
	const isRange = Number.isInteger(first) && first >= 1 && first <= MAX_LINE && last >= first;
	if (!isRange || (last !== Infinity && !(Number.isInteger(last) && last <= MAX_LINE))) return undefined;
	return [first, last];
}

/** `sed -n '10,50p' FILE`, the same behind `nl FILE |`, and `head -n 40 FILE`. */
const SED = /\bsed -n\s+\\?['"]?(\d{1,7}),(\d{1,7}|\$)p\\?['"]?(?:\s+\\?['"]?([\w@~+./-]+))?/g;
const HEAD = /\bhead (?:-n ?|-)(\d{1,7})\s+\\?['"]?([\w@~+./-]+)/g;
const NUMBERED = /\b(?:nl|cat)(?: -\w+)*\s+\\?['"]?([\w@~+./-]+)\\?['"]?\s*\|\s*$/;
/** How far before `| sed` the file of a pipe may stand, in characters. */
const MAX_PIPED = 200;

function viewsInCommand(command: string, folder: string): readonly FileView[] {
	const from = folderOfCommand(command, folder);
	const views: FileView[] = [];
	const add = (path: string | undefined, range: Range | undefined) => {
		if (path !== undefined && range && views.length < MAX_VIEWS) views.push(viewOf(path, range, from));
	};
	for (const { 1: first, 2: last, 3: path, index } of command.matchAll(SED)) {
		const piped = NUMBERED.exec(command.slice(Math.max(0, index - MAX_PIPED), index))?.[1];
		add(path ?? piped, rangeFrom(first, last === "$" ? undefined : last));
	}
	for (const [, last, path] of command.matchAll(HEAD)) add(path, rangeFrom(1, last));
	return views;
}
