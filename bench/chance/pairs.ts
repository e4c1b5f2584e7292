/**
 * Reads pairs of an output and a user turn that begins: what the chance of a second look follows from at that moment, and
 * when a later step of the recording needed it. Nothing is evicted.
 */
import type { FixedTokens } from "#core/ledger";
import type { LookChance, PlanInput } from "#core/planning";
import { cwl } from "#core/policies";
import { findFileNames, type ItemId } from "#core/transcript";
import { createManagedSession } from "#pi/session";
import { findNeeds } from "#replay/metrics";
import type { Recording } from "#replay/recording";

/** `chance` is the engine's. */
export interface Pair extends LookChance {
	readonly project: string;
	/** Messages until a step needs a text or a rare name that nothing newer shows, 0 for the next reply; undefined if none does. */
	readonly neededIn: number | undefined;
}

/** The budget is above every session, so that all outputs are visible; in tokens. */
const BUDGET = 100_000_000;

/** The pairs of one session, by turn. Linear in the session for each turn. */
export function readPairs(recording: Recording, project: string, fixed: FixedTokens): readonly Pair[] {
	const { turns, session, count } = recording;
	const { messages } = session;
	const managed = createManagedSession(count, { cwd: session.cwd ?? "" });
	const needs = readNeeds(recording);
	return turns.flatMap(({ position }, index) => {
		if (index === 0 || messages[position - 1]?.role !== "user") return [];
		const history = messages.slice(0, position);
		const input = managed.planInput(history, { policy: cwl, budget: BUDGET, fixed });
		const callAt = createCallSearch(input);
		const neededIn = new Map<ItemId, number>();
		for (const need of needs) {
			if (need.position < position || need.message >= position) continue;
			const call = callAt(need.message, need.block);
			if (call && !neededIn.has(call)) neededIn.set(call, need.position - position);
		}
		return (cwl.weigh?.(input) ?? []).map(({ call, chance, alone, age, edited }): Pair => {
			return { project, chance, alone, age, edited, neededIn: neededIn.get(call.id) };
		});
	});
}

/** The newest place that shows each need, in the order of the steps that need it; those that a user's words show are left out. */
function readNeeds(recording: Recording) {
	const { turns, session } = recording;
	return [...findNeeds(recording, 0)].flatMap(([request, needs]) => {
		const position = turns[request]?.position ?? 0;
		return needs.flatMap(({ kind, name, sources }) => {
			// The line of an evicted episode still names its files, and a conclusion is no output.
			const isFile = name !== undefined && findFileNames(name).size > 0;
			if (isFile || kind === "conclusion") return [];
			const isSaid = sources.some(({ message }) => session.messages[message]?.role === "user");
			const newest = sources.at(-1);
			return isSaid || !newest ? [] : [{ position, ...newest }];
		});
	});
}

/** Answers which call wrote a block of the model's message, or which call a result belongs to. */
function createCallSearch({ graph }: PlanInput): (message: number, block: number) => ItemId | undefined {
	const asked = new Map<string, ItemId>();
	const answered = new Map<number, ItemId>();
	graph.messages.forEach(({ items }, message) => {
		for (const item of items) {
			if (item.type === "call") asked.set(item.callId, item.id);
			const call = item.type === "result" ? asked.get(item.callId) : undefined;
			if (call !== undefined) answered.set(message, call);
		}
	});
	return (message, block) => {
		const item = graph.messages[message]?.items[block];
		return item?.type === "call" ? item.id : answered.get(message);
	};
}
