/** `cwl demo`: shows a recorded session while the engine makes its requests, and what it would have cost otherwise. */
import { setTimeout as pause } from "node:timers/promises";
import { formatTokens, quoteStart } from "#basics";
import { budgetTokens, parseBudget } from "#pi/settings";
import { layOutTable, wrapText } from "#replay/report";
import { jsonText, ownCommand, print, readCommand, untilInterrupted } from "./command-line.ts";
import { conversationLines } from "./demo-conversation.ts";
import { type Demo, MODEL, replayDemo } from "./demo-replay.ts";

const usage = `cwl demo: shows a recorded session of 10 small tasks, with and without cwl, in about 8 seconds

  --budget 24k     the most tokens that a request may hold
  --json           the figures as JSON on stdout, and no show

It needs no pi, no key and no network: the recording comes with cwl, and the engine makes its requests again.
`;

const flags = {
	budget: { type: "string", default: "24k" },
	json: { type: "boolean", default: false },
} as const;

/** Milliseconds that the show takes in a terminal, besides the replay. */
export const SHOW_MS = 6_000;
const DEFAULT_COLUMNS = 80;
/** Characters of a task in a sentence. */
const MAX_TASK = 60;

/** Returns 0, or 130 when interrupted. */
export async function runDemo(argv: readonly string[]): Promise<number> {
	const read = readCommand(argv, usage, flags);
	if (!read) return 0;
	const { values } = read;
	const budget = budgetTokens(parseBudget(values.budget), undefined);
	const columns = process.stderr.columns ?? DEFAULT_COLUMNS;
	const about = `A recorded session of 10 small tasks, sent again by the engine of cwl with at most ${formatTokens(budget)} tokens a request. This takes about 8 seconds, and nothing leaves this machine.`;
	if (!values.json) process.stderr.write(`${wrapText(about, columns).join("\n")}\n\n`);
	return await untilInterrupted(async (signal) => {
		const demo = await replayDemo(budget, signal);
		if (demo === undefined) return 130;
		if (values.json) return print(jsonText({ version: 1, ...demo.figures }, 2));
		if (process.stderr.isTTY) await play(demo, columns, signal);
		else for (const line of conversationLines(demo, false)) process.stderr.write(`${line}\n`);
		process.stdout.write(`\n${describe(demo, process.stdout.columns ?? DEFAULT_COLUMNS).join("\n")}\n`);
		return signal.aborted ? 130 : 0;
	});
}

/** Prints the conversation as if it took place now, each line cut to the width of the terminal. */
async function play(demo: Demo, columns: number, signal: AbortSignal): Promise<void> {
	const lines = conversationLines(demo, true);
	for (const line of lines) {
		process.stderr.write(`${line.slice(0, columns - 1)}\n`);
		await pause(SHOW_MS / lines.length, undefined, { signal }).catch(() => undefined);
		if (signal.aborted) return;
	}
}

/** The figures, then one thing that compaction lost. */
function describe({ figures }: Demo, columns: number): readonly string[] {
	const { userMessages, requests, arms, lost } = figures;
	const rows = [
		["", "cost", "largest request", "your messages in the last request"],
		...arms.map(({ name, dollars, largest, userMessagesKept }) => [
			name,
			`$${dollars.toFixed(2)}`,
			formatTokens(largest),
			`${userMessagesKept} of ${userMessages}`,
		]),
	];
	const example = lost && [
		...wrapText(
			`What compaction lost, for example: ${lost.path}, which the agent read for the task ${quoteStart(lost.task, MAX_TASK)}. The last request has none of it. cwl left it out too, but recall "${lost.path}" brings it back byte for byte:`,
			columns,
		),
		`  ${lost.line}`,
		...wrapText(
			"The replay has filler in place of a model's summary; a real one may hold some of it.",
			columns,
		),
		"",
	];
	return [
		`${requests} requests, at the prices of ${MODEL}:`,
		"",
		...layOutTable(rows, columns).map((line) => `  ${line}`),
		"",
		...(example ?? []),
		`Next, in the folder of your project: ${ownCommand()}`,
	];
}
