/**
 * Summarising compaction as pi does it (compaction.js of pi-coding-agent 0.73): when the context outgrows the budget,
 * everything before a cut point goes and a model's summary of it stands in its place; the most recent 20k tokens stay.
 * The call that writes the summary is charged, none of it from the cache. Departures: pi compacts between user turns
 * and at its window less a reserve, this one before any request that passes the budget; the summary is filler of a
 * stated size with pi's own file lists, what the recorded agent wrote up to then, or the text of a stand-in for a model.
 */
import type { CountTokens, HostMessage } from "#pi";
import { sum } from "../recording/recording.ts";
import { findCut } from "./compaction-cut.ts";
import { createFileLists } from "./file-lists.ts";
import { writeFiller } from "./filler.ts";
import { defineKind } from "./knobs.ts";
import type { ExtraCall, PolicySettings, ReplayPolicy } from "./replay-policy.ts";

/** The size of pi's instructions to the summarizing model, in tokens, and how much of an output it is shown. */
const INSTRUCTIONS = 400;
const SHOWN_CHARACTERS = 2_000;
/** The share of the summary that describes a turn cut in two (pi: .5 of its reserve, and .8 for the rest). */
const TURN_SHARE = 0.5 / 1.3;

/** pi's own default, in tokens. */
const KEEP = 20_000;
/** Tokens: between pi's own recorded summaries (1k) and those of Claude Code (2.7k). */
const SUMMARY = 2_000;
/** From this budget on both have their full size; below it they are smaller in proportion. */
const FULL_BUDGET = 80_000;

/**
 * `keep`: recent tokens that stay, by pi's estimate of four characters each. `summary`: tokens of a stand-in. 0 stands for
 * the default under the budget.
 */
export const compaction = defineKind("compaction", { keep: 0, summary: 0 }, createCompaction);

interface Settings {
	readonly keep: number;
	readonly summary: number;
}

function createCompaction(name: string, { keep, summary }: Settings): ReplayPolicy {
	return {
		name,
		exempt: ["user-turns", "prologue", "order"],
		open(settings) {
			const { fixed, budget, sizes } = settings;
			const share = Math.min(1, budget / FULL_BUDGET);
			const recent = keep || share * KEEP;
			const writer = createSummaryWriter(settings, summary || share * SUMMARY);
			const sizeOf = (messages: readonly HostMessage[]) =>
				fixed.system + fixed.tools + sum(messages.flatMap((message) => sizes(message)));
			let start = 0;
			let head: readonly HostMessage[] = [];
			return (history) => {
				const asIs = [...head, ...history.slice(start)];
				const before = sizeOf(asIs);
				const cut = before > budget ? findCut(history, start, recent) : undefined;
				if (!cut || cut.first <= start) return { messages: asIs, pass: undefined };
				const written = writer.write(history, start, cut, before);
				head = [written.message];
				start = cut.first;
				const messages = [...head, ...history.slice(start)];
				const pass = { before, after: sizeOf(messages) };
				return { messages, pass, extraCalls: written.calls };
			};
		},
	};
}

/** Writes each summary, and says what the calls for it take. */
function createSummaryWriter({ count, sizes, summaries, summarize }: PolicySettings, tokens: number) {
	const files = createFileLists();
	const filler = writeFiller(tokens, count);
	let previous = 0;
	let earlier: string | undefined;
	let used = 0;
	/** The newest one that the recorded agent had written by now and that has not been used. */
	function recordedSummary(now: number): string | undefined {
		const index = summaries.findLastIndex(({ timestamp }) => timestamp <= now);
		if (index < used) return undefined;
		used = index + 1;
		return summaries[index]?.text;
	}
	return {
		write(history: readonly HostMessage[], start: number, { first, turn }: Cut, before: number) {
			const timestamp = history.at(-1)?.timestamp ?? 0;
			files.add(history.slice(start, first));
			const body = summarize?.(history.slice(start, first), earlier) ?? recordedSummary(timestamp) ?? filler;
			earlier = body;
			const text = `${body}${files.text()}`;
			const message: HostMessage = {
				...{ role: "compactionSummary", summary: text, tokensBefore: before },
				timestamp: history[first]?.timestamp ?? 0,
			};
			const shown = (from: number, to: number) =>
				sum(history.slice(from, to).map((each) => shownTokens(each, count, sizes)));
			const output = count(text);
			const [old, split] = [shown(start, turn), shown(turn, first)];
			const calls: ExtraCall[] = [];
			if (old > 0 || split === 0)
				calls.push(callFor(old + previous, output * (split > 0 ? 1 - TURN_SHARE : 1)));
			if (split > 0) calls.push(callFor(split, output * (old > 0 ? TURN_SHARE : 1)));
			previous = output;
			return { message, calls };
		},
	};
}

type Cut = NonNullable<ReturnType<typeof findCut>>;

function callFor(tokens: number, output: number): ExtraCall {
	return { input: INSTRUCTIONS + tokens, cached: 0, output: Math.round(output) };
}

/** Tokens of a message as the summarising model reads it: outputs are cut short. */
function shownTokens(message: HostMessage, count: CountTokens, sizes: PolicySettings["sizes"]): number {
	if (message.role !== "toolResult") return sum(sizes(message));
	const text = message.content.map((block) => (block.type === "text" ? block.text : "")).join("");
	return text.length <= SHOWN_CHARACTERS ? sum(sizes(message)) : count(text.slice(0, SHOWN_CHARACTERS));
}
