/** A survey before the first change: the history of the files, their users and their imports. */

import type { Knowledge } from "./knowledge.ts";
import type { Style } from "./style.ts";
import { type Action, quote, readAction } from "./toolbox.ts";

const HISTORY_HEAD = "git log --oneline -5 -- ";
/** Lines of a file that show its purpose. */
const SKIMMED_LINES = 120;
/** Lines of a list that is only skimmed. */
const LISTED_LINES = 60;

/** The next calls; none if the survey is complete. Limited to early steps, so that it ends. */
export function nextSurvey(known: Knowledge, paths: readonly string[], style: Style): readonly Action[] {
	if (known.turn.step > style.lastSurveyStep || known.changed.size > 0) return [];
	const history: Action = { type: "run", command: `${HISTORY_HEAD}${paths.map(quote).join(" ")}` };
	if (!style.isSequential) {
		return isBegun(known, (call) => call.startsWith(HISTORY_HEAD))
			? []
			: [history, ...readAll(unseen(known, importsOf(known, paths)).slice(0, style.filesAtOnce))];
	}
	const wanted = [history, ...paths.slice(0, 1).flatMap(lookUp), ...surroundings(known, paths, style)];
	const next = wanted.find((action) => !isMade(known, action));
	return next ? [next] : [];
}

/** The neighbors of a file, and the files that name it. */
function lookUp(path: string): readonly Action[] {
	const folder = path.split("/").slice(0, -1).join("/");
	return [
		{ type: "run", command: `ls -l ${quote(folder)} | head -n ${LISTED_LINES}` },
		{ type: "run", command: searchUsers(path) },
	];
}

/** Matches imports by file name, with or without its extension. */
function searchUsers(path: string): string {
	const name = (path.split("/").at(-1) ?? "").replace(/\.\w+$/, "");
	return `git grep -n -E -e ${quote(`/${name}(\\.[a-z]+)?['"]`)} | head -n ${LISTED_LINES}`;
}

const readAll = (paths: readonly string[]): readonly Action[] =>
	paths.map((path) => ({ type: "read", path }));

const unseen = ({ views }: Knowledge, paths: readonly string[]): readonly string[] =>
	paths.filter((path) => !views.has(path));

/** Files that the search found, and the first lines of files that use or are used by the files to change. */
function surroundings(known: Knowledge, paths: readonly string[], style: Style): readonly Action[] {
	const isNews = (path: string) => !paths.includes(path) && !isSeenBefore(known, path);
	const found = [...new Set(known.hits.map(({ path }) => path))].filter(isNews).slice(0, style.filesAtOnce);
	const others = [usersOf(known, paths), importsOf(known, paths)].flatMap((related) =>
		related.filter((path) => isNews(path) && !found.includes(path)).slice(0, style.filesAtOnce),
	);
	const skims = [...new Set(others)].map((path): Action => ({ type: "skim", path, lines: SKIMMED_LINES }));
	return [...readAll(found), ...skims];
}

/** True if enough of a file was visible when the task began. */
function isSeenBefore({ exchanges, turn }: Knowledge, path: string): boolean {
	return exchanges.some(({ call, message }) => {
		const seen = message < turn.message ? readAction(call) : undefined;
		return (seen?.type === "read" || seen?.type === "skim") && seen.path === path;
	});
}

function isMade(known: Knowledge, action: Action): boolean {
	if (action.type === "run") return isBegun(known, (command) => command === action.command);
	// A recall may have brought the file.
	if (action.type === "read" && (known.views.get(action.path)?.message ?? -1) > known.turn.message)
		return true;
	return known.exchanges.some(({ call, message }) => {
		const seen = message > known.turn.message ? readAction(call) : undefined;
		return seen?.type === action.type && "path" in seen && "path" in action && seen.path === action.path;
	});
}

function isBegun({ exchanges, turn }: Knowledge, matches: (command: string) => boolean): boolean {
	return exchanges.some(
		({ call, message }) => message > turn.message && matches(String(call.arguments.command)),
	);
}

/** The files that name one of these, according to the survey. */
function usersOf({ exchanges, turn }: Knowledge, paths: readonly string[]): readonly string[] {
	const commands = new Set(paths.map(searchUsers));
	const lists = exchanges.filter(
		({ call, message }) => message > turn.message && commands.has(String(call.arguments.command)),
	);
	const users = lists.flatMap(({ text }) =>
		[...text.matchAll(/^([^:\n]+):\d+:/gm)].map((match) => match[1] ?? ""),
	);
	return [...new Set(users)];
}

/** The files that source files import by a relative path. */
function importsOf({ views }: Knowledge, paths: readonly string[]): readonly string[] {
	const imports = paths.flatMap((path) => {
		const text = views.get(path)?.text ?? "";
		const names = [...text.matchAll(/\b(?:from |require\()["'](\.[^"']*)["']/g)].map(
			(match) => match[1] ?? "",
		);
		const extension = /\.\w+$/.exec(path)?.[0] ?? "";
		const withExtension = names.map((name) => (/\.\w+$/.test(name) ? name : `${name}${extension}`));
		return withExtension.map((name) => new URL(name, `file:///${path}`).pathname.slice(1));
	});
	return [...new Set(imports)];
}
