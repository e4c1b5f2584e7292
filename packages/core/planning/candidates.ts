/** The subjects of a policy's order: calls with their results, and episodes that hold nothing but words. */
import type { Episode, Graph } from "../graph/graph.ts";
import type { Timeline } from "../history/timeline.ts";
import type { Item } from "../transcript/transcript.ts";
import type { PlanInput } from "./policy.ts";
import type { Unit, VisibleUnits } from "./units.ts";

export type Candidate = OutputCandidate | WordsCandidate;

/** A call with its result. */
export interface OutputCandidate extends CandidateBase {
	readonly type: "output";
	readonly unit: Unit;
}

/** An episode without calls, which leaves altogether. */
export interface WordsCandidate extends CandidateBase {
	readonly type: "words";
	readonly items: readonly Item[];
}

interface CandidateBase {
	readonly episode: Episode;
	/** Index of the message that it came with; of words, the last one. */
	readonly message: number;
	readonly tokens: number;
}

/** The context of one pass, as far as scores depend on it. */
export interface Scene {
	readonly input: PlanInput;
	readonly sight: VisibleUnits;
	readonly time: Timeline;
}

/** The lowest score is evicted first. */
export type Score = (candidate: Candidate) => number;
export type CreateScore = (scene: Scene) => Score;

/** The items of a candidate in their order, the result of a call included. */
export function itemsOf(candidate: Candidate): readonly Item[] {
	if (candidate.type === "words") return candidate.items;
	const { items, result } = candidate.unit;
	return result ? [...items, result] : items;
}

/** Answers of the model since a message. */
export function requestsSince({ messages }: Graph): (message: number) => number {
	let requests = 0;
	const before = messages.map(({ author }) => {
		if (author === "model") requests += 1;
		return requests;
	});
	return (message) => requests - (before[message] ?? 0);
}
