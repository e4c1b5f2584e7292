/** `cwl replay`: recorded sessions through the engine, as a table or as JSON. */
import { parseArgs } from "node:util";
import { parsePolicies } from "../../bench/policies/registry.ts";
import { createReplayPrompt } from "../../bench/prompt-cost.ts";
import { createReport } from "../../bench/report.ts";
import type { RequestForm } from "../../bench/request-file.ts";
import { type Progress, type Run, type RunOptions, runReplays } from "../../bench/run.ts";
import { formatReport } from "../../bench/table.ts";
import { parseBudget } from "../host/budget.ts";
import { CwlError } from "../host/errors.ts";
import { loadTokenCounter } from "../host/tokens.ts";

const help = `cwl replay PATH...: recorded sessions through the engine, as figures in tokens and in money

  PATH                     session files (*.jsonl), or folders of them
  --policy none,paper      eviction policies to compare
  --budget 80k             tokens
  --json                   figures as JSON, documented in bench/README.md
  --requests DIR           write every projected request to DIR/SESSION.POLICY.jsonl
  --requests-form full     or delta: only what differs from the request before

Ctrl-C ends the run and prints what is done so far; once more ends it at once.
`;

const flags = {
	policy: { type: "string", default: "none,paper" },
	budget: { type: "string", default: "80k" },
	json: { type: "boolean", default: false },
	requests: { type: "string" },
	"requests-form": { type: "string", default: "full" },
	help: { type: "boolean", short: "h", default: false },
} as const;

/**
 * Run the command. Answers 0, 1 when something could not be replayed or a rule was broken, 130 when interrupted;
 * throws a `CwlError` for wrong arguments.
 */
export async function runReplay(argv: readonly string[]): Promise<number> {
	const { values, positionals } = parseArgs({ args: [...argv], options: flags, allowPositionals: true });
	if (values.help) {
		process.stdout.write(help);
		return 0;
	}
	if (positionals.length === 0) {
		throw new CwlError("no-path", "replay needs session files or folders: cwl replay ~/.pi/agent/sessions");
	}
	const policies = parsePolicies(values.policy);
	const budget = readTokens(values.budget);
	const form = readForm(values["requests-form"]);
	const count = await loadTokenCounter();
	const { system, fixed } = createReplayPrompt(count);
	const requests = values.requests === undefined ? undefined : { folder: values.requests, form };
	const run = await runUntilInterrupted({
		...{ paths: positionals, policies, budget, count, system, fixed, requests },
		now: () => performance.now(),
		onProgress: createProgressLine(),
	});
	const report = createReport(run, { policies, budget, fixed });
	process.stdout.write(values.json ? `${JSON.stringify(report)}\n` : formatReport(report));
	if (report.interrupted) return 130;
	return report.problems.length > 0 || report.policies.some(({ violations }) => violations > 0) ? 1 : 0;
}

function readTokens(text: string): number {
	const budget = parseBudget(text);
	if (budget.type === "tokens") return budget.tokens;
	throw new CwlError(
		"bad-budget",
		`budget is ${JSON.stringify(text)}: a recording has no model whose window it could be a share of; give tokens (80k).`,
	);
}

function readForm(text: string): RequestForm {
	if (text === "full" || text === "delta") return text;
	throw new CwlError("bad-form", `requests-form is ${JSON.stringify(text)}: use full or delta.`);
}

async function runUntilInterrupted(options: Omit<RunOptions, "signal">): Promise<Run> {
	const interrupt = new AbortController();
	const onInterrupt = () => interrupt.abort();
	process.once("SIGINT", onInterrupt);
	try {
		return await runReplays({ ...options, signal: interrupt.signal });
	} finally {
		process.removeListener("SIGINT", onInterrupt);
		if (process.stderr.isTTY) process.stderr.write("\r\x1b[K");
	}
}

/** How often a log, as opposed to a terminal, is told how far the run has come; in ms. */
const LOG_INTERVAL = 5_000;

/** One line on stderr that a terminal overwrites and a log gets now and then. */
function createProgressLine(): (progress: Progress) => void {
	let last = performance.now();
	return ({ done, files, session }) => {
		const line = `replay ${done + 1}/${files} ${session}`;
		if (process.stderr.isTTY) {
			process.stderr.write(`\r\x1b[K${line.slice(0, process.stderr.columns - 1)}`);
		} else if (performance.now() - last >= LOG_INTERVAL) {
			last = performance.now();
			process.stderr.write(`${line}\n`);
		}
	};
}
