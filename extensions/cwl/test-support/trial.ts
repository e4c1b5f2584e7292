/** A trial: a model server, an agent folder and a work folder, in which real programs run until the test ends. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished } from "vitest";
import type { ModelRequest, ScriptedModel } from "#testing";
import { type PiProcess, writeAgentDirectory } from "#testing/pi-driver";
import { type Fault, startLoopback } from "#testing/server";
import type { ApiName } from "#testing/wire";
import { createScratch } from "../../../packages/workspace/test-support/scratch.ts";
import { startRpcSession } from "./rpc-session.ts";

/** The checkout that is tried. */
export const PROJECT = fileURLToPath(new URL("../../..", import.meta.url));
/** Another host to try, as the words of a command line in a JSON list; see `.ci/lanes`. */
const lane: readonly string[] | undefined = process.env.CWL_LANE
	? JSON.parse(process.env.CWL_LANE)
	: undefined;
/** How an unmodified pi is started. */
export const PI: Command = lane
	? [lane[0] ?? "", ...lane.slice(1)]
	: [
			process.execPath,
			fileURLToPath(new URL("./cli.js", import.meta.resolve("@mariozechner/pi-coding-agent"))),
		];
/** How `cwl` is started; it runs the pi that it finds in the folders of `NODE_PATH` if there is one. */
export const CWL: Command = [lane?.[0] ?? process.execPath, join(PROJECT, "packages", "cli", "bin.mjs")];
/** Returns true on pi 0.87 and later, which keep prompt and tools as system messages of the session. */
export const keepsSystemMessages = lane !== undefined;
/** The folder in which `cwl` finds the other host. */
const laneModules = lane?.[1] && join(lane[1], "..", "..", "..", "..", "..");

type Command = readonly [string, ...string[]];
type Environment = Readonly<Record<string, string | undefined>>;

export interface TrialOptions {
	/** Says `ok` unless given. */
	readonly model?: ScriptedModel;
	/** Texts of files in the work folder, by name. */
	readonly files?: Readonly<Record<string, string>>;
	/** `completions` unless given. */
	readonly api?: ApiName;
	/** Tokens, for pi and for the server. */
	readonly contextWindow?: number;
	/** Further contents of the global settings.json. */
	readonly settings?: Readonly<Record<string, unknown>>;
	readonly fault?: (index: number) => Fault | undefined;
	/** Real models that pi is offered as well, such as `claude-opus-5-5`. */
	readonly models?: readonly string[];
	/** Thinks in every answer where the request allows it. */
	readonly addsThinking?: boolean;
	/** The test provokes refusals; any other test fails for a request that the strict server refuses without a fault. */
	readonly isRefused?: boolean;
}

export interface StartOptions {
	readonly program?: Command;
	readonly args?: readonly string[];
	readonly environment?: Environment;
}

export type Trial = Awaited<ReturnType<typeof startTrial>>;

/** Start a trial; at the end of the test its programs are killed and its folders removed. */
export async function startTrial(options: TrialOptions = {}) {
	const {
		model = () => ({ text: "ok" }),
		api = "completions",
		contextWindow = 200_000,
		settings = {},
		fault,
	} = options;
	const { files = {}, models = [], addsThinking = false, isRefused = false } = options;
	const directory = createScratch();
	const agent = join(directory, "agent");
	const work = join(directory, "work");
	const home = join(directory, "home");
	const requests: ModelRequest[] = [];
	const running: PiProcess[] = [];
	const faulty = new Set<number>();
	const loopback = await startLoopback({
		model: (request) => {
			requests.push(request);
			return model(request);
		},
		contextWindow,
		addsThinking,
		keepBodies: true,
		fault(index) {
			const found = fault?.(index);
			if (found && found.type !== "usage-scaled") faulty.add(index);
			return found;
		},
	});
	onTestFinished(async () => {
		for (const process of running) await process.kill();
		await loopback.close();
		const refused = loopback.records().filter((record) => record.refused && !faulty.has(record.index));
		if (!isRefused) expect(refused.map((record) => record.refused?.message)).toEqual([]);
	});
	await mkdir(work);
	for (const [name, text] of Object.entries(files)) await writeFile(join(work, name), text);
	await mkdir(home);
	await writeAgentDirectory(agent, { url: loopback.url, contextWindow, api, settings, models });
	const environment = (more: Environment = {}): Environment => ({
		PATH: process.env.PATH,
		HOME: home,
		TERM: "xterm-256color",
		PI_CODING_AGENT_DIR: agent,
		PI_OFFLINE: "1",
		PI_TELEMETRY: "0",
		...(laneModules && { NODE_PATH: laneModules }),
		...more,
	});
	/** Start `cwl`, or another program, in RPC mode. */
	const rpc = ({ program = CWL, args = [], environment: more }: StartOptions = {}) => {
		const session = startRpcSession({
			command: [...program, ...args],
			cwd: work,
			environment: environment(more),
		});
		running.push(session);
		return session;
	};
	return {
		/** The programs run in `work`, outside of any repository; `directory` holds everything else. */
		directory,
		agent,
		work,
		loopback,
		/** Every request that reached the model, whatever API carried it. */
		requests: requests as readonly ModelRequest[],
		/** The variables of a machine on which only pi's agent folder has been set up. */
		environment,
		/** The texts of the messages of the last request, in their order. */
		sent: () => (requests.at(-1)?.messages ?? []).map(({ text }) => text),
		/** The body of every request as it was sent, as JSON. */
		bodies: () => loopback.records().map(({ body }) => JSON.stringify(body)),
		rpc,
		/** Start `cwl` with the last session of the work folder. */
		resume: (options: Pick<StartOptions, "environment"> = {}) => rpc({ ...options, args: ["-c"] }),
		/** The requests that do not begin with the one before. */
		breaks: () => loopback.records().filter(({ extendsPrevious }) => !extendsPrevious),
		/** Run `cwl`, or another program, to its end with nothing on stdin. */
		run: (args: readonly string[], { program = CWL, environment: more }: StartOptions = {}) =>
			runToEnd([...program, ...args], work, environment(more)),
	};
}

async function runToEnd(command: Command, cwd: string, env: Environment) {
	const [program, ...args] = command;
	const child = spawn(program, args, { cwd, env: { ...env }, stdio: ["ignore", "pipe", "pipe"] });
	let stdout = "";
	let stderr = "";
	child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
		stdout += chunk;
	});
	child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
		stderr += chunk;
	});
	await once(child, "close");
	return { code: child.exitCode, stdout, stderr };
}

/** Waits for something that another process brings about; gives up where a test that hangs is ended anyway. */
export async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
	await expect.poll(async () => await isTrue()).toBe(true);
}
