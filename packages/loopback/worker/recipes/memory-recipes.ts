/**
 * The recipes for tasks that give a fact which no file holds, and for those that need one. The worker takes it from what it
 * sees, asks a recall for it if it has that tool, and otherwise gives up: it never guesses, and never runs a deployment again.
 */
import type { Assignment, Of } from "../assignment.ts";
import { adviceLine, deployCommand, idLine, sumLog } from "../deployment.ts";
import { addLine } from "../goals.ts";
import { ranSince } from "../knowledge.ts";
import { escapePattern } from "../naming.ts";
import { findShown, type Past, planRecall, recalledAssignments } from "../past.ts";
import { quote } from "../toolbox.ts";
import { recipeForConstant } from "./constant-recipes.ts";
import { lookFirst, planEdits, type Recipe } from "./recipe.ts";

/** Writes one line into a file of its own; the check only says that there is one. */
function recipeForNote(
	subject: string,
	notes: string,
	answer: () => string | undefined,
	without: () => ReturnType<Recipe["plan"]>,
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
export const recipeForHearing = (subject: string, notes: string): Recipe =>
	recipeForNote(
		subject,
		notes,
		() => "heard",
		() => ({ type: "settled" }),
	);

/** `notesIds`: its words carry the id that the log showed. */
export function recipeForDeployment({ label }: Of<"deploy">, { sightings }: Past, notesIds: boolean): Recipe {
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
			const id = notesIds ? findShown(sightings, registered)?.[1] : undefined;
			return id === undefined ? [] : [idLine(label, id)];
		},
		plan: (known) =>
			ranSince(known, known.turn.message, (ran) => ran === command)
				? { type: "settled" }
				: { type: "change", actions: [{ type: "run", command }] },
	};
}

export function recipeForCode({ type, subject, notes }: Of<"recite" | "first">, past: Past): Recipe {
	const answer = () => {
		const told = saidOf(past, "told").filter((said) => said.subject === subject);
		return (type === "first" ? told[0] : told.at(-1))?.code;
	};
	return recipeForNote(subject, notes, answer, () => planRecall(past.sightings, subject));
}

export function recipeForReason({ name, value, notes }: Of<"why">, past: Past): Recipe {
	const answer = () =>
		saidOf(past, "decide").find((said) => said.name === name && said.value === value)?.reason;
	return recipeForNote(name, notes, answer, () => planRecall(past.sightings, name));
}

export function recipeForRelease({ label, notes }: Of<"release">, { sightings }: Past): Recipe {
	const registered = new RegExp(`${escapePattern(idLine(label, ""))}([\\w-]+)`);
	const answer = () => findShown(sightings, registered)?.[1];
	return recipeForNote(label, notes, answer, () => planRecall(sightings, label));
}

/** All logs have to be in sight at once: the worker keeps no sum between two requests. */
export function recipeForTotal({ notes }: Of<"total">, past: Past): Recipe {
	const answer = () => {
		const labels = new Set(saidOf(past, "deploy").map(({ label }) => label));
		const sums = [...labels].map((label) => {
			const found = past.sightings.texts.map((text) => sumLog(label, text));
			return found.find((sum) => sum !== undefined) ?? Number.NaN;
		});
		const total = sums.reduce((sum, each) => sum + each, 0);
		return sums.length === 0 || Number.isNaN(total) ? undefined : String(total);
	};
	const reason = "I do not see the logs of all deployments at once";
	return recipeForNote("all deployments", notes, answer, () => ({ type: "unknown", reason }));
}

export function recipeForAdvice({ label }: Of<"advise">, { sightings }: Past): Recipe {
	const advised = new RegExp(
		`${escapePattern(adviceLine(label, "NAME", "")).replace("NAME", "(\\w+)")}(\\d+)`,
	);
	const [, name, value] = findShown(sightings, advised) ?? [];
	if (name === undefined || value === undefined) return lookFirst(label, () => planRecall(sightings, label));
	return {
		...recipeForConstant({ type: "constant", name, value: Number(value) }),
		// The task keeps one name from its first request to its last.
		subject: label,
		findings: () => [adviceLine(label, name, value)],
	};
}

export function recipeForInsertion({ title, path }: Of<"insert">, past: Past): Recipe {
	const wording = saidOf(past, "show").find((said) => said.title === title)?.wording;
	if (wording === undefined) return lookFirst(title, () => planRecall(past.sightings, title));
	return {
		subject: title,
		hints: [path],
		check: {
			command: `git diff --numstat -- ${quote(path)}`,
			passes: (output) => /^[1-9]\d*\t0\t/m.test(output),
		},
		plan: (known) => planEdits(known, { place: path, goal: addLine(wording) }),
	};
}

/** Everything of a kind that the user said, oldest first. Recalled text is older than what still stands there. */
function saidOf<T extends Assignment["type"]>(
	{ assignments, sightings }: Past,
	type: T,
): readonly Extract<Assignment, Of<T>>[] {
	const isWanted = (said: Assignment): said is Extract<Assignment, Of<T>> => said.type === type;
	return [...recalledAssignments(sightings), ...assignments].filter(isWanted);
}
