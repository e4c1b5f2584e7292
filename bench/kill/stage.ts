/**
 * The environment of a session that is killed again and again: repository, agent folder and model server, and a pi that is
 * never killed, whose next request a resumed process must send too.
 */
import { copyFile, mkdir } from "node:fs/promises";
import { join } from "node:path";
import {
	LOOPBACK_PROVIDER,
	type PiProcessOptions,
	startPiProcess,
	writeAgentDirectory,
} from "#testing/pi-driver";
import { type Fault, type RequestRecord, startLoopback } from "#testing/server";
import type { ApiName } from "#testing/wire";
import { createScratchRepository, createWorker } from "#testing/worker";
import { makeTasks } from "#testing/worker/tasks";
import { EXTENSION, NODE, PROGRAM } from "../pi-host.ts";

/** The hooks of one process into the model server and into pi. */
export interface Hooks extends Required<Pick<PiProcessOptions, "onEvent" | "environment">> {
	readonly fault: (index: number) => Fault | undefined;
	readonly onRequest: (record: RequestRecord) => void;
}

export type Stage = Awaited<ReturnType<typeof setStage>>;

const TORN_WRITE = join(import.meta.dirname, "torn-write.mjs");
const COMMAND = [NODE, "--import", TORN_WRITE, PROGRAM, "-e", EXTENSION] as const;
/** Small, so that passes are frequent. */
const BUDGET = "24k";
const TASKS = 400;

/** `directory` is an empty folder for all of it; `seed` is that of the repository and its tasks. */
export async function setStage(directory: string, seed: number, api: ApiName) {
	const work = join(directory, "work");
	const home = join(directory, "home");
	const before = join(directory, "before.jsonl");
	const agent = join(home, "agent");
	const temporary = join(home, "tmp");
	const file = join(home, "session.jsonl");
	const other = join(directory, "reference");
	for (const folder of [temporary, other]) await mkdir(folder, { recursive: true });
	await createScratchRepository(work, seed);
	let hooks: Hooks | undefined;
	const server = await startLoopback({
		model: createWorker(),
		keepBodies: 2,
		fault: (index) => hooks?.fault(index),
		onRequest: (record) => hooks?.onRequest(record),
	});
	const otherServer = await startLoopback({ model: () => ({ text: "I only look." }), keepBodies: 1 });
	// pi locks its settings while it reads them, and a killed pi would leave that lock: here it has none.
	await writeAgentDirectory(agent, { url: server.url });
	await writeAgentDirectory(other, { url: otherServer.url });
	const command = [...COMMAND, "--model", `${LOOPBACK_PROVIDER}/${api}`] as const;
	const environment = {
		PATH: process.env.PATH,
		HOME: home,
		TMPDIR: temporary,
		PI_OFFLINE: "1",
		PI_TELEMETRY: "0",
		CWL_BUDGET: BUDGET,
	};
	const reference = startPiProcess({
		command: [...command, "--no-session"],
		cwd: work,
		environment: { ...environment, PI_CODING_AGENT_DIR: other },
	});
	let copies = 0;
	return {
		/** The work tree, and the folder for everything that a process may leave behind. */
		work,
		home,
		/** The session file, and a copy of it from before the current process. */
		file,
		before,
		server,
		prompts: makeTasks(seed, TASKS).map(({ prompt }) => prompt),
		/** The body, as JSON, of the request that a pi which was never killed sends for a prompt in the session of that copy. */
		async expectRequest(prompt: string) {
			// A new copy each time: pi may still write to the one it has open.
			const copy = join(other, `copy-${++copies}.jsonl`);
			await copyFile(before, copy);
			await reference.send({ type: "switch_session", sessionPath: copy });
			const first = otherServer.records().length;
			await reference.prompt(prompt);
			return JSON.stringify(otherServer.records().findLast(({ index }) => index >= first)?.body);
		},
		/** Starts pi on the session; replaces the hooks of the process before it. */
		start(wanted?: Hooks) {
			hooks = wanted;
			return startPiProcess({
				command: [...command, "--session", file],
				cwd: work,
				environment: { ...environment, PI_CODING_AGENT_DIR: agent, ...wanted?.environment },
				...(wanted && { onEvent: wanted.onEvent }),
			});
		},
		async close() {
			for (const each of [reference, otherServer, server]) await each.close();
		},
	};
}
