/** `cwl demo`: an agent solves tasks under a small budget while finished work is evicted from its context. */
import type { ApiName } from "#loopback";
import { budgetTokens, CwlError, countOf, formatTokens, parseBudget, readValue } from "#pi";
import { ownCommand, readCommand } from "./command-line.ts";
import { describeCosts } from "./demo-costs.ts";
import { type DemoSummary, runTasks } from "./demo-run.ts";
import { createReporter } from "./demo-screen.ts";
import { createAlbum } from "./pictures/album.ts";

const DEFAULT_MODEL = "anthropic/claude-sonnet-4-6";

const usage = `cwl demo: a scripted model solves small code tasks in a scratch repository, through the real pi

  --tasks N        how many (default 30)
  --budget 24k     context budget (default 24k), or auto, as in a session of your own
  --policy NAME    eviction policy (default cwl)
  --api NAME       completions, responses or anthropic (default anthropic)
  --seed N         another repository and other tasks (default 1)
  --record DIR     keep the recorded session as DIR/worker-SEED.jsonl, for cwl replay
  --pictures DIR   keep pictures of the session in DIR as SVG: the panel of \`/cwl\`, requests with and without cwl,
                   and a recording of the demo
  --model NAME     prices of the comparison at the end, as provider/id of pi's model table (default ${DEFAULT_MODEL})
  --keep           keep the scratch folder and say where it is
  --json           the summary as JSON on stdout
`;

const flags = {
	tasks: { type: "string", default: "30" },
	budget: { type: "string", default: "24k" },
	policy: { type: "string", default: "cwl" },
	api: { type: "string", default: "anthropic" },
	seed: { type: "string", default: "1" },
	record: { type: "string" },
	pictures: { type: "string" },
	model: { type: "string", default: DEFAULT_MODEL },
	keep: { type: "boolean", default: false },
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
	const tasks = wholeNumber("tasks", values.tasks);
	const screen = { budget: budgetTokens(budget, undefined), tasks };
	const report = createReporter(screen, process.stderr);
	const album =
		values.pictures === undefined ? undefined : createAlbum(values.pictures, screen, values.budget);
	let directory = "";
	const summary = await runTasks({
		tasks,
		budget,
		policy: readValue("policy", values.policy),
		seed: wholeNumber("seed", values.seed),
		api: readApi(values.api),
		model: values.model,
		keep: values.keep,
		record: values.record,
		asksState: album !== undefined,
		signal: stop.signal,
		onProgress(progress) {
			if (progress.type === "started") directory = progress.directory;
			album?.add(progress);
			report(progress);
		},
	});
	await album?.write(summary, describe(summary));
	process.stdout.write(values.json ? `${JSON.stringify(summary, undefined, 2)}\n` : describe(summary));
	if (values.keep) process.stderr.write(`the scratch folder is ${directory}\n`);
	if (stop.signal.aborted) return 130;
	const isClean =
		summary.tasks.done === summary.tasks.total && summary.refused === 0 && summary.overBudget === 0;
	return isClean ? 0 : 1;
}

function wholeNumber(name: string, text: string): number {
	const value = Number(text);
	if (Number.isInteger(value) && value >= 1) return value;
	throw new CwlError("bad-flag", `--${name} is ${JSON.stringify(text)}: use a whole number of at least 1.`);
}

function readApi(text: string): ApiName {
	if (text === "completions" || text === "responses" || text === "anthropic") return text;
	throw new CwlError(
		"bad-flag",
		`--api is ${JSON.stringify(text)}: use completions, responses or anthropic.`,
	);
}

function describe(summary: DemoSummary): string {
	const { tasks, requests, tokensProcessed, budget, peakContext, overBudget, passes, cachedShare, refused } =
		summary;
	const isClean = tasks.done === tasks.total && refused === 0 && overBudget === 0;
	const verdict = `${tasks.done} of ${tasks.total} tasks are solved in a context of ${formatTokens(budget)} tokens${isClean ? "." : ", with problems."}`;
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
