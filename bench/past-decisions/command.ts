/** `npm run bench -- past-decisions`: what a long session under a small budget can still answer about its past. */
import { parseArgs } from "node:util";
import { createReplayPrompt, loadModelPrices, markdownTable, parsePolicies, type ReplayPolicy } from "#lab";
import { createWorker, STYLES } from "#loopback";
import { budgetTokens, CwlError, loadTokenCounter, parseBudget } from "#pi";
import { readCount } from "../arguments.ts";
import { catchInterrupt, INTERRUPTED } from "../progress.ts";
import { parseConditions } from "../single-session/conditions.ts";
import { withExploration } from "../single-session/exploration.ts";
import { type RunFigures, summariseRun } from "../single-session/figures.ts";
import { createLocalAgent } from "../single-session/local-agent.ts";
import { runCondition, type StartAgent } from "../single-session/run.ts";
import { type Answers, countAnswers, listQuestions } from "./questions.ts";

export const help = `npm run bench -- past-decisions: what a session can still answer about its own past

The scripted worker does its tasks in one session under a small budget. At the end, each finding that it recorded is a
question, and the lines of the last request are all that may answer it.

  --tasks 60               how many
  --seeds 1                how many seeds, from 1
  --budget 16k             one or more, such as 16k,50k
  --policy cwl
  --json                   figures as JSON
`;

const flags = {
	tasks: { type: "string", default: "60" },
	seeds: { type: "string", default: "1" },
	budget: { type: "string", default: "16k" },
	policy: { type: "string", default: "cwl" },
	json: { type: "boolean", default: false },
} as const;

/** One session, as `--json` prints it. */
export interface PastDecisions {
	readonly budget: number;
	readonly seed: number;
	readonly answers: Answers;
	readonly figures: RunFigures;
}

/** Requests per task after which the worker gives up, as in the single-session bench. */
const PATIENCE = 30;

/** Runs the bench. Returns 0, or 130 if interrupted. @throws CwlError for wrong arguments */
export async function run(argv: readonly string[]): Promise<number> {
	const { values } = parseArgs({ args: [...argv], options: flags });
	const budgets = values.budget.split(",").map((text) => budgetTokens(parseBudget(text.trim()), undefined));
	const [anthropic, openai] = await loadModelPrices(["anthropic/claude-sonnet-4-6", "openai/gpt-5.4"]);
	if (!anthropic || !openai) throw new CwlError("no-price", "no prices for the two models of this bench.");
	const { signal, release } = catchInterrupt();
	const rows: PastDecisions[] = [];
	for (const condition of parseConditions(values.policy, budgets)) {
		for (let seed = 1; seed <= readCount("seeds", values.seeds) && !signal.aborted; seed += 1) {
			const { start, answers } = await watchingAgent();
			const tasks = readCount("tasks", values.tasks);
			const options = {
				...{ condition, seed, tasks, signal },
				...{ isTerse: false, difficulty: "normal" as const, onProgress: () => undefined },
			};
			const figures = summariseRun(await runCondition(options, start), { anthropic, openai });
			rows.push({ budget: condition.budget, seed, answers: answers(), figures });
		}
	}
	release();
	process.stdout.write(values.json ? `${JSON.stringify(rows, undefined, 2)}\n` : formatRows(rows));
	return signal.aborted ? INTERRUPTED : 0;
}

/** The worker in this process, and what its last request answers. */
async function watchingAgent(): Promise<{ readonly start: StartAgent; readonly answers: () => Answers }> {
	const count = await loadTokenCounter();
	const { fixed } = createReplayPrompt(count);
	let answers: Answers = { questions: 0, whole: 0, places: 0, withFacts: 0, facts: 0 };
	const watched = (policy: ReplayPolicy): ReplayPolicy => ({
		...policy,
		open(settings) {
			const project = policy.open(settings);
			return (history) => {
				const request = project(history);
				answers = countAnswers(listQuestions(history), request.messages);
				return request;
			};
		},
	});
	const start: StartAgent = async ({ condition, directory, meters }) => {
		const [policy] = parsePolicies(condition.policy);
		if (!policy)
			throw new CwlError("unknown-policy", `There is no policy ${JSON.stringify(condition.policy)}.`);
		const worker = createWorker({ style: STYLES.thorough, patience: PATIENCE });
		return createLocalAgent({
			...{ directory, count, fixed, policy: watched(policy), hasDelimiter: true },
			model: withExploration(worker, meters.exploration),
			budget: condition.budget,
			onRequest: (figure) => meters.requests.push(figure),
		});
	};
	return { start, answers: () => answers };
}

const head = [
	...["budget", "seed", "questions", "whole description sent", "subject and place sent", "facts sent"],
	...["solved", "requests", "M tokens", "repeated look-ups", "$ Anthropic", "$ OpenAI"],
];

/** As Markdown. Ends with a newline. */
function formatRows(rows: readonly PastDecisions[]): string {
	const cells = rows.map(({ budget, seed, answers, figures }) => [
		...[
			String(budget),
			String(seed),
			String(answers.questions),
			String(answers.whole),
			String(answers.places),
		],
		`${answers.facts} of ${answers.withFacts}`,
		...[`${figures.solved} of ${figures.tasks}`, String(figures.requests)],
		...[(figures.tokensProcessed / 1e6).toFixed(2), String(figures.reexplorations)],
		...[figures.cost.anthropic, figures.cost.openai].map((cost) => cost?.toFixed(2) ?? ""),
	]);
	return `${markdownTable([head, ...cells]).join("\n")}\n`;
}
