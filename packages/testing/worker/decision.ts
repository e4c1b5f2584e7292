/** Decides the next step of a task. */
import type { Work } from "./episodes.ts";
import { isMade, type Knowledge } from "./knowledge.ts";
import type { Recipe } from "./recipe.ts";
import { type Action, quote } from "./toolbox.ts";
import { type Exchange, readHits } from "./visible.ts";

/**
 * The working style: thorough is one call at a time, as most agents work most of the time, with a survey before a change and a
 * review after it; otherwise as few requests as the task allows.
 */
export type Style = "thorough" | "brisk";

/** Files read at once while exploring, both needed ones and their surroundings. */
const FILES_AT_ONCE = 4;

/** The next step, or the words with which the worker ends the task. */
export function decide(known: Knowledge, recipe: Recipe, style: Style): Work | string {
	if (known.passed) return sayFinished(known, recipe);
	const { searches: wanted = [] } = recipe;
	const searches = wanted.filter((pattern) => !known.searches.some((search) => search.pattern === pattern));
	if (searches.length > 0 && knowsNothingOfTurn(known)) return search(known, recipe, searches, style);
	const plan = recipe.plan(known);
	switch (plan.type) {
		case "locate":
			if (searches.length === 0) return giveUp(`nothing in the files matches ${recipe.subject}`);
			return search(known, recipe, searches, style);
		case "inspect":
			return inspect(known, plan.paths, style);
		case "consult":
			// A second run in one turn would print the same.
			return isMade(known, known.start, plan.action)
				? giveUp("the history does not say what was there before")
				: work("read", [plan.action]);
		case "unknown":
			return giveUp(plan.reason);
		case "change": {
			const change = work("change", atOnce(plan.actions, style));
			if (recipe.isPlain) return change;
			const paths = plan.actions.flatMap((action) => ("path" in action ? [action.path] : []));
			return survey(known, paths, style) ?? change;
		}
		case "settled":
			return settle(known, recipe, style);
	}
}

const giveUp = (reason: string): string => `I stop here: ${reason}.`;

function sayFinished(known: Knowledge, recipe: Recipe): string {
	const paths = [...known.changed.keys()];
	const where = paths.length > 0 ? ` I changed ${paths.join(", ")}.` : "";
	return `Done: ${recipe.subject} is as you asked, and the check agrees.${where}`;
}

const run = (command: string) => ({ type: "run", command }) as const;

const work = (stage: Work["stage"], actions: readonly Action[]): Work => ({ stage, actions });

const readAll = (paths: readonly string[]): readonly Action[] =>
	paths.map((path) => ({ type: "read", path }));

const atOnce = (actions: readonly Action[], style: Style): readonly Action[] =>
	style === "thorough" ? actions.slice(0, 1) : actions;

const unseen = ({ views }: Knowledge, paths: readonly string[]): readonly string[] =>
	[...new Set(paths)].filter((path) => !views.has(path));

/** Content of earlier turns may be stale, so nothing is changed before this turn has searched or read. */
function knowsNothingOfTurn({ start, searches, views, changed }: Knowledge): boolean {
	if (searches.length > 0 || changed.size > 0) return false;
	return ![...views.values()].some((view) => view.message > start);
}

/** Reads the files that the prompt or a description names along with the search. */
function search(known: Knowledge, recipe: Recipe, patterns: readonly string[], style: Style): Work {
	const paths = unseen(known, [...recipe.hints, ...known.remembered]);
	const searches = patterns.map((pattern): Action => ({ type: "search", pattern }));
	return work("search", atOnce([...searches, ...readAll(paths.slice(0, FILES_AT_ONCE))], style));
}

/** Reads the needed files, and fills up with other files that the search found. */
function inspect(known: Knowledge, needed: readonly string[], style: Style): Work {
	const found = known.hits.map(({ path }) => path).filter((path) => !needed.includes(path));
	const others = unseen(known, found).slice(0, Math.max(0, FILES_AT_ONCE - needed.length));
	return work("read", atOnce(readAll([...needed, ...others]), style));
}

/** Reviews the edits, then runs the check. */
function settle(known: Knowledge, recipe: Recipe, style: Style): Work {
	const check = work("check", [run(recipe.check.command)]);
	if (recipe.isPlain) return check;
	if (known.changed.size === 0 && style === "thorough") {
		const seen = [...known.views].find(([, view]) => view.message > known.start);
		const looked = survey(known, seen ? [seen[0]] : [], style);
		if (looked) return looked;
	}
	const actions = nextReview(known, style);
	return actions.length > 0 ? work("review", actions) : check;
}

/** The last step of a task at which the worker may survey before the first change. */
const LAST_SURVEY_STEP: Readonly<Record<Style, number>> = { brisk: 3, thorough: 16 };
const HISTORY_HEAD = "git log --oneline -5 -- ";
/** Lines of a file that show its purpose. */
const SKIMMED_LINES = 120;
/** Lines of a list that is only skimmed. */
const LISTED_LINES = 60;

/**
 * A survey before the first change: the history of the files, their users and their imports. Undefined if it is complete;
 * limited to early steps, so that it ends.
 */
function survey(known: Knowledge, paths: readonly string[], style: Style): Work | undefined {
	if (known.step > LAST_SURVEY_STEP[style] || known.changed.size > 0) return undefined;
	const history = run(`${HISTORY_HEAD}${paths.map(quote).join(" ")}`);
	if (style === "brisk") {
		const isHistory = ({ action, message }: Exchange) =>
			message > known.start && action?.type === "run" && action.command.startsWith(HISTORY_HEAD);
		if (known.exchanges.some(isHistory)) return undefined;
		const imports = unseen(known, importsOf(known, paths)).slice(0, FILES_AT_ONCE);
		return work("survey", [history, ...readAll(imports)]);
	}
	const wanted = [history, ...paths.slice(0, 1).flatMap(lookUp), ...surroundings(known, paths)];
	const next = wanted.find((action) => !isMade(known, known.start, action));
	return next && work("survey", [next]);
}

/** The neighbors of a file, and the files that name it. */
function lookUp(path: string): readonly Action[] {
	const folder = path.split("/").slice(0, -1).join("/");
	return [run(`ls -l ${quote(folder)} | head -n ${LISTED_LINES}`), run(searchUsers(path))];
}

/** Matches imports by file name, with or without its extension. */
function searchUsers(path: string): string {
	const name = (path.split("/").at(-1) ?? "").replace(/\.\w+$/, "");
	return `git grep -n -E -e ${quote(`/${name}(\\.[a-z]+)?['"]`)} | head -n ${LISTED_LINES}`;
}

/** Files that the search found, and the first lines of files that use or are used by the files to change. */
function surroundings(known: Knowledge, paths: readonly string[]): readonly Action[] {
	const { exchanges, start } = known;
	const before = exchanges.flatMap(({ action, message }) =>
		message < start && (action?.type === "read" || action?.type === "skim") ? [action.path] : [],
	);
	const isNews = (path: string) => !paths.includes(path) && !before.includes(path);
	const found = [...new Set(known.hits.map(({ path }) => path))].filter(isNews).slice(0, FILES_AT_ONCE);
	const others = [usersOf(known, paths), importsOf(known, paths)].flatMap((related) =>
		related.filter((path) => isNews(path) && !found.includes(path)).slice(0, FILES_AT_ONCE),
	);
	const skims = [...new Set(others)].map((path): Action => ({ type: "skim", path, lines: SKIMMED_LINES }));
	return [...readAll(found), ...skims];
}

/** The files that name one of these, according to the survey. */
function usersOf({ exchanges, start }: Knowledge, paths: readonly string[]): readonly string[] {
	const commands = new Set(paths.map(searchUsers));
	const users = exchanges.flatMap(({ action, text, message }) => {
		const isList = message > start && action?.type === "run" && commands.has(action.command);
		return isList ? readHits(text, message).map(({ path }) => path) : [];
	});
	return [...new Set(users)];
}

/** The files that source files import by a relative path. */
function importsOf({ views }: Knowledge, paths: readonly string[]): readonly string[] {
	const imports = paths.flatMap((path) => {
		const names = (views.get(path)?.text ?? "").matchAll(/\bfrom "(\.[^"]*)"/g);
		return [...names].map(([, name = ""]) => new URL(name, `file:///${path}`).pathname.slice(1));
	});
	return [...new Set(imports)];
}

/** A review after the last change: reads the edited files again, or their difference. */
function nextReview(known: Knowledge, style: Style): readonly Action[] {
	const changed = [...known.changed.keys()];
	const difference = (paths: readonly string[], context: number) =>
		run(`git diff -U${context} -- ${paths.map(quote).join(" ")}`);
	if (style === "thorough") {
		const since = Math.max(-1, ...known.changed.values());
		const action = difference(changed, 8);
		return changed.length === 0 || isMade(known, since, action) ? [] : [action];
	}
	const unread = changed.filter((path) => known.views.get(path)?.changed ?? true);
	return unread.length > 0 ? [...readAll(unread), difference(unread, 1)] : [];
}
