/** `cwl demo`: watch an agent work under a small budget while the oldest finished work leaves its context. */
import { writeFile } from "node:fs/promises";
import type { ApiName } from "#loopback";
import { budgetTokens, CwlError, formatTokens, parseBudget, readValue, type StateReport } from "#pi";
import { readArguments } from "./arguments.ts";
import { type DemoProgress, type DemoSummary, runTasks } from "./demo-run.ts";
import { drawPanel } from "./panel-picture.ts";

const usage = `cwl demo: a scripted worker does small code tasks in a scratch repository, through the real pi
  --tasks N        how many (default 30)
  --budget 24k     context budget (default 24k)
  --policy NAME    eviction policy (default cwl)
  --api NAME       completions, responses or anthropic (default anthropic)
  --seed N         another repository and other tasks (default 1)
  --record DIR     keep the recorded session as DIR/worker-SEED.jsonl, for cwl replay
  --picture FILE   keep the panel of \`/cwl\` as it is at the end, as FILE in SVG
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
	picture: { type: "string" },
	keep: { type: "boolean", default: false },
	json: { type: "boolean", default: false },
	help: { type: "boolean", default: false },
} as const;

/** Exit code 0 when every task was verified, no request was refused and none exceeded the budget. */
export async function runDemo(argv: readonly string[]): Promise<number> {
	const { values } = readArguments({ args: [...argv], options: flags });
	if (values.help) {
		process.stdout.write(usage);
		return 0;
	}
	const budget = parseBudget(values.budget);
	const stop = new AbortController();
	process.once("SIGINT", () => stop.abort());
	const report = createReporter(budgetTokens(budget, undefined), values.keep);
	let state: StateReport | undefined;
	const summary = await runTasks({
		tasks: wholeNumber("tasks", values.tasks),
		budget,
		policy: readValue("policy", values.policy),
		seed: wholeNumber("seed", values.seed),
		api: readApi(values.api),
		keep: values.keep,
		record: values.record,
		asksState: values.picture !== undefined,
		signal: stop.signal,
		onProgress(progress) {
			if (progress.type === "state") state = progress.report;
			report(progress);
		},
	});
	if (values.picture !== undefined && state) await writeFile(values.picture, drawPanel(state));
	process.stdout.write(values.json ? `${JSON.stringify(summary, undefined, 2)}\n` : describe(summary));
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

const BAR_CELLS = 30;

/** Lines on stderr: a gauge for each request, a line for each task and each pass. */
function createReporter(budget: number, keep: boolean): (progress: DemoProgress) => void {
	let lastEvicted = "";
	const say = (line: string) => process.stderr.write(`${line}\n`);
	return (progress) => {
		switch (progress.type) {
			case "started":
				say(`scratch repository ${progress.repository}${keep ? "" : " (removed at the end)"}`);
				return;
			case "task":
				say(`\ntask ${progress.number}: ${firstLine(progress.prompt)}`);
				return;
			case "request": {
				const { promptTokens, cachedTokens, refused } = progress.record;
				const filled = Math.min(BAR_CELLS, Math.round((promptTokens / budget) * BAR_CELLS));
				const bar = "█".repeat(filled).padEnd(BAR_CELLS, "░");
				const size = `${formatTokens(promptTokens)}/${formatTokens(budget)}`.padStart(9);
				say(
					`  ${bar} ${size}  ${refused ? `REFUSED: ${refused.message}` : `${formatTokens(cachedTokens)} cached`}`,
				);
				return;
			}
			case "status": {
				const evicted = /-\S+ \(\d+ episodes?\)/.exec(progress.text)?.[0] ?? "";
				if (evicted !== "" && evicted !== lastEvicted) say(`  ${progress.text}`);
				lastEvicted = evicted;
				return;
			}
			case "state":
				return;
			case "verified":
				say(progress.solved ? "  verified in the repository" : "  NOT solved");
				return;
			default:
				progress satisfies never;
		}
	};
}

function firstLine(text: string): string {
	const line = text.split("\n", 1)[0] ?? "";
	return line.length > 90 ? `${line.slice(0, 89)}…` : line;
}

function describe(summary: DemoSummary): string {
	const { tasks, requests, tokensProcessed, budget, peakContext, overBudget, passes, cachedShare, refused } =
		summary;
	return `
tasks verified    ${tasks.done} of ${tasks.total}
requests          ${requests}, ${refused} refused by the strict server
tokens processed  ${formatTokens(tokensProcessed)}, ${Math.round(cachedShare * 100)} % from the prompt cache
context           peak ${formatTokens(peakContext)} of ${formatTokens(budget)}, ${overBudget} requests over budget
eviction passes   ${passes}
`;
}
