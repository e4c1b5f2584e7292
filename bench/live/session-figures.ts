/** The figures of trials, taken from the session files that pi wrote and from nothing else. */

import { join } from "node:path";
import * as host from "@mariozechner/pi-coding-agent";
import { type CountTokens, sum } from "#basics";
import { DELIMITER } from "#core/annotation";
import { measureMarks } from "#core/health";
import { defaultToolTable } from "#pi";
import { contentText, type HostMessage, isAnswer, isRefused, toolCallsOf } from "#pi/codec";
import { createManagedSession, readOldSession } from "#pi/session";
import type { ArmFigures, TrialFigures } from "../arms.ts";
import { type CallMeter, createCallMeter } from "../single-session/call-meter.ts";
import { type ArmFolder, readLines, type Trial } from "./arm-folder.ts";
import type { LiveModel } from "./provider.ts";

/** A trial in pi: dollars by pi's prices, where calls for summaries, which pi does not write down, are estimated. */
export interface LiveTrial extends TrialFigures {
	/** True if the provider failed twice, so that the trial says nothing. */
	readonly isVoid: boolean;
}

export interface LiveArm extends ArmFigures {
	readonly trials: readonly LiveTrial[];
	readonly marks: MarkFigures;
	/** Dollars of attempts that were interrupted or repeated. */
	readonly dropped: number;
}

/** How a model marks its work, over all sessions of an arm. */
export interface MarkFigures {
	readonly episodes: number;
	/** Share of the tokens of the work that is in marked episodes. */
	readonly share: number;
	readonly neverEnded: number;
	readonly actsWithoutDependencies: number;
	/** Episodes that edit as an expl, or only read as an act. */
	readonly wrongKind: number;
	/** Tokens that the model wrote to mark, and that the answers of the tool added; the seconds that the writing took at the arm's pace. */
	readonly written: number;
	readonly answered: number;
	readonly seconds: number;
	/** Marks that were sent alone, each of which costs a request. */
	readonly alone: number;
}

type Entry = ReturnType<typeof host.parseSessionEntries>[number];
type Pricing = { readonly count: CountTokens; readonly price: LiveModel["price"] };

const PER_MILLION = 1e-6;
/** The size of pi's instructions to the summarizing model, in tokens. */
const INSTRUCTIONS = 400;

export async function measureArm(name: string, folder: ArmFolder, pricing: Pricing): Promise<LiveArm> {
	const meter = createCallMeter();
	const sessions = new Map<string, readonly Entry[]>();
	const trials: LiveTrial[] = [];
	for (const trial of folder.trials) {
		const path = join(folder.sessions, trial.session);
		const entries = sessions.get(path) ?? entriesOf(await readLines(path));
		sessions.set(path, entries);
		trials.push(measureTrial(trial, entries, meter, pricing));
	}
	const dropped = costOf(entriesOf(await folder.readDropped()), pricing);
	const marks = await measureMarking([...sessions], sum(trials.map(({ seconds }) => seconds)), pricing.count);
	return { name, trials, dropped, marks };
}

const entriesOf = (lines: readonly string[]) => host.parseSessionEntries(lines.join("\n"));

function measureTrial(
	{ task, isSolved, seconds, from, to, fault, isTooLong = false }: Trial,
	entries: readonly Entry[],
	meter: CallMeter,
	pricing: Pricing,
): LiveTrial {
	const messages = messagesOf(entries.slice(from, to));
	const answers = messages.filter(isAnswer);
	const inputs = answers.map(({ usage }) => usage.input + usage.cacheRead + usage.cacheWrite);
	for (const call of messages.flatMap(toolCallsOf)) meter.note(call);
	const summaries = summariesIn(entries, from, to, pricing.count);
	return {
		task,
		solved: isSolved,
		cost: costOf(entries, pricing, from, to),
		tokens: sum(inputs) + sum(summaries.map(({ input }) => input)),
		cached: sum(answers.map(({ usage }) => usage.cacheRead)),
		largest: Math.max(0, ...inputs),
		requests: answers.length + summaries.length,
		summaries: summaries.length,
		refused: answers.filter(isRefused).length,
		seconds,
		calls: meter.take(),
		isVoid: fault !== undefined && !isTooLong,
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
	let start = 0;
	let previous = "";
	return entries.flatMap((entry, index) => {
		if (entry.type !== "compaction") return [];
		const end = entries.findIndex((each) => "id" in each && each.id === entry.firstKeptEntryId);
		const shown = host.serializeConversation(host.convertToLlm([...messagesOf(entries.slice(start, end))]));
		const input = INSTRUCTIONS + count(shown) + count(previous);
		start = Math.max(start, end);
		previous = entry.summary;
		return index >= from && index < to ? [{ input, output: count(entry.summary) }] : [];
	});
}

async function measureMarking(
	sessions: readonly (readonly [path: string, entries: readonly Entry[]])[],
	seconds: number,
	count: CountTokens,
): Promise<MarkFigures> {
	const messages = sessions.flatMap(([, entries]) => messagesOf(entries));
	const answers = messages.filter(isAnswer);
	const isMark = ({ name }: { readonly name: string }) => name === DELIMITER;
	const callsOf = answers.map((answer) => toolCallsOf(answer));
	const marks = callsOf.flat().filter(isMark);
	const written = sum(marks.map((call) => count(JSON.stringify(call.arguments))));
	const results = messages.flatMap((message) =>
		message.role === "toolResult" && message.toolName === DELIMITER ? [contentText(message.content)] : [],
	);
	const spoken = sum(answers.map(({ usage }) => usage.output));
	const measured = await Promise.all(sessions.map(([path]) => marksOf(path, count)));
	const found = measured.filter((each) => each !== undefined);
	return {
		episodes: sum(found.map(({ episodes }) => episodes)),
		share: sum(found.map(({ share }) => share)) / Math.max(1, sessions.length),
		neverEnded: sum(found.map(({ open }) => open)),
		actsWithoutDependencies: sum(found.map((each) => each.actsWithoutDependencies)),
		wrongKind: sum(found.map(({ explsThatEdit, actsThatOnlyRead }) => explsThatEdit + actsThatOnlyRead)),
		written,
		answered: sum(results.map(count)),
		seconds: (seconds * written) / Math.max(1, spoken),
		alone: callsOf.filter((calls) => calls.length > 0 && calls.every(isMark)).length,
	};
}

/** Marks of one session; undefined without any. */
async function marksOf(path: string, count: CountTokens) {
	const { messages } = await readOldSession(path, host);
	const { graph } = createManagedSession(count).inspect([...messages]);
	return measureMarks(graph, defaultToolTable);
}
