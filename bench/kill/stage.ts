/** Where a session is killed again and again: a repository, an agent folder, a model server, and a twin. */
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
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
import { createTwin, type Twin } from "./reference-run.ts";

export interface StageOptions {
	/** An empty folder for everything. */
	readonly directory: string;
	/** Of the repository and its tasks. */
	readonly seed: number;
	readonly api: ApiName;
}

/** What one process wants to know of the server, and does to it. */
export interface Hooks {
	readonly fault?: (index: number) => Fault | undefined;
	readonly onRequest?: (record: RequestRecord) => void;
}

export interface Stage {
	readonly work: string;
	/** Holds what a process may leave behind. */
	readonly home: string;
	/** The session file. */
	readonly file: string;
	/** A copy of it from before the process in work. */
	readonly before: string;
	readonly prompts: readonly string[];
	readonly server: Loopback;
	readonly twin: Twin;
	/** Start a pi on the session; the hooks of the one before it are gone. */
	start(options: {
		readonly hooks: Hooks;
		readonly onEvent?: (event: PiEvent) => void;
		readonly environment?: Readonly<Record<string, string>>;
	}): PiProcess;
	close(): Promise<void>;
}

const PROGRAM = fileURLToPath(new URL("./cli.js", import.meta.resolve("@mariozechner/pi-coding-agent")));
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
	const command = [process.execPath, "--import", TORN_WRITE, PROGRAM, "-e", EXTENSION] as const;
	const twin = await createTwin({ directory: join(directory, "twin"), command, cwd: work, environment, api });
	const file = join(home, "session.jsonl");
	return {
		...{ work, home, file, server, twin },
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
			await twin.close();
			await server.close();
			await rm(directory, { recursive: true, force: true });
		},
	};
}
