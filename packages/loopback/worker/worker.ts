/** A deterministic stand-in for a language model that carries out small code tasks with real tools. */

import type { ModelReply, ModelRequest, ScriptedModel } from "../model.ts";
import { annotate } from "./annotation.ts";
import { type Decision, decide, episodeTypeOf } from "./decision.ts";
import { type Episodes, readEpisodes } from "./episodes.ts";
import { findTurn, gatherKnowledge, type Knowledge } from "./knowledge.ts";
import { describeFindings, sayFinished, sayStep, think } from "./narration.ts";
import type { Recipe } from "./recipe.ts";
import { recipeFor } from "./recipes.ts";
import { type Action, spellAction } from "./toolbox.ts";

export interface WorkerOptions {
	/** Requests within one task after which the worker gives up; 40 when left out. */
	readonly patience?: number;
}

const PATIENCE = 40;
const MOST_DEPENDENCIES = 4;

/**
 * A worker that knows nothing but the request in front of it: the user turns, and the calls and results that are
 * still visible. The same request gives the same reply. It never throws on what a request may hold.
 */
export function createWorker({ patience = PATIENCE }: WorkerOptions = {}): ScriptedModel {
	return (request) => {
		const turn = findTurn(request);
		if (!turn) return { text: "There is no task here that I know how to do." };
		const recipe = recipeFor(turn.assignment);
		const known = gatherKnowledge(request, turn, recipe);
		const decision = decide(known, recipe);
		if (decision.type === "finished") return { text: sayFinished(known, recipe) };
		if (decision.type === "stuck") return { text: `I stop here: ${decision.reason}.` };
		if (turn.step > patience) return { text: `I give up after ${patience} requests on ${recipe.subject}.` };
		return doWork(request, known, recipe, decision);
	};
}

function doWork(
	request: ModelRequest,
	known: Knowledge,
	recipe: Recipe,
	{ stage, actions }: Extract<Decision, { readonly type: "work" }>,
): ModelReply {
	const { tools } = request;
	const calls = actions.flatMap((action) => spellAction(action, tools));
	const episodes = readEpisodes(request.messages);
	const task = nameTask(recipe.subject, known.turn.prompt);
	const annotated = tools.some((tool) => tool.name === "delimiter")
		? annotate(
				episodes,
				{
					type: typeOfEpisode(stage, episodes, task),
					task,
					step: known.turn.step,
					description: describeFindings(known, recipe),
					dependencies: listDependencies(known, episodes, task, actions),
					closing: stage === "check",
				},
				calls,
			)
		: calls;
	const thinking = think(known, recipe, stage);
	return { ...(thinking ? { thinking } : {}), text: sayStep(known.turn.step, stage), calls: annotated };
}

/** A check alone, with nothing left in sight to build on, is an exploration; else it closes what is open. */
function typeOfEpisode(stage: string, { open }: Episodes, task: string): "expl" | "act" {
	if (stage !== "check") return episodeTypeOf(stage);
	return open?.name.includes(task) ? open.type : "expl";
}

/** The expl episodes of this task, and those in which the files to be changed were seen. */
function listDependencies(
	known: Knowledge,
	{ closed, byCall }: Episodes,
	task: string,
	actions: readonly Action[],
): readonly string[] {
	const seen = actions.flatMap((action) => {
		const view = "path" in action ? known.views.get(action.path) : undefined;
		return (view?.callIds ?? []).map((callId) => byCall.get(callId));
	});
	const wanted = closed.filter((name) => name.includes(task) || seen.includes(name));
	return wanted.slice(-MOST_DEPENDENCIES);
}

/** Words of the subject and a digest of the prompt: two tasks on one subject get different names. */
function nameTask(subject: string, prompt: string): string {
	const words = subject
		.replace(/([a-z])([A-Z])/g, "$1-$2")
		.toLowerCase()
		.match(/[a-z0-9]+/g) ?? ["task"];
	let digest = 0;
	for (const character of prompt) digest = (Math.imul(digest, 31) + (character.codePointAt(0) ?? 0)) >>> 0;
	return `${words.slice(0, 4).join("-")}-${digest.toString(36).padStart(7, "0").slice(-4)}`;
}
