/**
 * Summarizing compaction as pi does it (compaction.js of pi-coding-agent 0.73): when the context outgrows the budget,
 * a model's summary replaces everything before a cut point; the most recent 20k tokens stay. The call that writes the
 * summary is charged, none of it from the cache. Departures: pi compacts between user turns and at its window less a
 * reserve, this one before any request that passes the budget; the summary is filler of a stated size with pi's own
 * file lists, what the recorded agent wrote up to then, or the text of a stand-in for a model.
 */
import { type CountTokens, sum } from "#basics";
import { type HostMessage, toolCallsOf } from "#pi/codec";
import { defineKind } from "./policy-kind.ts";
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
export const compaction = defineKind(
	"compaction",
	{ keep: 0, summary: 0 },
	(name, knobs): ReplayPolicy => ({
		name,
		exempt: ["user-turns", "prologue", "order"],
		open(settings) {
			const { fixed, budget, sizes } = settings;
			const share = Math.min(1, budget / FULL_BUDGET);
			const recent = knobs.keep || share * KEEP;
			const write = createSummaryWriter(settings, knobs.summary || share * SUMMARY);
			const sizeOf = (messages: readonly HostMessage[]) =>
				fixed.system + fixed.tools + sum(messages.flatMap((message) => sizes(message)));
			let start = 0;
			let head: readonly HostMessage[] = [];
			return (history, now) => {
				const asIs = [...head, ...history.slice(start)];
				const before = sizeOf(asIs);
				const cut = before > (now?.budget ?? budget) ? findCut(history, start, recent) : undefined;
				if (!cut || cut.first <= start) return { messages: asIs, pass: undefined };
				const written = write(history, start, cut, before);
				const messages = [written.message, ...history.slice(cut.first)];
				const after = sizeOf(messages);
				// Where the prompt alone fills the budget, a summary may be larger than the little that it replaces.
				if (after >= before) return { messages: asIs, pass: undefined };
				head = [written.message];
				start = cut.first;
				return { messages, pass: { before, after }, extraCalls: written.calls };
			};
		},
	}),
);

/** Writes each summary and lists the model calls that it takes. */
function createSummaryWriter({ count, sizes, summaries, summarize }: PolicySettings, tokens: number) {
	const files = createFileLists();
	const filler = writeFiller(tokens, count);
	let previous = 0;
	let earlier: string | undefined;
	let used = 0;
	/** The newest summary that the recorded agent had written by now and that has not been used. */
	function recordedSummary(now: number): string | undefined {
		const index = summaries.findLastIndex(({ timestamp }) => timestamp <= now);
		if (index < used) return undefined;
		used = index + 1;
		return summaries[index]?.text;
	}
	return (history: readonly HostMessage[], start: number, { first, turn }: Cut, before: number) => {
		const replaced = history.slice(start, first);
		files.add(replaced);
		const now = history.at(-1)?.timestamp ?? 0;
		const body = summarize?.(replaced, earlier) ?? recordedSummary(now) ?? filler;
		earlier = body;
		const text = `${body}${files.text()}`;
		const timestamp = history[first]?.timestamp ?? 0;
		const message: HostMessage = {
			role: "compactionSummary",
			summary: text,
			tokensBefore: before,
			timestamp,
		};
		const output = count(text);
		const calls = summaryCalls(
			history,
			start,
			{ first, turn },
			{ tokens: output, previous },
			{ count, sizes },
		);
		previous = output;
		return { message, calls };
	};
}

/**
 * The calls that write a summary of so many tokens of the messages from `start` up to a cut. A turn that is cut in two has one of its
 * own; `previous` are the tokens of the summary before.
 */
export function summaryCalls(
	history: readonly HostMessage[],
	start: number,
	{ first, turn }: Cut,
	{ tokens, previous }: { readonly tokens: number; readonly previous: number },
	{ count, sizes }: Pick<PolicySettings, "count" | "sizes">,
): readonly ExtraCall[] {
	const shown = (from: number, to: number) =>
		sum(history.slice(from, to).map((each) => shownTokens(each, count, sizes)));
	const old = shown(start, turn);
	const split = shown(turn, first);
	const calls: ExtraCall[] = [];
	if (old > 0 || split === 0) calls.push(callFor(old + previous, tokens * (split > 0 ? 1 - TURN_SHARE : 1)));
	if (split > 0) calls.push(callFor(split, tokens * (old > 0 ? TURN_SHARE : 1)));
	return calls;
}

function callFor(tokens: number, output: number): ExtraCall {
	return { input: INSTRUCTIONS + tokens, cached: 0, output: Math.round(output) };
}

/** Tokens of a message as the summarizing model reads it: outputs are cut short. */
function shownTokens(message: HostMessage, count: CountTokens, sizes: PolicySettings["sizes"]): number {
	if (message.role !== "toolResult") return sum(sizes(message));
	const text = message.content.map((block) => (block.type === "text" ? block.text : "")).join("");
	return text.length <= SHOWN_CHARACTERS ? sum(sizes(message)) : count(text.slice(0, SHOWN_CHARACTERS));
}

const WORDS = "what was done and what is left ";

/** Text of about so many tokens that holds nothing a later step could need. */
function writeFiller(tokens: number, count: CountTokens): string {
	const each = count(WORDS.repeat(100)) / 100;
	return WORDS.repeat(Math.max(1, Math.round(tokens / each)));
}

/** The lists of files that pi puts at the end of a summary (`computeFileLists` of pi-coding-agent 0.73). */
function createFileLists() {
	const read = new Set<string>();
	const modified = new Set<string>();
	const list = (tag: string, paths: readonly string[]) =>
		paths.length === 0 ? "" : `\n\n<${tag}>\n${paths.toSorted().join("\n")}\n</${tag}>`;
	return {
		add(messages: readonly HostMessage[]) {
			for (const { name, arguments: args } of messages.flatMap(toolCallsOf)) {
				if (typeof args.path !== "string") continue;
				if (name === "read") read.add(args.path);
				if (name === "edit" || name === "write") modified.add(args.path);
			}
		},
		text() {
			const only = [...read].filter((path) => !modified.has(path));
			return list("read-files", only) + list("modified-files", [...modified]);
		},
	};
}

interface Cut {
	/** Index of the first message that stays. */
	readonly first: number;
	/** Index where the user turn begins that is cut in two; that of `first` where none is. */
	readonly turn: number;
}

/**
 * Where pi cuts a session in two (`findCutPoint`): walks back from the end until `keep` tokens have come together, and
 * cuts at the next message that is no tool result. Where there is none, as after one huge output, everything from the
 * first possible cut stays. Undefined without any possible cut.
 */
export function findCut(history: readonly HostMessage[], start: number, keep: number): Cut | undefined {
	const isCut = (message: HostMessage | undefined) => message !== undefined && message.role !== "toolResult";
	let first = history.findIndex((message, i) => i >= start && isCut(message));
	if (first < 0) return undefined;
	let tokens = 0;
	for (let i = history.length - 1; i >= start; i--) {
		const message = history[i];
		if (message) tokens += Math.ceil(countCharacters(message) / CHARACTERS_PER_TOKEN);
		if (tokens < keep) continue;
		const next = history.findIndex((candidate, at) => at >= i && isCut(candidate));
		if (next >= 0) first = next;
		break;
	}
	return { first, turn: turnBefore(history, start, first) };
}

/** Index where the user turn of a message begins, but not before `start`; that of the message itself where none does. */
export function turnBefore(history: readonly HostMessage[], start: number, first: number): number {
	const begins = ({ role }: HostMessage, i: number) =>
		i >= start && i <= first && (role === "user" || role === "bashExecution");
	const turn = history[first]?.role === "user" ? first : history.findLastIndex(begins);
	return turn < 0 ? first : turn;
}

/** pi's estimate. */
const CHARACTERS_PER_TOKEN = 4;
/** Images that a user pastes count for nothing. */
const IMAGE_CHARACTERS = 4_800;

function countCharacters(message: HostMessage): number {
	if (message.role === "bashExecution") return message.command.length + message.output.length;
	if ("summary" in message) return message.summary.length;
	if (typeof message.content === "string") return message.content.length;
	const image = message.role === "user" ? 0 : IMAGE_CHARACTERS;
	const sizes = message.content.map((block) => {
		if (block.type === "text") return block.text.length;
		if (block.type === "thinking") return block.thinking.length;
		return block.type === "image" ? image : block.name.length + JSON.stringify(block.arguments).length;
	});
	return sum(sizes);
}
