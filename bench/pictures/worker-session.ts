/** One session of the scripted worker in the real pi: HTTP, tools and a scratch repository are real, the model is not. */
import { once } from "node:events";
import { copyFile, mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { StateReport } from "#pi/health";
import { type Budget, budgetTokens, formatBudget } from "#pi/settings";
import { makeReport } from "#replay/session-report";
import { type PiEvent, startPiProcess, writeAgentDirectory } from "#testing/pi-driver";
import { type RequestRecord, startLoopback } from "#testing/server";
import { createScratchRepository, createWorker } from "#testing/worker";
import { makeTasks } from "#testing/worker/tasks";
import { NODE, PROJECT } from "../pi-host.ts";

export interface WorkerSession {
	readonly tasks: number;
	readonly budget: Budget;
	/** The file that the session is copied to. */
	readonly record: string;
	readonly signal: AbortSignal;
	readonly onTask?: (number: number) => void;
}

/** Another one gives another repository and other tasks. */
const SEED = 1;
const CONTEXT_WINDOW = 200_000;

/** Runs the tasks to their end, or until the signal fires; all sizes are in tokens, as the model server counted them. */
export async function runWorkerSession({ tasks, budget, record, signal, onTask }: WorkerSession) {
	const directory = await mkdtemp(join(tmpdir(), "cwl-pictures-"));
	const repository = join(directory, "repository");
	const agent = join(directory, "agent");
	await createScratchRepository(repository, SEED);
	const requests: RequestRecord[] = [];
	const server = await startLoopback({
		model: createWorker(),
		contextWindow: CONTEXT_WINDOW,
		onRequest: (request) => requests.push(request),
	});
	try {
		await writeAgentDirectory(agent, { url: server.url, contextWindow: CONTEXT_WINDOW, api: "anthropic" });
		const { done, passes, state } = await solveTasks();
		const sessions = join(agent, "sessions");
		const files = await readdir(sessions, { recursive: true });
		const file = join(sessions, files.find((name) => name.endsWith(".jsonl")) ?? "");
		await mkdir(join(record, ".."), { recursive: true });
		await copyFile(file, record);
		const { costs } = await makeReport(record, { isRedacted: false });
		const sizesOf = (kind: string) => costs.arms.find((arm) => arm.kind === kind)?.sizes ?? [];
		const contexts = { cwl: sizesOf("session"), compaction: sizesOf("compaction"), none: sizesOf("none") };
		return { done, passes, state, requests, contexts, budget: budgetTokens(budget, CONTEXT_WINDOW) };
	} finally {
		await server.close();
		await rm(directory, { recursive: true, force: true });
	}

	async function solveTasks() {
		let done = 0;
		/** The extension's notices of passes. */
		const passes: string[] = [];
		let state: StateReport | undefined;
		const pi = startPiProcess({
			command: [NODE, join(PROJECT, "packages", "cli", "bin.mjs")],
			cwd: repository,
			environment: {
				...process.env,
				PI_CODING_AGENT_DIR: agent,
				PI_OFFLINE: "1",
				CWL_BUDGET: formatBudget(budget),
				CWL_POLICY: "cwl",
			},
			onEvent: (event) => {
				const message = noticeOf(event);
				if (message?.startsWith("{")) state = JSON.parse(message);
				const evicted = /^cwl: (\S+ tokens evicted[^;]*);/.exec(message ?? "")?.[1];
				if (evicted !== undefined) passes.push(evicted);
			},
		});
		// pi does not answer a prompt when it is asked to end.
		const stopped = once(signal, "abort");
		try {
			for (const [index, task] of makeTasks(SEED, tasks).entries()) {
				onTask?.(index + 1);
				await Promise.race([pi.prompt(task.prompt), stopped]);
				if (signal.aborted) break;
				if (await task.verify(repository)) done += 1;
			}
			if (!signal.aborted) {
				// The costs are worked out for it, and the report has them from then on.
				await pi.send({ type: "prompt", message: "/cwl health" });
				await pi.send({ type: "prompt", message: "/cwl report --json" });
			}
		} finally {
			await pi.close();
		}
		return { done, passes, state };
	}
}

function noticeOf(event: PiEvent): string | undefined {
	if (event.type !== "extension_ui_request" || event.method !== "notify") return undefined;
	return typeof event.message === "string" ? event.message : undefined;
}
