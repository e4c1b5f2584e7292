/** A deterministic stand-in for a language model that carries out small code tasks with real tools. */

import type { ModelReply, ModelRequest, ScriptedModel } from "../model.ts";
import { annotate } from "./annotation.ts";
import { type Decision, decide, episodeTypeOf } from "./decision.ts";
import { type Episodes, readEpisodes } from "./episodes.ts";
import { findTurn, gatherKnowledge, type Knowledge } from "./knowledge.ts";
import { nameTask } from "./naming.ts";
import { describeFindings, sayFinished, sayStep, think } from "./narration.ts";
import { readPast } from "./past.ts";
import { recallInstead } from "./recalled-files.ts";
import type { Recipe } from "./recipe.ts";
import { recipeFor } from "./recipes.ts";
import { STYLES, type Style } from "./style.ts";
import { type Action, spellAction } from "./toolbox.ts";

export interface WorkerOptions {
	/** Requests per task after which the worker gives up; 40 by default. */
	readonly patience?: number;
	/** Its working style; brisk by default. */
	readonly style?: Style;
	/** True if its words carry the ids that a log showed; false by default, so that only the log has them. */
	readonly notesIds?: boolean;
	/** How it gets files back that left the context: it reads them again, the default, or recalls what a line names. */
	readonly repairsBy?: "reading" | "recall";
}

const PATIENCE = 40;
const MAX_DEPENDENCIES = 4;

/**
 * A worker that knows only the request: the user turns, and the visible calls and results. The same request gives the
 * same reply. It never throws, whatever the request holds.
 */
export function createWorker(options: WorkerOptions = {}): ScriptedModel {
	const { patience = PATIENCE, style = STYLES.brisk, notesIds = false, repairsBy = "reading" } = options;
	return (request) => {
		const turn = findTurn(request);
		if (!turn) return { text: "There is no task here that I know how to do." };
		const recipe = recipeFor(turn.assignment, readPast(request, turn), notesIds);
		const known = gatherKnowledge(request, turn, recipe);
		const decision = decide(known, recipe, style);
		if (decision.type === "finished") return { text: sayFinished(known, recipe) };
		if (decision.type === "stuck") return { text: `I stop here: ${decision.reason}.` };
		if (turn.step > patience) return { text: `I give up after ${patience} requests on ${recipe.subject}.` };
		if (repairsBy === "reading") return doWork(request, known, recipe, decision);
		const actions = decision.actions.map((action) => recallInstead(request, known, action));
		return doWork(request, known, recipe, { ...decision, actions });
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
	return { ...(thinking ? { thinking } : {}), text: sayStep(known, recipe, stage), calls: annotated };
}

/** A check without an open episode of the task is an exploration; otherwise it closes the open one. */
function typeOfEpisode(stage: string, { open }: Episodes, task: string): "expl" | "act" {
	if (stage !== "check") return episodeTypeOf(stage);
	return open?.name.includes(task) ? open.type : "expl";
}

/** The expl episodes of this task, and those in which the files to change were seen. */
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
	return wanted.slice(-MAX_DEPENDENCIES);
}
