/** A deterministic stand-in for a language model that carries out small code tasks with real tools. */
import type { ModelReply, ModelRequest, ScriptedModel } from "../model.ts";
import { decide, type Style } from "./decision.ts";
import { makeCalls, type Work } from "./episodes.ts";
import { gatherKnowledge, type Knowledge, readPast } from "./knowledge.ts";
import { nameTask } from "./naming.ts";
import { type Recipe, recipeFor } from "./recipe.ts";
import TEXTS from "./texts.json" with { type: "json" };

export interface WorkerOptions {
	/** Requests per task after which the worker gives up; 40 by default. */
	readonly patience?: number;
	/** Its working style; brisk by default. */
	readonly style?: Style;
}

const PATIENCE = 40;

/**
 * A worker that knows only the request: the user turns, and the visible calls and results. The same request gives the
 * same reply. It never throws, whatever the request holds.
 */
export function createWorker(options: WorkerOptions = {}): ScriptedModel {
	const { patience = PATIENCE, style = "brisk" } = options;
	return (request) => {
		const past = readPast(request);
		if (!past) return { text: "There is no task here that I know how to do." };
		const recipe = recipeFor(past.assignment, past);
		const known = gatherKnowledge(request, past, recipe);
		const next = decide(known, recipe, style);
		if (typeof next === "string") return { text: next };
		if (past.step > patience) return { text: `I give up after ${patience} requests on ${recipe.subject}.` };
		return doWork(request, known, recipe, next);
	};
}

function doWork(request: ModelRequest, known: Knowledge, recipe: Recipe, work: Work): ModelReply {
	const { stage, actions } = work;
	const calls = makeCalls(request, {
		...work,
		task: nameTask(recipe.subject, known.prompt),
		step: known.step,
		description: describeFindings(known, recipe),
		// The files to change were seen there.
		sources: actions.flatMap((action) =>
			"path" in action ? (known.views.get(action.path)?.callIds ?? []) : [],
		),
	});
	const thinking = think(known, recipe, stage);
	return { ...(thinking ? { thinking } : {}), text: sayStep(known, recipe, stage), calls };
}

const NOTED_PLACES = 6;

const SAYINGS: Readonly<Record<Work["stage"], string>> = TEXTS.sayings.tasks;
/** The thought before a change, by the kind of task. */
const WEIGHING: Readonly<Record<string, string>> = TEXTS.sayings.weighing;

/** The step number tells a later reply how far the task is, even if the earlier replies are evicted. */
function sayStep(known: Knowledge, recipe: Recipe, stage: Work["stage"]): string {
	const said = `Step ${known.step}: ${SAYINGS[stage]}`;
	const findings = recipe.findings(known);
	return findings.length > 0 ? `${said} Note: ${findings.join("; ")}.` : said;
}

/** Thoughts at the stages where a model would weigh options; undefined at the others. */
function think(known: Knowledge, recipe: Recipe, stage: string): string | undefined {
	const { assignment } = known;
	if (stage === "search") {
		return `The task is about ${recipe.subject}. I see ${known.views.size} files of this repository at the moment, but some of it may be out of date. A search of the whole tree tells me which of them still matter, and whether anything moved since.`;
	}
	if (stage === "change") {
		const places = listPlaces(known).slice(0, NOTED_PLACES).join(", ");
		return `The search led to ${places || "the files in view"}. ${WEIGHING[assignment.type] ?? WEIGHING.other} I copy the old text from what I have in front of me, and if it does not fit I read the file again.`;
	}
	return undefined;
}

/** The findings of an expl, in one line. */
function describeFindings(known: Knowledge, recipe: Recipe): string {
	const places = listPlaces(known);
	const facts = recipe
		.findings(known)
		.map((fact) => ` ${fact}.`)
		.join("");
	if (places.length === 0) return `${recipe.subject}: no place found yet.${facts}`;
	const rest = places.length > NOTED_PLACES ? ` and ${places.length - NOTED_PLACES} more places` : "";
	return `${recipe.subject}: found at ${places.slice(0, NOTED_PLACES).join(", ")}${rest}.${facts}`;
}

function listPlaces(known: Knowledge): readonly string[] {
	const hits = known.hits.map(({ path, line }) => `${path}:${line}`);
	if (hits.length > 0) return hits;
	return [...known.views].filter(([, view]) => view.message > known.start).map(([path]) => path);
}
