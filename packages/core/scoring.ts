/**
 * What a unit is worth keeping for. The form is the one that held on recorded sessions (value by kind, freshness, age
 * and size, all logarithmic in tokens); its weights were rounded, since none of them matters by itself.
 */
import type { Episode, Graph } from "./graph.ts";
import { isEdit, type Timeline } from "./timeline.ts";
import { showsFiles, type ToolTable } from "./tool-table.ts";
import type { Unit } from "./units.ts";

const weights = {
	/** What the agent wrote itself, until it is read again. */
	edit: 2,
	/** The content of files, against searches, runs and listings. */
	view: 2,
	/** Lines that nothing younger shows. */
	fresh: 1.5,
	/** An act that is open depends on it. */
	needed: 1.5,
	/** The model said that it is done with it. */
	finished: 0.5,
	text: 0.5,
	age: 0.4,
	named: 0.3,
	edited: 0.3,
	turns: 0.8,
	size: 0.25,
};

/** Times and sizes below these differ by little; in tokens. */
const SHORT_TIME = 2_000;
const SMALL_SIZE = 50;

/** What is known at a pass beside the unit itself. */
export interface Evidence {
	readonly graph: Graph;
	readonly tools: ToolTable;
	readonly time: Timeline;
	readonly freshness: ReadonlyMap<Unit, number>;
}

/** The score of a call with its result: the lowest goes first. */
export function createUnitScore({ graph, tools, time, freshness }: Evidence): (unit: Unit) => number {
	const standing = createStanding(graph);
	return (unit) => {
		const { call, episode, tokens } = unit;
		const paths = call.digest?.paths ?? [];
		const age = time.age(call.message);
		return (
			valueByKind(tools, unit) +
			weights.fresh * (freshness.get(unit) ?? 0) +
			standing(episode) -
			weights.named * logTime(paths.length > 0 ? time.sinceNamed(paths) : age) -
			weights.edited * logTime(time.sinceEdited(paths)) -
			ageing(time, call.message, tokens)
		);
	};
}

/** The score, on the same scale, of an episode that has only words: what the agent concluded, and notes. */
export function scoreWords(time: Timeline, message: number, tokens: number): number {
	const since = weights.named * logTime(time.age(message)) + weights.edited * logTime(time.sinceEdited([]));
	return weights.text - since - ageing(time, message, tokens);
}

function valueByKind(tools: ToolTable, { call }: Unit): number {
	if (isEdit(tools, call)) return weights.edit;
	return showsFiles(tools, call.tool, call.arguments) ? weights.view : 0;
}

function ageing(time: Timeline, message: number, tokens: number): number {
	return (
		weights.age * logTime(time.age(message)) +
		weights.turns * Math.log(1 + time.turns(message)) +
		weights.size * Math.log(tokens + SMALL_SIZE)
	);
}

function logTime(tokens: number): number {
	return Math.log(tokens + SHORT_TIME);
}

/**
 * What the model's own marks say of an episode: an expl that an open act declared is needed; a closed act, and a
 * closed expl whose acts are all closed, are finished.
 */
function createStanding(graph: Graph): (episode: Episode) => number {
	const needed = new Set<string>();
	const declared = new Set<string>();
	for (const { dependencies, state } of graph.episodes) {
		for (const id of dependencies) (state === "open" ? needed : declared).add(id);
	}
	return ({ id, kind, origin, state }) => {
		if (needed.has(id)) return weights.needed;
		const isFinished = origin === "declared" && state === "closed" && (kind === "act" || declared.has(id));
		return isFinished ? -weights.finished : 0;
	};
}
