/** The figures of trials, taken from the session files that pi wrote and from nothing else. */

import { join } from "node:path";
import * as host from "@mariozechner/pi-coding-agent";
import { measureMarks } from "#core/health";
import { defaultToolTable } from "#pi";
import { type CountTokens, type HostMessage, isAnswer, isRefused, toolCallsOf } from "#pi/codec";
import { createManagedSession, readOldSession } from "#pi/session";
import { sum } from "#replay/recording";
import { createExplorationMeter, type ExplorationMeter } from "../single-session/model-wrappers.ts";
import { type ArmFolder, readLines, type Trial } from "./arm-folder.ts";
import type { LiveModel } from "./provider.ts";

/** One trial; sizes in tokens as the provider reported them. */
export interface TrialFigures {
	readonly task: string;
	readonly solved: boolean;
	/** Dollars, as pi counts them by its prices; calls for summaries, which pi does not write down, are estimated. */
	readonly cost: number;
	/** Input tokens of all requests, cached or not. */
	readonly tokens: number;
	readonly cached: number;
	readonly largest: number;
	readonly requests: number;
	readonly seconds: number;
	/** Reads and searches of unchanged content that repeat an earlier one of the arm. */
	readonly rereads: number;
	readonly recalls: number;
	readonly summaries: number;
	readonly faults: number;
}

export interface ArmFigures {
	readonly name: string;
	readonly trials: readonly TrialFigures[];
	/** Episodes that the model marked, and those that it ended and that did what their kind says. */
	readonly marks: { readonly made: number; readonly kept: number };
	/** Dollars of attempts that were interrupted or repeated. */
	readonly dropped: number;
}

type Entry = ReturnType<typeof host.parseSessionEntries>[number];
type Pricing = { readonly count: CountTokens; readonly price: LiveModel["price"] };

const PER_MILLION = 1e-6;
/** The size of pi's instructions to the summarizing model, in tokens. */
const INSTRUCTIONS = 400;

export async function measureArm(name: string, folder: ArmFolder, pricing: Pricing): Promise<ArmFigures> {
	const meter = createExplorationMeter();
	const sessions = new Map<string, readonly Entry[]>();
	const trials: TrialFigures[] = [];
	for (const trial of folder.trials) {
		const path = join(folder.sessions, trial.session);
		const entries = sessions.get(path) ?? entriesOf(await readLines(path));
		sessions.set(path, entries);
		trials.push(measureTrial(trial, entries, meter, pricing));
	}
	const marks = await Promise.all([...sessions.keys()].map((path) => marksOf(path, pricing.count)));
	const dropped = costOf(entriesOf(await folder.readDropped()), pricing);
	return {
		...{ name, trials, dropped },
		marks: { made: sum(marks.map(({ made }) => made)), kept: sum(marks.map(({ kept }) => kept)) },
	};
}

const entriesOf = (lines: readonly string[]) => host.parseSessionEntries(lines.join("\n"));

function measureTrial(
	{ task, isSolved, seconds, from, to }: Trial,
	entries: readonly Entry[],
	meter: ExplorationMeter,
	pricing: Pricing,
): TrialFigures {
	const messages = messagesOf(entries.slice(from, to));
	const answers = messages.filter(isAnswer);
	const inputs = answers.map(({ usage }) => usage.input + usage.cacheRead + usage.cacheWrite);
	const before = meter.repeated();
	const calls = messages.flatMap(toolCallsOf);
	for (const call of calls) meter.note(call);
	const summaries = summariesIn(entries, from, to, pricing.count);
	return {
		...{ task, solved: isSolved, seconds, requests: answers.length + summaries.length },
		cost: costOf(entries, pricing, from, to),
		tokens: sum(inputs) + sum(summaries.map(({ input }) => input)),
		cached: sum(answers.map(({ usage }) => usage.cacheRead)),
		largest: Math.max(0, ...inputs),
		rereads: meter.repeated() - before,
		recalls: calls.filter((call) => call.name === "recall").length,
		summaries: summaries.length,
		faults: answers.filter(isRefused).length,
	};
}

const messagesOf = (entries: readonly Entry[]): readonly HostMessage[] =>
	entries.flatMap((entry) => (entry.type === "message" ? [entry.message] : []));

/** Dollars of all answers and summaries of a session, or of its lines from `from` up to `to`. */
function costOf(entries: readonly Entry[], { count, price }: Pricing, from = 0, to = entries.length): number {
	const answers = messagesOf(entries.slice(from, to)).filter(isAnswer);
	const summaries = summariesIn(entries, from, to, count);
	const estimates = summaries.map(({ input, output }) => input * price.input + output * price.output);
	return sum(answers.map(({ usage }) => usage.cost.total)) + PER_MILLION * sum(estimates);
}

/** The calls for summaries, counted from what pi showed the model: the messages since the last cut, and the summary before. */
function summariesIn(entries: readonly Entry[], from: number, to: number, count: CountTokens) {
	let [start, previous] = [0, ""];
	return entries.flatMap((entry, index) => {
		if (entry.type !== "compaction") return [];
		const end = entries.findIndex((each) => "id" in each && each.id === entry.firstKeptEntryId);
		const shown = host.serializeConversation(host.convertToLlm([...messagesOf(entries.slice(start, end))]));
		const input = INSTRUCTIONS + count(shown) + count(previous);
		[start, previous] = [Math.max(start, end), entry.summary];
		return index >= from && index < to ? [{ input, output: count(entry.summary) }] : [];
	});
}

/** Marks of one session. An episode that both edits as an expl and is open counts once. */
async function marksOf(path: string, count: CountTokens): Promise<ArmFigures["marks"]> {
	const { messages } = await readOldSession(path, host);
	const { graph } = createManagedSession(count).inspect([...messages]);
	const marks = measureMarks(graph, defaultToolTable);
	if (!marks) return { made: 0, kept: 0 };
	const { episodes: made, open, explsThatEdit, actsThatOnlyRead } = marks;
	return { made, kept: Math.max(0, made - open - explsThatEdit - actsThatOnlyRead) };
}
