/** Plays a task: from its kind, which is data, and what the request shows to the searches, the next step, and the check that it is done. */
import { type Goal, goalOf } from "./edits.ts";
import { findFact, planFact } from "./facts.ts";
import { type Assignment, type Fields, fill, type Kind, kindOf, patternOf, readForm } from "./kinds.ts";
import { findLatest, findPlace, isMade, type Knowledge, type Past, type Plan } from "./knowledge.ts";
import { type Action, changeFile, type LineChange } from "./toolbox.ts";

export type Recipe = ReturnType<typeof recipeFor>;

export function recipeFor(asked: Assignment, past: Past) {
	const kind = kindOf(asked);
	const { plan = "edit", fact, hints = [], searches = [] } = kind;
	const subject = fill(kind.subject, asked);
	const isLookedUp = plan === "match";
	const found = isLookedUp ? {} : findFact(asked, past);
	const folder = String(asked.path ?? "").replace(/\/[^/]*$/, "");
	const fields: Fields = { folder, ...asked, ...kind.known, ...found };
	const isPlain = plan === "note" || plan === "command";
	const isLost = found === undefined && !isPlain;
	return {
		subject,
		/** True for a task without a survey before the change and a review after it. */
		isPlain,
		/** Files that the prompt itself names. */
		hints: hints.map((path) => fill(path, fields)),
		searches: (isLost ? (fact?.searches ?? []) : searches).map((pattern) => fill(pattern, fields)),
		// Nothing is checked before the fact is found.
		check: isLost
			? { command: "git status --short", passes: () => false }
			: { command: fill(kind.check, fields), passes: (output: string) => passes(kind, fields, output) },
		/** Short facts that the rest of the task needs, besides the places. */
		findings(known: Knowledge) {
			if (isLookedUp) {
				const value = readValue(kind, fields, known);
				return value === undefined ? [] : [fill(fact?.noted ?? "", { ...fields, value })];
			}
			const form = fact?.noted ?? fact?.shown ?? "";
			return found && fact?.isNoted ? [fill(form, fields)] : [];
		},
		plan(known: Knowledge): Plan {
			if (plan === "note" && known.changed.has(String(fields.notes))) return { type: "settled" };
			if (!found) return planFact(asked, subject, known);
			return (PLANS[plan] ?? planEdits)(known, kind, fields);
		},
	};
}

function passes({ passes: pattern, edits = [] }: Kind, fields: Fields, output: string): boolean {
	if (pattern !== undefined) return patternOf(pattern, fields).test(output);
	return edits.every((edit) => goalOf(edit, fields)(output) === output);
}

type Planner = (known: Knowledge, kind: Kind, fields: Fields) => Plan;

/** Each way of doing a task that is more than its edits. */
const PLANS: Readonly<Record<string, Planner>> = {
	/** Writes one line into a file of its own; the check only says that there is one. */
	note: (_known, _kind, { notes, answer }) => write(notes, `${answer}\n`),

	/** Runs a command once. */
	command(known, { command = "" }, fields) {
		const action = { type: "run", command: fill(command, fields) } as const;
		return isMade(known, known.start, action) ? { type: "settled" } : { type: "change", actions: [action] };
	},

	/** The files that a search of this turn found and that did not change since, plus the files seen in this turn. */
	rename(known, { edits = [], searches = [] }, fields) {
		const old = patternOf(searches[0] ?? "", fields);
		const found = known.hits.filter(({ path, message }) => (known.changed.get(path) ?? -1) < message);
		const seen = [...known.views].filter(([, { message, text }]) => message > known.start && old.test(text));
		const paths = [...found.map(({ path }) => path), ...seen.map(([path]) => path)];
		const inside = [...new Set(paths)].filter((path) => /^(src|docs)\//.test(path));
		if (inside.length === 0) return { type: known.searches.length > 0 ? "settled" : "locate" };
		return planEdits(
			known,
			{ edits: edits.flatMap((edit) => inside.map((path) => ({ ...edit, path }))) },
			fields,
		);
	},

	/** The value of the other constant is looked up in this turn and noted, because no earlier source is certain. */
	match(known, kind, fields) {
		const value = readValue(kind, fields, known);
		if (value !== undefined) return planEdits(known, kind, { ...fields, value });
		const path = findPlace(known, patternOf(kind.place ?? "", fields));
		return path === undefined ? { type: "locate" } : { type: "inspect", paths: [path] };
	},

	/** The note decides, even if the code has changed since. */
	reuse(known, kind, fields) {
		const note = patternOf(kind.reads ?? "", fields);
		const value = [...known.views.values()].flatMap(({ text }) => note.exec(text)?.[1] ?? [])[0];
		if (value !== undefined) return planEdits(known, kind, { ...fields, value });
		const hit = known.hits.find(({ text }) => note.test(text));
		if (!hit) return { type: "locate" };
		const rest = planEdits(known, kind, { ...fields, value: "" });
		return { type: "inspect", paths: [hit.path, ...(rest.type === "inspect" ? rest.paths : [])] };
	},

	/** Looks the answer up and writes it down; the check compares it with the code. */
	answer(known, { reads = "" }, fields) {
		const { name, notes } = fields;
		const note = known.views.get(String(notes));
		const written = new RegExp(`^${name}: (.+)$`, "m");
		if (note && note.message > known.start && written.test(note.text)) return { type: "settled" };
		const pattern = patternOf(reads, fields);
		const path = findPlace(known, pattern);
		if (path === undefined) return { type: "locate" };
		const found = pattern.exec(known.views.get(path)?.text ?? "");
		if (!found) return { type: "inspect", paths: [path] };
		const head = `# ${name}\n\nLooked up in the code; what stands there decides if the two differ.`;
		return write(notes, `${head}\n\n${name}: ${found[1] ?? path}\n\nSource: ${path}\n`);
	},
};

const write = (path: unknown, content: string): Plan => ({
	type: "change",
	actions: [{ type: "write", path: String(path), content }],
});

function readValue({ reads = "", fact }: Kind, fields: Fields, known: Knowledge): string | undefined {
	const pattern = patternOf(reads, fields);
	const views = [...known.views.values()].filter(({ message }) => message > known.start);
	const found = views.flatMap(({ text }) => pattern.exec(text)?.[1] ?? [])[0];
	return found ?? findLatest(known.notes, readForm(fact?.noted ?? "", fields))?.groups?.value;
}

/** Locates all places, each in a file of its own, reads the files that are not visible, then changes them together. */
function planEdits(known: Knowledge, { edits = [] }: Pick<Kind, "edits">, fields: Fields): Plan {
	const located = edits.flatMap((edit) => {
		const { path: own, place = "" } = edit;
		const path = own === undefined ? findPlace(known, patternOf(place, fields)) : fill(own, fields);
		return path === undefined ? [] : [{ path, goal: goalOf(edit, fields) }];
	});
	if (located.length < edits.length) return { type: "locate" };
	const unseen = located.map(({ path }) => path).filter((path) => !known.views.has(path));
	if (unseen.length > 0) return { type: "inspect", paths: [...new Set(unseen)] };
	const actions = located.flatMap(({ path, goal }) =>
		changeBy(path, known.views.get(path)?.text ?? "", goal),
	);
	return actions.length > 0 ? { type: "change", actions } : { type: "settled" };
}

/** Nothing changes where the file is already right, or not one that the goal fits. */
function changeBy(path: string, text: string, goal: Goal): readonly Action[] {
	const changes = changesBetween(text.split("\n"), (goal(text) ?? text).split("\n"));
	return changes.length > 0 ? [changeFile(path, text, changes)] : [];
}

/**
 * The lines in which two texts differ. An insertion covers both neighbors, so that it cannot be made twice: once they are
 * apart, the old text is no longer found.
 */
function changesBetween(before: readonly string[], after: readonly string[]): readonly LineChange[] {
	if (before.length === after.length) {
		return after.flatMap((line, at) => (line === before[at] ? [] : [{ start: at, end: at, lines: [line] }]));
	}
	const same = before.findIndex((line, at) => line !== after[at]);
	const fromEnd = before.toReversed().findIndex((line, at) => line !== after.at(-1 - at));
	const tail = fromEnd === -1 ? before.length : fromEnd;
	const start = Math.max(0, Math.min(same === -1 ? before.length : same, before.length - tail) - 1);
	const end = Math.min(before.length - 1, before.length - tail);
	return [{ start, end, lines: after.slice(start, after.length - (before.length - 1 - end)) }];
}
