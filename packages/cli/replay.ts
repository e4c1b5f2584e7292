/** `cwl replay`: recorded sessions through the engine, as a table or as JSON. */
import { loadModelPrices } from "../../bench/metrics/model-prices.ts";
import { priceLists } from "../../bench/metrics/prices.ts";
import { createReplayPrompt } from "../../bench/prompt-cost.ts";
import { createReport } from "../../bench/report.ts";
import { createLocalRunner, type Progress, type Run, type RunOptions, runReplays } from "../../bench/run.ts";
import type { Lab } from "../../bench/session-replay.ts";
import { formatReport } from "../../bench/table.ts";
import { loadTokenCounter } from "../host/tokens.ts";
import { help, type ReplayFlags, readFlags } from "./replay-flags.ts";

/**
 * Run the command. Answers 0, 1 when something could not be replayed or a rule was broken, 130 when interrupted;
 * throws a `CwlError` for wrong arguments.
 */
export async function runReplay(argv: readonly string[]): Promise<number> {
	const given = await readFlags(argv);
	if (!given) {
		process.stdout.write(help);
		return 0;
	}
	const lab = await openLab(given);
	const run = await runUntilInterrupted({ ...given, runners: [createLocalRunner(lab)] });
	const report = createReport(run, { ...given, fixed: lab.fixed });
	process.stdout.write(given.isJson ? `${JSON.stringify(report)}\n` : formatReport(report));
	if (report.interrupted) return 130;
	return report.problems.length > 0 || report.policies.some(({ violations }) => violations > 0) ? 1 : 0;
}

async function openLab(given: ReplayFlags): Promise<Lab> {
	const count = await loadTokenCounter();
	const { system, fixed } = createReplayPrompt(count);
	const dollars = await loadModelPrices(given.models);
	const prices = [priceLists.anthropic, priceLists.openai, ...dollars];
	return { ...given, count, system, fixed, prices, withCourse: false, now: () => performance.now() };
}

async function runUntilInterrupted(options: Omit<RunOptions, "signal" | "onProgress">): Promise<Run> {
	const interrupt = new AbortController();
	const onInterrupt = () => interrupt.abort();
	process.once("SIGINT", onInterrupt);
	try {
		return await runReplays({ ...options, signal: interrupt.signal, onProgress: createProgressLine() });
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
	return ({ begun, sessions, session }) => {
		const line = `replay ${begun + 1}/${sessions} ${session}`;
		if (process.stderr.isTTY) {
			process.stderr.write(`\r\x1b[K${line.slice(0, process.stderr.columns - 1)}`);
		} else if (performance.now() - last >= LOG_INTERVAL) {
			last = performance.now();
			process.stderr.write(`${line}\n`);
		}
	};
}
