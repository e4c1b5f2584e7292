/** Runs the demo: the real pi, HTTP and tools in a scratch repository. Only the model is scripted. */
import { once } from "node:events";
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { packageDirectory } from "#pi";
import type { StateReport } from "#pi/health";
import { readLogEntries } from "#pi/session";
import { type Budget, budgetTokens, formatBudget } from "#pi/settings";
import { type PiEvent, startPiProcess, writeAgentDirectory } from "#testing/pi-driver";
import { type RequestRecord, startLoopback, totalRecords } from "#testing/server";
import { createScratchRepository, createWorker } from "#testing/worker";
import { makeTasks } from "#testing/worker/tasks";
import { type DemoCosts, prepareComparison } from "./demo-costs.ts";
import { chooseHost } from "./host.ts";

export interface DemoOptions {
	readonly tasks: number;
	readonly budget: Budget;
	/** Folder to keep the recorded session in, for a replay. */
	readonly record?: string | undefined;
	/** Ask for the state at the end. */
	readonly asksState?: boolean;
	readonly signal: AbortSignal;
	readonly onProgress: (progress: DemoProgress) => void;
}

/** Another one gives another repository and other tasks. */
const SEED = 1;

export type DemoProgress =
	| { readonly type: "started"; readonly repository: string }
	| { readonly type: "task"; readonly number: number; readonly prompt: string }
	| { readonly type: "request"; readonly record: RequestRecord }
	/** The extension's notice of a pass: what was evicted, and from where. */
	| { readonly type: "pass"; readonly text: string }
	/** The output of `/cwl report --json` at the end, if it was asked for. */
	| { readonly type: "state"; readonly report: StateReport }
	| { readonly type: "verified"; readonly number: number; readonly solved: boolean }
	/** The session has ended and is replayed under other policies. */
	| { readonly type: "comparing" };

/** The figures of `--json`; all sizes in tokens, as the model server counted them. */
export interface DemoSummary {
	readonly tasks: { readonly done: number; readonly total: number };
	readonly requests: number;
	readonly tokensProcessed: number;
	readonly budget: number;
	readonly peakContext: number;
	readonly overBudget: number;
	readonly passes: number;
	/** Share of the tokens processed that the server found in its prompt cache. */
	readonly cachedShare: number;
	/** Requests that the strict server refused. */
	readonly refused: number;
	/** Absent when pi's prices are not installed, or when the demo was interrupted. */
	readonly costs?: DemoCosts | undefined;
}

const CONTEXT_WINDOW = 200_000;

/** Run the demo to its end, or until the signal fires. */
export async function runTasks(options: DemoOptions): Promise<DemoSummary> {
	const budget = budgetTokens(options.budget, CONTEXT_WINDOW);
	// Without a pi to run, nothing starts.
	chooseHost();
	const compare = await prepareComparison(options.budget.type === "auto" ? "auto" : budget);
	const directory = await mkdtemp(join(tmpdir(), "cwl-demo-"));
	const repository = join(directory, "repository");
	const agent = join(directory, "agent");
	await createScratchRepository(repository, SEED);
	const server = await startLoopback({
		model: createWorker(),
		contextWindow: CONTEXT_WINDOW,
		onRequest: (record) => options.onProgress({ type: "request", record }),
	});
	try {
		await writeAgentDirectory(agent, { url: server.url, contextWindow: CONTEXT_WINDOW, api: "anthropic" });
		options.onProgress({ type: "started", repository });
		const done = await solveTasks(options, repository, agent);
		const files = await sessionFiles(join(agent, "sessions"));
		if (options.record !== undefined) await keepSession(files, options.record);
		const summary = summarise(options, done, await countPasses(files), server.records());
		if (!compare || options.signal.aborted) return summary;
		options.onProgress({ type: "comparing" });
		const prompts = makeTasks(SEED, options.tasks).map(({ prompt }) => prompt);
		return { ...summary, costs: await compare(files, prompts, options.signal) };
	} finally {
		await server.close();
		await rm(directory, { recursive: true, force: true });
	}
}

async function solveTasks(options: DemoOptions, repository: string, agent: string): Promise<number> {
	const pi = startPiProcess({
		command: [process.execPath, join(packageDirectory(), "packages", "cli", "bin.mjs")],
		cwd: repository,
		environment: demoEnvironment(options, agent),
		onEvent: (event) => {
			const progress = readEvent(event);
			if (progress) options.onProgress(progress);
		},
	});
	// pi does not answer a prompt when it is asked to end.
	const stopped = once(options.signal, "abort");
	let done = 0;
	try {
		for (const [index, task] of makeTasks(SEED, options.tasks).entries()) {
			options.onProgress({ type: "task", number: index + 1, prompt: task.prompt });
			await Promise.race([pi.prompt(task.prompt), stopped]);
			if (options.signal.aborted) break;
			const solved = await task.verify(repository);
			if (solved) done += 1;
			options.onProgress({ type: "verified", number: index + 1, solved });
		}
		if (options.asksState && !options.signal.aborted)
			await pi.send({ type: "prompt", message: "/cwl report --json" });
	} catch (error) {
		if (!options.signal.aborted) throw error;
	} finally {
		await pi.close();
	}
	return done;
}

/** The extension's notice of a pass or its state in an event of pi, if the event has one. */
function readEvent(event: PiEvent): DemoProgress | undefined {
	if (event.type !== "extension_ui_request") return undefined;
	const { method, message } = event;
	if (method !== "notify" || typeof message !== "string") return undefined;
	const evicted = /^cwl: (\S+ tokens evicted[^;]*);/.exec(message)?.[1];
	if (evicted !== undefined) return { type: "pass", text: evicted };
	return message.startsWith("{") ? { type: "state", report: JSON.parse(message) } : undefined;
}

function demoEnvironment(options: DemoOptions, agent: string): Readonly<Record<string, string | undefined>> {
	return {
		...process.env,
		PI_CODING_AGENT_DIR: agent,
		// The demo needs no network, so pi does not look for updates.
		PI_OFFLINE: "1",
		CWL_BUDGET: formatBudget(options.budget),
		CWL_POLICY: "cwl",
	};
}

/** The demo's one session. Its file holds the whole history, evicted content included. */
async function sessionFiles(sessions: string): Promise<readonly string[]> {
	const files = await readdir(sessions, { recursive: true });
	return files.filter((file) => file.endsWith(".jsonl")).map((file) => join(sessions, file));
}

async function keepSession(files: readonly string[], folder: string) {
	await mkdir(folder, { recursive: true });
	for (const file of files) await copyFile(file, join(folder, `worker-${SEED}.jsonl`));
}

/** The number of eviction passes that the session file holds. */
async function countPasses(files: readonly string[]): Promise<number> {
	let passes = 0;
	for (const file of files) {
		const lines = (await readFile(file, "utf8")).split("\n").filter((line) => line !== "");
		passes += readLogEntries(lines.map((line) => JSON.parse(line))).passes.length;
	}
	return passes;
}

function summarise(
	options: DemoOptions,
	done: number,
	passes: number,
	records: readonly RequestRecord[],
): DemoSummary {
	const totals = totalRecords(records);
	const budget = budgetTokens(options.budget, CONTEXT_WINDOW);
	const sizes = records.map((record) => record.promptTokens);
	return {
		tasks: { done, total: options.tasks },
		requests: totals.requests,
		tokensProcessed: totals.promptTokens,
		budget,
		peakContext: sizes.reduce((peak, size) => Math.max(peak, size), 0),
		overBudget: sizes.filter((size) => size > budget).length,
		passes,
		cachedShare: totals.promptTokens === 0 ? 0 : totals.cachedTokens / totals.promptTokens,
		refused: totals.refused,
	};
}
