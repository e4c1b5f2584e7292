/** Decides the next step of a task: the real calls, and the type of their episode. */
import type { EpisodeType } from "./episodes.ts";
import type { Knowledge } from "./knowledge.ts";
import type { Recipe } from "./recipes/recipe.ts";
import { type Action, quote, readAction } from "./toolbox.ts";

export type Decision =
	| {
			readonly type: "work";
			readonly stage: "search" | "read" | "survey" | "change" | "review" | "check";
			readonly actions: readonly Action[];
	  }
	| { readonly type: "finished" }
	| { readonly type: "stuck"; readonly reason: string };

const EXPLORING: readonly string[] = ["search", "read", "survey"];

export const episodeTypeOf = (stage: string): EpisodeType => (EXPLORING.includes(stage) ? "expl" : "act");

export function decide(known: Knowledge, recipe: Recipe, style: Style): Decision {
	if (known.passed) return { type: "finished" };
	const searches = recipe.searches.filter(
		(pattern) => !known.searches.some((search) => search.pattern === pattern),
	);
	if (searches.length > 0 && knowsNothingOfTurn(known)) return search(known, recipe, searches, style);
	const plan = recipe.plan(known);
	switch (plan.type) {
		case "locate":
			if (searches.length === 0)
				return { type: "stuck", reason: `nothing in the files matches ${recipe.subject}` };
			return search(known, recipe, searches, style);
		case "inspect":
			return inspect(known, plan.paths, style);
		case "consult":
			return consult(known, plan.command);
		case "recall":
			return work("read", [plan]);
		case "unknown":
			return { type: "stuck", reason: plan.reason };
		case "change": {
			if (recipe.isPlain) return work("change", atOnce(plan.actions, style));
			const paths = plan.actions.flatMap((action) => ("path" in action ? [action.path] : []));
			return survey(known, paths, style) ?? work("change", atOnce(plan.actions, style));
		}
		case "settled":
			return settle(known, recipe, style);
	}
}

type Stage = Extract<Decision, { readonly type: "work" }>["stage"];

const work = (stage: Stage, actions: readonly Action[]): Decision => ({ type: "work", stage, actions });

const readAll = (paths: readonly string[]): readonly Action[] =>
	paths.map((path) => ({ type: "read", path }));

const atOnce = (actions: readonly Action[], { isSequential }: Style): readonly Action[] =>
	isSequential ? actions.slice(0, 1) : actions;

/** Content of earlier turns may be stale, so nothing is changed before this turn has searched or read. */
function knowsNothingOfTurn({ turn, searches, views, changed }: Knowledge): boolean {
	if (searches.length > 0 || changed.size > 0) return false;
	return ![...views.values()].some((view) => view.message > turn.message);
}

/** Reads the files that the prompt or a description names along with the search. */
function search(known: Knowledge, recipe: Recipe, patterns: readonly string[], style: Style): Decision {
	const paths = [...new Set([...recipe.hints, ...known.remembered])].filter((path) => !known.views.has(path));
	const searches = patterns.map((pattern): Action => ({ type: "search", pattern }));
	return work("search", atOnce([...searches, ...readAll(paths.slice(0, style.filesAtOnce))], style));
}

/** Reads the needed files, and fills up with other files that the search found. */
function inspect(known: Knowledge, needed: readonly string[], style: Style): Decision {
	const others = known.hits
		.map(({ path }) => path)
		.filter((path) => !known.views.has(path) && !needed.includes(path));
	const beside = [...new Set(others)].slice(0, Math.max(0, style.filesAtOnce - needed.length));
	return work("read", atOnce(readAll([...needed, ...beside]), style));
}

/** Gives up if the command already ran in this turn: a second run would print the same. */
function consult({ turn, exchanges }: Knowledge, command: string): Decision {
	const isRun = exchanges.some(
		({ call, message }) => message > turn.message && call.arguments.command === command,
	);
	if (isRun) return { type: "stuck", reason: "the history does not say what was there before" };
	return work("read", [{ type: "run", command }]);
}

function survey(known: Knowledge, paths: readonly string[], style: Style): Decision | undefined {
	const actions = nextSurvey(known, paths, style);
	return actions.length > 0 ? work("survey", actions) : undefined;
}

/** Reviews the edits, then runs the check. */
function settle(known: Knowledge, recipe: Recipe, style: Style): Decision {
	const check = work("check", [{ type: "run", command: recipe.check.command }]);
	if (recipe.isPlain) return check;
	if (known.changed.size === 0 && style.isSequential) {
		const seen = [...known.views].filter(([, view]) => view.message > known.turn.message);
		const looked = survey(
			known,
			seen.slice(0, 1).map(([path]) => path),
			style,
		);
		if (looked) return looked;
	}
	const actions = nextReview(known, style);
	if (actions.length > 0) return work("review", actions);
	return check;
}

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

/** The next calls; none if everything was reviewed. */
export function nextReview(known: Knowledge, style: Style): readonly Action[] {
	const changed = [...known.changed.keys()];
	if (changed.length === 0) return [];
	if (style.isSequential) {
		const action = difference(changed, 8);
		return isRun(known, action) ? [] : [action];
	}
	const unread = changed.filter((path) => known.views.get(path)?.changed ?? true);
	const reads = unread.map((path): Action => ({ type: "read", path }));
	return unread.length > 0 ? [...reads, difference(unread, 1)] : [];
}

const difference = (paths: readonly string[], context: number): Action => ({
	type: "run",
	command: `git diff -U${context} -- ${paths.map(quote).join(" ")}`,
});

function isRun({ exchanges, changed }: Knowledge, action: Action): boolean {
	const since = Math.max(-1, ...changed.values());
	return exchanges.some(
		({ call, message }) =>
			message > since && action.type === "run" && call.arguments.command === action.command,
	);
}

export interface Style {
	/** True for one call per request, as most agents work most of the time; false for as many as fit together. */
	readonly isSequential: boolean;
	/** Files read at once while exploring, both needed ones and their surroundings. */
	readonly filesAtOnce: number;
	/** The last step of a task at which the worker may survey before the first change. */
	readonly lastSurveyStep: number;
}

export const STYLES = {
	/** As few requests as the task allows. */
	brisk: { isSequential: false, filesAtOnce: 4, lastSurveyStep: 3 },
	/** One call at a time, with a survey before a change and a review after it. */
	thorough: { isSequential: true, filesAtOnce: 4, lastSurveyStep: 16 },
} as const satisfies Readonly<Record<string, Style>>;
