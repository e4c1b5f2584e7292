/** Runs the tasks of one session through one agent, with one manager of its context. */
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DELIMITER, isRecord, RECALL } from "#core";
import { createScratchRepository, makeHardTasks, type RequestRecord, startLoopback } from "#loopback";
import { startProxy } from "../processes.ts";
import type { RequestFigure } from "../single-session/agent.ts";
import { filesFor, workerFor } from "../single-session/difficulty.ts";
import { createExplorationMeter, type Repair, withExploration } from "../single-session/exploration.ts";
import { runTasks, type TaskResult } from "../single-session/run-tasks.ts";
import { figureOf } from "../single-session/scripted-agents.ts";
import { type Dialect, speakDialect } from "./dialect.ts";
import { claudeCodeDialect, codexDialect, opencodeDialect } from "./dialects.ts";
import { piDialect, startPi } from "./pi.ts";
import {
	findProgram,
	type Manager,
	type Program,
	type ProgramOptions,
	startClaudeCode,
	startCodex,
	startOpencode,
} from "./programs.ts";

export interface KnownAgent {
	/** Undefined for pi, which is a package of this project. */
	readonly program: string | undefined;
	readonly dialect: (directory: string) => Dialect;
	readonly start: (path: string, options: ProgramOptions) => Program | Promise<Program>;
}

export const agents: Readonly<Record<string, KnownAgent>> = {
	"claude-code": { program: "claude", dialect: claudeCodeDialect, start: startClaudeCode },
	codex: { program: "codex", dialect: () => codexDialect, start: startCodex },
	opencode: { program: "opencode", dialect: opencodeDialect, start: startOpencode },
	pi: { program: undefined, dialect: () => piDialect, start: startPi },
};

export interface AgentRun {
	readonly agent: string;
	readonly manager: Manager;
	readonly budget: number;
	readonly tasks: number;
	readonly seed: number;
	/** True to end the agent halfway as well, and to resume its session. */
	readonly restartsAgent: boolean;
	readonly signal: AbortSignal;
	readonly onProgress: (done: number, note: string) => void;
}

export interface AgentRecord {
	readonly results: readonly TaskResult[];
	readonly requests: readonly RequestFigure[];
	readonly reexplorations: number;
	readonly repair: Repair;
	readonly seconds: number;
	/** Of the proxy; 0 without it. */
	readonly passes: number;
	/** Calls of our delimiter and of our recall that the agent made. */
	readonly marks: number;
	readonly recalls: number;
	/** The server's answer to each request that it refused. */
	readonly refusals: readonly string[];
	/** Requests that did not begin with the one before, and neither follow a pass nor a summary. */
	readonly breaks: number;
}

/** Questions come up to so many tasks after their facts. */
const DISTANCE = { low: 8, high: 16 };
/** In tokens; far above every budget. */
const CONTEXT_WINDOW = 1_000_000;

/** After half of the tasks the proxy is ended with SIGKILL and started again. */
export async function runAgent(run: AgentRun): Promise<AgentRecord> {
	const known = agents[run.agent];
	const path = known?.program === undefined ? "" : findProgram(known.program);
	if (!known || path === undefined) throw new Error(`${run.agent} is not installed`);
	const root = await mkdtemp(join(tmpdir(), "cwl-agents-"));
	const directory = join(root, "repository");
	await createScratchRepository(directory, run.seed, filesFor("hard"));
	await mkdir(join(root, "store"));
	const requests: RequestFigure[] = [];
	const records: RequestRecord[] = [];
	const exploration = createExplorationMeter();
	const dialect = known.dialect(directory);
	const model = speakDialect(withExploration(workerFor("hard"), exploration), dialect);
	let [isSummary, marks, recalls] = [false, 0, 0];
	const server = await startLoopback({
		...{ contextWindow: CONTEXT_WINDOW, addsThinking: true },
		model(request) {
			isSummary = dialect.isSummary(request);
			const reply = model(request);
			const count = (tool: string) =>
				reply.calls?.filter(({ name }) => name === `${dialect.ownPrefix}${tool}`).length ?? 0;
			marks += count(DELIMITER);
			recalls += count(RECALL);
			return reply;
		},
		onRequest(record) {
			records.push(record);
			requests.push(figureOf(record, isSummary));
			isSummary = false;
		},
	});
	const flags = ["--enforce", "--budget", String(run.budget), "--port"];
	const begin = (port: number) => startProxy(server, join(root, "store"), ...flags, String(port));
	let proxy = run.manager === "proxy" && known.program !== undefined ? await begin(0) : undefined;
	let passes = 0;
	const program = await known.start(path, {
		url: proxy ? `${proxy.url}/test` : server.url,
		...{ directory, home: join(root, "home"), manager: run.manager, budget: run.budget },
	});
	let asked = 0;
	const begun = performance.now();
	try {
		let [done, solved] = [0, 0];
		const results = await runTasks({
			...{ directory, signal: run.signal, isIsolated: false },
			tasks: makeHardTasks(run.seed, run.tasks, { distance: DISTANCE }),
			agent: {
				async ask(prompt) {
					if (asked === Math.floor(run.tasks / 2)) {
						if (proxy) {
							passes += await passesOf(proxy.url);
							proxy.stop();
							proxy = await begin(Number(new URL(proxy.url).port));
						}
						if (run.restartsAgent) await program.restart();
					}
					asked += 1;
					return await program.ask(prompt);
				},
				renew: async () => undefined,
				close: program.close,
			},
			onTask(isSolved) {
				done += 1;
				if (isSolved) solved += 1;
				run.onProgress(done, `${run.agent}, ${run.manager}: ${solved} solved, ${requests.length} requests`);
			},
		});
		passes += await (proxy ? passesOf(proxy.url) : (program.countPasses?.() ?? 0));
		return {
			...{ results, requests, passes, marks, recalls },
			reexplorations: exploration.repeated(),
			repair: exploration.repair(),
			seconds: (performance.now() - begun) / 1_000,
			breaks: countBreaks(records) - passes,
			refusals: records.flatMap(({ refused }) => refused?.message ?? []),
		};
	} finally {
		await program.close();
		proxy?.stop();
		await server.close();
		await rm(root, { recursive: true, force: true });
	}
}

async function passesOf(url: string): Promise<number> {
	const status: unknown = await (await fetch(`${url}/health.json`)).json();
	return isRecord(status) ? Number(status.passes) : 0;
}

/** Not the first of all. */
function countBreaks(records: readonly RequestRecord[]): number {
	return records.slice(1).filter(({ extendsPrevious }) => !extendsPrevious).length;
}
