/** Runs one condition on the tasks of one seed, from an empty folder to its figures. */
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createScratchRepository, type Task } from "#loopback";
import type { Agent, RequestFigure } from "./agent.ts";
import type { Condition } from "./conditions.ts";
import { type Difficulty, filesFor, tasksFor } from "./difficulty.ts";
import { createExplorationMeter, type ExplorationMeter, type Repair } from "./exploration.ts";
import { runTasks, type TaskResult } from "./run-tasks.ts";

export interface RunOptions {
	readonly condition: Condition;
	readonly seed: number;
	readonly tasks: number;
	/** True for prompts of the bare request. */
	readonly isTerse: boolean;
	readonly difficulty: Difficulty;
	readonly signal: AbortSignal;
	readonly onProgress: (progress: RunProgress) => void;
}

export interface RunProgress {
	readonly done: number;
	readonly solved: number;
	readonly requests: number;
	readonly tokens: number;
}

/** The record of one run. */
export interface RunRecord {
	readonly condition: Condition;
	readonly seed: number;
	/** Tasks in total, done or not. */
	readonly tasks: number;
	readonly results: readonly TaskResult[];
	readonly requests: readonly RequestFigure[];
	readonly reexplorations: number;
	readonly repair: Repair;
	readonly seconds: number;
	/** The charge of a real provider, in dollars; undefined for the scripted model. */
	readonly paid: number | undefined;
}

/** Collects the figures of a run while it goes. */
export interface Meters {
	readonly requests: RequestFigure[];
	readonly exploration: ExplorationMeter;
	/** Ends the run, on Ctrl-C or at the cost cap. */
	readonly stop: AbortController;
	paid: number | undefined;
}

/** Starts the agent of a run; `scratch` is a folder of its own outside the repository. */
export type StartAgent = (options: {
	readonly condition: Condition;
	readonly difficulty: Difficulty;
	readonly directory: string;
	readonly scratch: string;
	readonly meters: Meters;
}) => Promise<Agent>;

/** Runs to the end or to the signal. The record holds everything that was done until then. */
export function runCondition(options: RunOptions, start: StartAgent): Promise<RunRecord> {
	const { condition, seed, difficulty } = options;
	const stage: Stage = {
		create: (directory) => createScratchRepository(directory, seed, filesFor(difficulty)),
		tasks: tasksFor(options),
	};
	return runStage(stage, options, (place) => start({ condition, difficulty, ...place }));
}

/** A repository and what is to be done in it, in this order. */
export interface Stage {
	/** Fills an empty folder with a clean work tree. */
	readonly create: (directory: string) => Promise<void>;
	readonly tasks: readonly Task[];
}

type StageOptions = Pick<RunOptions, "condition" | "seed" | "signal" | "onProgress">;
type Place = Omit<Parameters<StartAgent>[0], "condition" | "difficulty">;

/** As `runCondition`, in any repository. */
export async function runStage(
	stage: Stage,
	options: StageOptions,
	start: (place: Place) => Promise<Agent>,
): Promise<RunRecord> {
	const { condition, seed, signal } = options;
	const root = await mkdtemp(join(tmpdir(), "cwl-single-session-"));
	const [directory, scratch] = [join(root, "repository"), join(root, "scratch")];
	const stop = new AbortController();
	const onAbort = () => stop.abort();
	signal.addEventListener("abort", onAbort);
	if (signal.aborted) stop.abort();
	const meters: Meters = {
		requests: [],
		exploration: createExplorationMeter(),
		stop,
		paid: undefined,
	};
	try {
		await mkdir(scratch);
		await stage.create(directory);
		const agent = await start({ directory, scratch, meters });
		const begun = performance.now();
		const results = await carryOut(stage, options, { agent, directory, meters });
		return {
			...{ condition, seed, results },
			tasks: stage.tasks.length,
			requests: meters.requests,
			reexplorations: meters.exploration.repeated(),
			repair: meters.exploration.repair(),
			seconds: (performance.now() - begun) / 1_000,
			paid: meters.paid,
		};
	} finally {
		signal.removeEventListener("abort", onAbort);
		await rm(root, { recursive: true, force: true });
	}
}

interface Started {
	readonly agent: Agent;
	readonly directory: string;
	readonly meters: Meters;
}

async function carryOut(
	{ tasks }: Stage,
	options: StageOptions,
	started: Started,
): Promise<readonly TaskResult[]> {
	const { agent, directory, meters } = started;
	const { condition } = options;
	let [done, solved] = [0, 0];
	// pi does not answer a pending prompt when it is asked to end.
	const stopped = new Promise<string>((resolve) => {
		meters.stop.signal.addEventListener("abort", () => resolve(""));
	});
	try {
		return await runTasks({
			directory,
			tasks,
			agent: { ...agent, ask: (prompt) => Promise.race([agent.ask(prompt), stopped]) },
			isIsolated: condition.mode === "isolated",
			signal: meters.stop.signal,
			onTask(isSolved) {
				done += 1;
				if (isSolved) solved += 1;
				const tokens = meters.requests.reduce((sum, request) => sum + request.tokens, 0);
				const requests = meters.requests.length;
				options.onProgress({ done, solved, requests, tokens });
			},
		});
	} finally {
		await agent.close();
	}
}
