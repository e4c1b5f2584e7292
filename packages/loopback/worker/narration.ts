/** The worker's words: step numbers, thoughts and closing words, the same for the same facts. */

import type { Assignment } from "./assignment.ts";
import type { Knowledge } from "./knowledge.ts";
import type { Recipe } from "./recipe.ts";

const NOTED_PLACES = 6;

const SAYINGS: Readonly<Record<string, string>> = {
	search: "Looking for the place.",
	read: "Reading what the search found.",
	survey: "Looking around before the change.",
	change: "Making the change.",
	review: "Looking at the outcome.",
	check: "Checking against the repository.",
};

/** The step number tells a later reply how far the task is, even if the earlier replies are evicted. */
export function sayStep(known: Knowledge, recipe: Recipe, stage: string): string {
	const said = `Step ${known.turn.step}: ${SAYINGS[stage] ?? "Going on."}`;
	const findings = recipe.findings?.(known) ?? [];
	return findings.length > 0 ? `${said} Note: ${findings.join("; ")}.` : said;
}

/** Thoughts at the stages where a model would weigh options; undefined at the others. */
export function think(known: Knowledge, recipe: Recipe, stage: string): string | undefined {
	const { assignment } = known.turn;
	if (stage === "search") {
		return `The task is about ${recipe.subject}. I see ${known.views.size} files of this repository at the moment, but some of it may be out of date. A search of the whole tree tells me which of them still matter, and whether anything moved since.`;
	}
	if (stage === "change") {
		const places = listPlaces(known).slice(0, NOTED_PLACES).join(", ");
		return `The search led to ${places || "the files in view"}. ${weigh(assignment)} I copy the old text from what I have in front of me, and if it does not fit I read the file again.`;
	}
	return undefined;
}

function weigh(assignment: Assignment): string {
	switch (assignment.type) {
		case "rename":
			return "Every mention has to go at once, or the imports break.";
		case "option":
			return "The config, the interface and the function have to agree on the name.";
		case "bug":
			return "Other functions have the same comparison, so the edit has to be wide enough to be the only match.";
		case "reuse":
			return "The note decides here, not the present value in the code.";
		case "adjust":
			return "Only the description was told, so the name comes from the line below it.";
		default:
			return "One place defines it, and the others only use it.";
	}
}

/** The findings of an expl, in one line. */
export function describeFindings(known: Knowledge, recipe: Recipe): string {
	const places = listPlaces(known);
	const facts = (recipe.findings?.(known) ?? []).map((fact) => ` ${fact}.`).join("");
	if (places.length === 0) return `${recipe.subject}: no place found yet.${facts}`;
	const rest = places.length > NOTED_PLACES ? ` and ${places.length - NOTED_PLACES} more places` : "";
	return `${recipe.subject}: found at ${places.slice(0, NOTED_PLACES).join(", ")}${rest}.${facts}`;
}

function listPlaces(known: Knowledge): readonly string[] {
	const hits = known.hits.map(({ path, line }) => `${path}:${line}`);
	if (hits.length > 0) return hits;
	return [...known.views].filter(([, view]) => view.message > known.turn.message).map(([path]) => path);
}

export function sayFinished(known: Knowledge, recipe: Recipe): string {
	const paths = [...known.changed.keys()];
	const where = paths.length > 0 ? ` I changed ${paths.join(", ")}.` : "";
	return `Done: ${recipe.subject} is as you asked, and the check agrees.${where}`;
}
