/**
 * The recipes for tasks that give a fact which no file holds, and for those that need one. The worker takes it from what it
 * sees, asks a recall for it if it has that tool, and otherwise gives up: it never guesses, and never runs a deployment again.
 */

import { adviceLine, deployCommand, idLine, sumLog } from "../deployment.ts";
import { addLine } from "../goals.ts";
import { findLatest, type Past, ranSince } from "../knowledge.ts";
import { escapePattern, wordsOf } from "../naming.ts";
import { type Assignment, type Of, parseAssignment } from "../phrasing.ts";
import { quote } from "../toolbox.ts";
import { lookFirst, type Plan, planEdits, type Recipe, type Recipes } from "./recipe.ts";
import { recipeForConstant } from "./repository-recipes.ts";

/** Writes one line into a file of its own; the check only says that there is one. `without`: the plan where no answer is in sight. */
function recipeForNote(
	subject: string,
	notes: string,
	answer: () => string | undefined,
	without: () => Plan,
): Recipe {
	return {
		subject,
		isPlain: true,
		check: { command: `cat ${quote(notes)}`, passes: (output) => /^\S/.test(output) },
		plan: (known) => {
			if (known.changed.has(notes)) return { type: "settled" };
			const text = answer();
			if (text === undefined) return without();
			return { type: "change", actions: [{ type: "write", path: notes, content: `${text}\n` }] };
		},
	};
}

/** The recipe for a fact that the user only says or shows. */
function recipeForHearing(subject: string, notes: string): Recipe {
	const answer = () => "heard";
	return recipeForNote(subject, notes, answer, () => ({ type: "settled" }));
}

/** The recipe for a question that a fact of the session answers, which a recall may give back. */
function recipeForFact(subject: string, notes: string, past: Past, answer: () => string | undefined): Recipe {
	return recipeForNote(subject, notes, answer, () => planRecall(past, subject));
}

/** The code of a subject: `place` 0 is the first that the user gave, -1 the latest. */
const codeOf = (past: Past, subject: string, place: number): string | undefined =>
	saidOf(past, "told")
		.filter((said) => said.subject === subject)
		.at(place)?.code;

export const MEMORY_RECIPES = {
	told: ({ subject, notes }) => recipeForHearing(subject, notes),
	show: ({ title, notes }) => recipeForHearing(title, notes),
	recite: ({ subject, notes }, past) => recipeForFact(subject, notes, past, () => codeOf(past, subject, -1)),
	first: ({ subject, notes }, past) => recipeForFact(subject, notes, past, () => codeOf(past, subject, 0)),

	why: ({ name, value, notes }, past) =>
		recipeForFact(name, notes, past, () => {
			return saidOf(past, "decide").find((said) => said.name === name && said.value === value)?.reason;
		}),

	release({ label, notes }, past) {
		const registered = new RegExp(`${escapePattern(idLine(label, ""))}([\\w-]+)`);
		return recipeForFact(label, notes, past, () => findLatest(past.texts, registered)?.[1]);
	},

	deploy({ label }, { texts }, notesIds) {
		const command = deployCommand(label);
		const registered = new RegExp(`^${escapePattern(idLine(label, ""))}(\\S+)$`, "m");
		return {
			subject: label,
			isPlain: true,
			check: {
				command: "ls .git/remote",
				passes: (output) => !output.split("\n").includes(label),
			},
			findings: () => {
				const id = notesIds ? findLatest(texts, registered)?.[1] : undefined;
				return id === undefined ? [] : [idLine(label, id)];
			},
			plan: (known) =>
				ranSince(known, known.start, (ran) => ran === command)
					? { type: "settled" }
					: { type: "change", actions: [{ type: "run", command }] },
		};
	},

	/** All logs have to be in sight at once: the worker keeps no sum between two requests. */
	total({ notes }, past) {
		const answer = () => {
			const labels = new Set(saidOf(past, "deploy").map(({ label }) => label));
			const sums = [...labels].map((label) => {
				const found = past.texts.map((text) => sumLog(label, text));
				return found.find((sum) => sum !== undefined) ?? Number.NaN;
			});
			const total = sums.reduce((sum, each) => sum + each, 0);
			return sums.length === 0 || Number.isNaN(total) ? undefined : String(total);
		};
		const reason = "I do not see the logs of all deployments at once";
		return recipeForNote("all deployments", notes, answer, () => ({ type: "unknown", reason }));
	},

	advise({ label }, past) {
		const advised = new RegExp(
			`${escapePattern(adviceLine(label, "NAME", "")).replace("NAME", "(\\w+)")}(\\d+)`,
		);
		const [, name, value] = findLatest(past.texts, advised) ?? [];
		if (name === undefined || value === undefined) return lookFirst(label, () => planRecall(past, label));
		return {
			...recipeForConstant(name, Number(value)),
			// The task keeps one name from its first request to its last.
			subject: label,
			findings: () => [adviceLine(label, name, value)],
		};
	},

	insert({ title, path }, past) {
		const wording = saidOf(past, "show").find((said) => said.title === title)?.wording;
		if (wording === undefined) return lookFirst(title, () => planRecall(past, title));
		return {
			subject: title,
			hints: [path],
			check: {
				command: `git diff --numstat -- ${quote(path)}`,
				passes: (output) => /^[1-9]\d*\t0\t/m.test(output),
			},
			plan: (known) => planEdits(known, { place: path, goal: addLine(wording) }),
		};
	},
} satisfies Partial<Recipes>;

/** Everything of a kind that the user said, oldest first. Recalled text is older than what still stands there. */
function saidOf<T extends Assignment["type"]>(
	{ assignments, recalled }: Past,
	type: T,
): readonly Extract<Assignment, Of<T>>[] {
	const isWanted = (said: Assignment): said is Extract<Assignment, Of<T>> => said.type === type;
	const lines = [...(recalled?.values() ?? [])].flat().flatMap((page) => page.split("\n"));
	return [...lines.flatMap((line) => parseAssignment(line) ?? []), ...assignments].filter(isWanted);
}

/**
 * Asks for the episodes that are named after the subject, each page after page, and then for the subject in words. Gives
 * up if there is no recall or nothing more to ask.
 */
function planRecall({ episodes, recalled }: Past, subject: string): Plan {
	if (!recalled) return { type: "unknown", reason: `nothing that I see tells about ${subject}` };
	const named = episodes.filter((name) => name.includes(`-${wordsOf(subject)}-`));
	for (const query of [...named, subject]) {
		const pages = recalled.get(query) ?? [];
		const hasMore = pages.length === 0 || /, page \d+ goes on\./.test(pages.at(-1)?.split("\n", 1)[0] ?? "");
		if (hasMore) return { type: "recall", query, page: pages.length + 1 };
	}
	return { type: "unknown", reason: `no recall tells about ${subject}` };
}
