/** The recipes for tasks that give a fact: they have little to do, and what they show is needed later. */

import { recipeForConstant } from "../constant-recipes.ts";
import type { Past } from "../past.ts";
import { escapePattern } from "../pattern.ts";
import type { Recipe } from "../recipe.ts";
import { quote } from "../toolbox.ts";
import { deployCommand, idLine } from "./deployment.ts";
import type { MemoryAssignment } from "./memory-assignment.ts";
import { findShown } from "./sightings.ts";

type Of<T extends MemoryAssignment["type"]> = Extract<MemoryAssignment, { readonly type: T }>;

/** Writes one line into a file of its own; the check only says that there is one. */
export function recipeForNote(
	subject: string,
	notes: string,
	answer: () => string | undefined,
	without: () => ReturnType<Recipe["plan"]>,
): Recipe {
	return {
		subject,
		searches: [],
		hints: [],
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

const settled = () => ({ type: "settled" }) as const;

export const recipeForTold = ({ subject, notes }: Of<"told">): Recipe =>
	recipeForNote(subject, notes, () => "heard", settled);

export const recipeForShow = ({ title, notes }: Of<"show">): Recipe =>
	recipeForNote(title, notes, () => "heard", settled);

export const recipeForDecision = ({ name, value }: Of<"decide">): Recipe =>
	recipeForConstant({ type: "constant", name, value });

/** `notesIds`: its words carry the id that the log showed. */
export function recipeForDeployment({ label }: Of<"deploy">, { sightings }: Past, notesIds: boolean): Recipe {
	const command = deployCommand(label);
	const registered = new RegExp(`^${escapePattern(idLine(label, ""))}(\\S+)$`, "m");
	return {
		subject: label,
		searches: [],
		hints: [],
		isPlain: true,
		check: {
			command: "ls .git/remote",
			passes: (output) => !output.split("\n").includes(label),
		},
		findings: () => {
			const id = notesIds ? findShown(sightings, registered)?.[1] : undefined;
			return id === undefined ? [] : [idLine(label, id)];
		},
		plan: ({ exchanges, turn }) =>
			exchanges.some(({ call, message }) => message > turn.message && call.arguments.command === command)
				? { type: "settled" }
				: { type: "change", actions: [{ type: "run", command }] },
	};
}
