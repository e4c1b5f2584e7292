/**
 * Faded memory of seed 004 (agex): beyond the budget the oldest messages become a model's summary, of the others the
 * newest quarter stays in full detail and all before it is rendered at low detail, down to half the budget. What is
 * faded is fixed by the pass, so that nothing changes until the next. agex's low detail cuts nested data; outputs of
 * coding tools are text, whose first and last lines stay (agex: 25 to 50 % of the tokens). The summary is
 * filler of a stated size, its call charged, none of it from the cache.
 */
import { contentText, type HostMessage } from "#pi";
import { sum } from "../recording/recording.ts";
import { writeFiller } from "./filler.ts";
import { defineKind } from "./knobs.ts";
import type { PolicySettings, ReplayPolicy } from "./replay-policy.ts";
import { shortenOutput } from "./shortened-output.ts";

interface Knobs {
	readonly low: number;
	readonly sharp: number;
	readonly detail: number;
	readonly summary: number;
}

/**
 * `low`: the share of the budget that a pass goes down to. `sharp`: of the messages, the share that stays in full detail.
 * `detail`: of a faded output's lines, the share that stays. `summary`: tokens of the stand-in.
 */
export const faded = defineKind(
	"faded",
	{ low: 0.5, sharp: 0.25, detail: 0.4, summary: 2_000 },
	(name, knobs): ReplayPolicy => ({
		name,
		exempt: ["user-turns", "prologue", "order"],
		open: (settings) => openSession(settings, knobs),
	}),
);

/** The summarising model's instructions, in tokens. */
const INSTRUCTIONS = 400;

function openSession({ count, sizes, budget, fixed }: PolicySettings, knobs: Knobs) {
	const fade = createFade(knobs.detail);
	const overhead = fixed.system + fixed.tools;
	const tokensOf = (message: HostMessage) => sum(sizes(message));
	const filler = writeFiller(knobs.summary, count);
	const summary: HostMessage = {
		role: "compactionSummary",
		summary: filler,
		tokensBefore: budget,
		timestamp: 0,
	};
	/** The messages that replace those before `start`; those before `threshold` are faded. */
	let [head, start, threshold]: [readonly HostMessage[], number, number] = [[], 0, 0];
	const project = (history: readonly HostMessage[]) => {
		const kept = history.slice(start).map((message, i) => (start + i < threshold ? fade(message) : message));
		const messages = [...head, ...kept];
		return { messages, tokens: overhead + sum(messages.map(tokensOf)) };
	};
	return (history: readonly HostMessage[]) => {
		const before = project(history);
		const first = before.tokens > budget ? firstKept(history) : start;
		if (first <= start) return { messages: before.messages, pass: undefined };
		const seen = sum([...head, ...history.slice(start, first)].map(tokensOf));
		const calls = [{ input: INSTRUCTIONS + seen, cached: 0, output: count(filler) }];
		threshold = Math.max(first, thresholdIn(history));
		head = [{ ...summary, timestamp: history[first]?.timestamp ?? 0 }];
		start = first;
		const { messages, tokens } = project(history);
		return { messages, pass: { before: before.tokens, after: tokens }, extraCalls: calls };
	};

	function thresholdIn(history: readonly HostMessage[]): number {
		return start + Math.floor((history.length - start) * (1 - knobs.sharp));
	}

	/** From the newest back, what fits below low water; what a result answers stays with it. */
	function firstKept(history: readonly HostMessage[]): number {
		const sharpFrom = thresholdIn(history);
		let tokens = overhead + tokensOf(summary);
		let first = history.length;
		for (let i = history.length - 1; i >= start; i--) {
			const message = history[i];
			if (!message) break;
			tokens += tokensOf(i < sharpFrom ? fade(message) : message);
			if (tokens > knobs.low * budget && first < history.length) break;
			if (message.role !== "toolResult") first = i;
		}
		return first;
	}
}

/** Shorter outputs are left alone; in lines. */
const SHORTEST = 8;

function createFade(detail: number): (message: HostMessage) => HostMessage {
	const known = new Map<HostMessage, HostMessage>();
	return (message) => {
		if (message.role !== "toolResult") return message;
		const earlier = known.get(message);
		if (earlier) return earlier;
		const lines = contentText(message.content).split("\n");
		const kept = Math.ceil((lines.length * detail) / 2);
		const cut = [...lines.slice(0, kept), `[${lines.length - 2 * kept} lines]`, ...lines.slice(-kept)];
		const low = lines.length < SHORTEST ? message : shortenOutput(message, cut.join("\n"));
		known.set(message, low);
		return low;
	};
}
