/** The figures of trials, taken from the session files that pi wrote and from nothing else. */

import { join } from "node:path";
import * as host from "@mariozechner/pi-coding-agent";
import { type CountTokens, sum } from "#basics";
import { DELIMITER } from "#core/annotation";
import { measureMarks } from "#core/health";
import { defaultToolTable } from "#pi";
import { contentText, type HostMessage, isAnswer, isRefused, toolCallsOf } from "#pi/codec";
import { createManagedSession, readOldSession } from "#pi/session";
import { type ArmFigures, sumRequests, type TrialFigures } from "../arms.ts";
import { type CallMeter, createCallMeter } from "../single-session/call-meter.ts";
import { type ArmFolder, readLines, type Trial } from "./arm.ts";
import type { LiveModel } from "./provider.ts";

/** A trial in pi: dollars by pi's prices, where calls for summaries, which pi does not write down, are estimated. */
export interface LiveTrial extends TrialFigures {
	/** True if the provider failed twice, so that the trial says nothing. */
	readonly isVoid: boolean;
}

export interface LiveArm extends ArmFigures {
	readonly trials: readonly LiveTrial[];
	readonly marks: ReturnType<typeof measureMarking>;
	/** Dollars of attempts that were interrupted or repeated. */
	readonly dropped: number;
}

type Entry = ReturnType<typeof host.parseSessionEntries>[number];
type Pricing = { readonly count: CountTokens; readonly price: LiveModel["price"] };

const PER_MILLION = 1e-6;
/** The size of pi's instructions to the summarizing model, in tokens. */
const INSTRUCTIONS = 400;

export async function measureArm(name: string, folder: ArmFolder, pricing: Pricing): Promise<LiveArm> {
	const { count } = pricing;
	const meter = createCallMeter();
	const sessions = new Map<string, readonly Entry[]>();
	const trials: LiveTrial[] = [];
	for (const trial of folder.trials) {
		const path = join(folder.sessions, trial.session);
		const entries = sessions.get(path) ?? entriesOf(await readLines(path));
		sessions.set(path, entries);
		trials.push(measureTrial(trial, entries, meter, pricing));
	}
	const dropped = sum(requestsIn(entriesOf(await folder.readDropped()), pricing), ({ cost }) => cost);
	const found = await Promise.all([...sessions.keys()].map((path) => readMarks(path, count)));
	const messages = [...sessions.values()].flatMap(messagesOf);
	const seconds = sum(trials, (trial) => trial.seconds);
	return { name, trials, dropped, marks: measureMarking(found, messages, seconds, count) };
}

const entriesOf = (lines: readonly string[]) => host.parseSessionEntries(lines.join("\n"));

const messagesOf = (entries: readonly Entry[]): readonly HostMessage[] =>
	entries.flatMap((entry) => (entry.type === "message" ? [entry.message] : []));

function measureTrial(
	{ task, isSolved: solved, seconds, from, to, fault, isTooLong = false }: Trial,
	entries: readonly Entry[],
	meter: CallMeter,
	pricing: Pricing,
): LiveTrial {
	const messages = messagesOf(entries.slice(from, to));
	for (const call of messages.flatMap(toolCallsOf)) meter.note(call);
	const figures = sumRequests(requestsIn(entries, pricing, from, to), meter.take());
	const refused = messages.filter(isAnswer).filter(isRefused).length;
	return { task, solved, seconds, ...figures, refused, isVoid: fault !== undefined && !isTooLong };
}

/**
 * The requests of a session, or of its lines from `from` up to `to`. The calls for summaries are counted from what pi showed the model:
 * the messages since the last cut, and the summary before.
 */
function requestsIn(entries: readonly Entry[], { count, price }: Pricing, from = 0, to = entries.length) {
	let start = 0;
	let previous = "";
	return entries.flatMap((entry, index) => {
		const isShown = index >= from && index < to;
		if (entry.type === "message" && isShown && isAnswer(entry.message)) {
			const { usage } = entry.message;
			const input = usage.input + usage.cacheRead + usage.cacheWrite;
			const { cacheRead: cached, output } = usage;
			return [{ input, cached, output, cost: usage.cost.total, isSummary: false }];
		}
		if (entry.type !== "compaction") return [];
		const end = entries.findIndex((each) => "id" in each && each.id === entry.firstKeptEntryId);
		const shown = host.serializeConversation(host.convertToLlm([...messagesOf(entries.slice(start, end))]));
		const input = INSTRUCTIONS + count(shown) + count(previous);
		const output = count(entry.summary);
		start = Math.max(start, end);
		previous = entry.summary;
		const cost = PER_MILLION * (input * price.input + output * price.output);
		return isShown ? [{ input, cached: 0, output, cost, isSummary: true }] : [];
	});
}

/** Marks of one session; undefined without any. */
async function readMarks(path: string, count: CountTokens) {
	const { messages } = await readOldSession(path, host);
	const { graph } = createManagedSession(count).inspect([...messages]);
	return measureMarks(graph, defaultToolTable);
}

/** How a model marks its work: the marks that were found in each session, and what `messages` of all of them say. */
function measureMarking(
	sessions: readonly Awaited<ReturnType<typeof readMarks>>[],
	messages: readonly HostMessage[],
	seconds: number,
	count: CountTokens,
) {
	const found = sessions.filter((each) => each !== undefined);
	const answers = messages.filter(isAnswer);
	const callsOf = answers.map(toolCallsOf);
	const isMark = ({ name }: { readonly name: string }) => name === DELIMITER;
	const marks = callsOf.flat().filter(isMark);
	const written = sum(marks, (call) => count(JSON.stringify(call.arguments)));
	const results = messages.filter(
		(message) => message.role === "toolResult" && message.toolName === DELIMITER,
	);
	return {
		episodes: sum(found, ({ episodes }) => episodes),
		/** Share of the tokens of the work that is in marked episodes. */
		share: sum(found, ({ share }) => share) / Math.max(1, sessions.length),
		neverEnded: sum(found, ({ open }) => open),
		actsWithoutDependencies: sum(found, (each) => each.actsWithoutDependencies),
		/** Episodes that edit as an expl, or only read as an act. */
		wrongKind: sum(found, (each) => each.explsThatEdit + each.actsThatOnlyRead),
		/** Tokens that the model wrote to mark, and that the answers of the tool added. */
		written,
		answered: sum(results, (message) => ("content" in message ? count(contentText(message.content)) : 0)),
		seconds:
			(seconds * written) /
			Math.max(
				1,
				sum(answers, ({ usage }) => usage.output),
			),
		/** Marks that were sent alone, each of which costs a request. */
		alone: callsOf.filter((calls) => calls.length > 0 && calls.every(isMark)).length,
	};
}
