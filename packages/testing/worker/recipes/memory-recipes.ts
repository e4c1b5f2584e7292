/**
 * The recipes for tasks that give a fact which no file holds, and for those that need one. The worker takes it from what it
 * sees, asks a recall for it if it has that tool, and otherwise gives up: it never guesses, and never runs a deployment again.
 */

import { adviceLine, deployCommand, idLine, sumLog } from "../deployment.ts";
import { addLine } from "../goals.ts";
import { findLatest, isMade, type Past } from "../knowledge.ts";
import { escapePattern, wordsOf } from "../naming.ts";
import { type Assignment, type Of, parseAssignment } from "../phrasing.ts";
import { quote } from "../toolbox.ts";
import { lookFirst, type Plan, planEdits, type Recipe, type Recipes } from "./recipe.ts";
import { recipeForConstant } from "./repository-recipes.ts";

/**
 * Writes one line into a file of its own; the check only says that there is one. `otherwise` is the plan where the text is not in
 * sight, for a question that a fact of the session answers: a recall may give it back.
 */
const recipeForNote = (
	past: Past,
	{ subject, notes }: { readonly subject: string; readonly notes: string },
	text: string | undefined,
	otherwise: Plan = planRecall(past, subject),
): Recipe => ({
	subject,
	isPlain: true,
	check: { command: `cat ${quote(notes)}`, passes: (output) => /^\S/.test(output) },
	plan: (known) => {
		if (known.changed.has(notes)) return { type: "settled" };
		if (text === undefined) return otherwise;
		return { type: "change", actions: [{ type: "write", path: notes, content: `${text}\n` }] };
	},
});

/** The codes that the user gave for a subject, oldest first. */
const codesOf = (past: Past, subject: string): readonly string[] =>
	saidOf(past, "told").flatMap((said) => (said.subject === subject ? [said.code] : []));

export const MEMORY_RECIPES = {
	told: (asked, past) => recipeForNote(past, asked, "heard"),
	show: ({ title, notes }, past) => recipeForNote(past, { subject: title, notes }, "heard"),
	recite: (asked, past) => recipeForNote(past, asked, codesOf(past, asked.subject).at(-1)),
	first: (asked, past) => recipeForNote(past, asked, codesOf(past, asked.subject)[0]),

	why({ name, value, notes }, past) {
		const decided = saidOf(past, "decide").find((said) => said.name === name && said.value === value);
		return recipeForNote(past, { subject: name, notes }, decided?.reason);
	},

	release({ label, notes }, past) {
		const registered = new RegExp(`${escapePattern(idLine(label, ""))}([\\w-]+)`);
		return recipeForNote(past, { subject: label, notes }, findLatest(past.texts, registered)?.[1]);
	},

	deploy({ label }) {
		const deployment = { type: "run", command: deployCommand(label) } as const;
		return {
			subject: label,
			isPlain: true,
			check: {
				command: "ls .git/remote",
				passes: (output) => !output.split("\n").includes(label),
			},
			plan: (known) =>
				isMade(known, known.start, deployment)
					? { type: "settled" }
					: { type: "change", actions: [deployment] },
		};
	},

	/** All logs have to be in sight at once: the worker keeps no sum between two requests. */
	total({ notes }, past) {
		const labels = new Set(saidOf(past, "deploy").map(({ label }) => label));
		const sums = [...labels].map((label) => {
			const found = past.texts.map((text) => sumLog(label, text));
			return found.find((sum) => sum !== undefined) ?? Number.NaN;
		});
		const total = sums.reduce((sum, each) => sum + each, 0);
		return recipeForNote(
			past,
			{ subject: "all deployments", notes },
			sums.length === 0 || Number.isNaN(total) ? undefined : String(total),
			{ type: "unknown", reason: "I do not see the logs of all deployments at once" },
		);
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
		if (hasMore) return { type: "consult", action: { type: "recall", query, page: pages.length + 1 } };
	}
	return { type: "unknown", reason: `no recall tells about ${subject}` };
}
