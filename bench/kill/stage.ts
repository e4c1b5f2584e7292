/**
 * The environment of a session that is killed again and again: repository, agent folder, model server and reference
 * run.
 */
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import {
	type ApiName,
	createScratchRepository,
	createWorker,
	type Fault,
	type Loopback,
	makeTasks,
	type PiEvent,
	type PiProcess,
	type RequestRecord,
	startLoopback,
	startPiProcess,
	writeAgentDirectory,
} from "#loopback";
import { NODE, PROGRAM } from "../pi-host.ts";
import { createReferenceRun, type ReferenceRun } from "./reference-run.ts";

export interface StageOptions {
	/** An empty folder for all of it. */
	readonly directory: string;
	/** The seed of the repository and its tasks. */
	readonly seed: number;
	readonly api: ApiName;
}

/** Hooks of one process into the model server. */
export interface Hooks {
	readonly fault?: (index: number) => Fault | undefined;
	readonly onRequest?: (record: RequestRecord) => void;
}

export interface Stage {
	readonly work: string;
	/** The folder for everything that a process may leave behind. */
	readonly home: string;
	/** The session file. */
	readonly file: string;
	/** A copy of it from before the current process. */
	readonly before: string;
	readonly prompts: readonly string[];
	readonly server: Loopback;
	readonly reference: ReferenceRun;
	/** Starts pi on the session; replaces the hooks of the process before it. */
	start(options: {
		readonly hooks: Hooks;
		readonly onEvent?: (event: PiEvent) => void;
		readonly environment?: Readonly<Record<string, string>>;
	}): PiProcess;
	close(): Promise<void>;
}

const EXTENSION = join(import.meta.dirname, "..", "..", "extensions", "cwl", "index.ts");
const TORN_WRITE = join(import.meta.dirname, "torn-write.mjs");
/** Small, so that passes are frequent. */
const BUDGET = "24k";
const TASKS = 400;

export async function setStage({ directory, seed, api }: StageOptions): Promise<Stage> {
	const [work, home] = [join(directory, "work"), join(directory, "home")];
	const [agent, temporary] = [join(home, "agent"), join(home, "tmp")];
	for (const folder of [home, temporary]) await mkdir(folder, { recursive: true });
	await createScratchRepository(work, seed);
	let hooks: Hooks = {};
	const server = await startLoopback({
		model: createWorker(),
		keepBodies: 2,
		fault: (index) => hooks.fault?.(index),
		onRequest: (record) => hooks.onRequest?.(record),
	});
	await writeAgentDirectory(agent, { url: server.url, api });
	const environment = {
		PATH: process.env.PATH,
		HOME: home,
		TMPDIR: temporary,
		PI_OFFLINE: "1",
		PI_TELEMETRY: "0",
		CWL_BUDGET: BUDGET,
	};
	const command = [NODE, "--import", TORN_WRITE, PROGRAM, "-e", EXTENSION] as const;
	const reference = await createReferenceRun({
		directory: join(directory, "reference"),
		command,
		cwd: work,
		environment,
		api,
	});
	const file = join(home, "session.jsonl");
	return {
		...{ work, home, file, server, reference },
		before: join(directory, "before.jsonl"),
		prompts: makeTasks(seed, TASKS).map(({ prompt }) => prompt),
		start({ hooks: wanted, onEvent, environment: more = {} }) {
			hooks = wanted;
			return startPiProcess({
				command: [...command, "--session", file],
				cwd: work,
				environment: { ...environment, PI_CODING_AGENT_DIR: agent, ...more },
				...(onEvent && { onEvent }),
			});
		},
		async close() {
			await reference.close();
			await server.close();
			await rm(directory, { recursive: true, force: true });
		},
	};
}
