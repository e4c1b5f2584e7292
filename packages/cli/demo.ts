/** `cwl demo`: an agent solves tasks under a small budget while finished work is evicted from its context. */
import { countOf, formatTokens } from "#basics";
import type { StateReport } from "#pi/health";
import { budgetTokens, parseBudget } from "#pi/settings";
import { wrapText } from "#replay/report";
import { jsonText, ownCommand, readCommand, readNumber } from "./command-line.ts";
import { describeCosts } from "./demo-costs.ts";
import { type DemoSummary, runTasks } from "./demo-run.ts";
import { createBlock, createReporter } from "./demo-screen.ts";
import { COLUMNS, writePictures } from "./pictures.ts";

const usage = `cwl demo: a scripted model solves small code tasks in a scratch repository, through the real pi

  --tasks N        how many (default 30)
  --budget 24k     context budget (default 24k), or auto, as in a session of your own
  --record DIR     keep the recorded session as DIR/worker-1.jsonl, for cwl replay
  --pictures DIR   keep pictures of the session in DIR as SVG: the panel of \`/cwl\`, requests with and without cwl,
                   and a recording of the demo
  --json           the summary as JSON on stdout
`;

const flags = {
	tasks: { type: "string", default: "30" },
	budget: { type: "string", default: "24k" },
	record: { type: "string" },
	pictures: { type: "string" },
	json: { type: "boolean", default: false },
} as const;

/** Exit code 0 when every task was verified, no request was refused and none exceeded the budget. */
export async function runDemo(argv: readonly string[]): Promise<number> {
	const read = readCommand(argv, usage, flags);
	if (!read) return 0;
	const { values } = read;
	const budget = parseBudget(values.budget);
	const stop = new AbortController();
	process.once("SIGINT", () => stop.abort());
	const tasks = readNumber("bad-flag", "--tasks", values.tasks, 1);
	const screen = { budget: budgetTokens(budget, undefined), tasks };
	const report = createReporter(screen, process.stderr);
	const follow = createBlock(screen, () => COLUMNS);
	const command = `$ cwl demo --tasks ${tasks} --budget ${values.budget}`;
	const screens: (readonly string[])[] = [];
	let state: StateReport | undefined;
	const summary = await runTasks({
		...{ tasks, budget, record: values.record, signal: stop.signal },
		asksState: values.pictures !== undefined,
		onProgress(progress) {
			report(progress);
			const lines = follow(progress);
			if (progress.type === "state") state = progress.report;
			if (progress.type === "request" || progress.type === "verified") screens.push([command, ...lines]);
		},
	});
	const text = describe(summary);
	if (values.pictures !== undefined)
		await writePictures(
			values.pictures,
			[...screens, [command, ...wrapLines(text.trim(), COLUMNS)]],
			state,
			summary,
		);
	const { columns = Number.POSITIVE_INFINITY } = process.stdout;
	process.stdout.write(values.json ? jsonText(summary, 2) : wrapLines(text, columns).join("\n"));
	if (stop.signal.aborted) return 130;
	return isClean(summary) ? 0 : 1;
}

/** The lines of a text, of at most that many columns, broken between words and indented as their line. */
function wrapLines(text: string, columns: number): readonly string[] {
	return text.split("\n").flatMap((line) => {
		const indent = / */.exec(line)?.[0] ?? "";
		return wrapText(line.slice(indent.length), columns - indent.length).map((part) => indent + part);
	});
}

function isClean({ tasks, refused, overBudget }: DemoSummary): boolean {
	return tasks.done === tasks.total && refused === 0 && overBudget === 0;
}

function describe(summary: DemoSummary): string {
	const { tasks, requests, tokensProcessed, budget, peakContext, overBudget, passes, cachedShare, refused } =
		summary;
	const verdict = `${tasks.done} of ${tasks.total} tasks are solved in a context of ${formatTokens(budget)} tokens${isClean(summary) ? "." : ", with problems."}`;
	return `
${verdict}
${summary.costs ? describeCosts(summary.costs) : ""}
tasks verified    ${tasks.done} of ${tasks.total}
requests          ${requests}, ${refused} refused by the strict server
tokens processed  ${formatTokens(tokensProcessed)}, ${Math.round(cachedShare * 100)} % from the prompt cache
context           peak ${formatTokens(peakContext)} of ${formatTokens(budget)}, ${countOf(overBudget, "request")} over budget
eviction passes   ${passes}

Next, in the folder of your project: ${ownCommand()}
`;
}
