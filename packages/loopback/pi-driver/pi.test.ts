import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createScratch } from "../../workspace/test-support/scratch.ts";
import { scripted } from "../model.ts";
import { type Loopback, startLoopback } from "../server/server.ts";
import { API_NAMES } from "../test-support/pi-ai.ts";
import type { ApiName } from "../wire/api.ts";
import { LOOPBACK_PROVIDER, writeAgentDirectory } from "./agent-directory.ts";

const PI = fileURLToPath(new URL("./cli.js", import.meta.resolve("@mariozechner/pi-coding-agent")));

const READS = scripted([
	{ thinking: "I look first.", text: "Looking.", calls: [{ name: "read", arguments: { path: "note.txt" } }] },
	{ thinking: "Clear.", text: "The note says 42." },
]);

let dir: string;
let loopback: Loopback;

beforeEach(async () => {
	dir = createScratch();
	loopback = await startLoopback({ model: READS, keepBodies: true });
	await writeAgentDirectory(join(dir, "agent"), { url: loopback.url });
	await writeFile(join(dir, "note.txt"), "the answer is 42\n");
});

afterEach(() => loopback.close());

async function runPi(api: ApiName, prompt: string): Promise<string> {
	const args = [PI, "-p", "--no-session", "--provider", LOOPBACK_PROVIDER, "--model", api, prompt];
	const env = { ...process.env, PI_CODING_AGENT_DIR: join(dir, "agent"), PI_OFFLINE: "1", PI_TELEMETRY: "0" };
	const running = promisify(execFile)(process.execPath, args, { cwd: dir, env });
	running.child.stdin?.end();
	return (await running).stdout;
}

test.each(API_NAMES)(
	"the real pi runs a tool loop against %s",
	async (api) => {
		expect(await runPi(api, "What does the note say?")).toContain("The note says 42.");
		const records = loopback.records();
		expect(
			records.map(({ api: spoken, refused, extendsPrevious }) => [spoken, refused, extendsPrevious]),
		).toEqual([
			[api, undefined, true],
			[api, undefined, true],
		]);
		expect(JSON.stringify(records[1]?.body)).toContain("the answer is 42");
	},
	60_000,
);
