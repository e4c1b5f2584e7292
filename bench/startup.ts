/**
 * `npm run bench -- startup`: the time that the extension adds to pi's own start, in pairs of real runs with it and
 * with an empty extension.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { percentile } from "#lab";
import { readCount } from "./arguments.ts";
import { describeMachine } from "./machine.ts";
import { createProgress } from "./progress.ts";

export const help = `npm run bench -- startup: the time that the extension adds to pi's own start, in pairs of runs of the real process

  --runs 15   pairs
  --json      figures as JSON
`;

const flags = {
	runs: { type: "string", default: "15" },
	json: { type: "boolean", default: false },
} as const;

const extension = join(import.meta.dirname, "..", "extensions", "cwl", "index.ts");
const program = join(dirname(fileURLToPath(import.meta.resolve("@mariozechner/pi-coding-agent"))), "cli.js");

/** Starts pi and returns ms until its end; RPC mode ends at the end of its input, after session_start. */
function timeStart(extensionPath: string, directory: string): number {
	const start = performance.now();
	const args = [program, "--mode", "rpc", "-e", extensionPath];
	const environment = { ...process.env, PI_CODING_AGENT_DIR: directory, PI_OFFLINE: "1" };
	const { status, stderr } = spawnSync(process.execPath, args, {
		cwd: directory,
		env: environment,
		input: "",
	});
	if (status !== 0) throw new Error(`pi ended with ${status}: ${String(stderr)}`);
	return performance.now() - start;
}

/** Runs the bench and returns 0. */
export async function run(argv: readonly string[]): Promise<number> {
	const { values } = parseArgs({ args: [...argv], options: flags });
	const runs = readCount("runs", values.runs);
	const directory = mkdtempSync(join(tmpdir(), "cwl-startup-"));
	try {
		const figures = compareStarts(directory, runs);
		const { withoutMs, withMs, addedMs } = figures;
		const text = `pi starts in ${withMs} ms with the extension and in ${withoutMs} ms without: ${addedMs} ms more (medians of ${runs} pairs)`;
		process.stdout.write(`${values.json ? JSON.stringify(figures) : text}\n`);
		return 0;
	} finally {
		rmSync(directory, { recursive: true, force: true });
	}
}

function compareStarts(directory: string, runs: number) {
	const empty = join(directory, "empty.ts");
	writeFileSync(empty, "export default function () {}\n");
	// The first runs fill jiti's cache of compiled files.
	timeStart(empty, directory);
	timeStart(extension, directory);
	const progress = createProgress(runs, "pairs");
	const pairs = Array.from({ length: runs }, (_, index) => {
		const pair = { without: timeStart(empty, directory), with: timeStart(extension, directory) };
		progress(index + 1);
		return pair;
	});
	const median = (values: readonly number[]) => Math.round(percentile(values, 0.5) ?? 0);
	return {
		version: 1,
		date: new Date().toISOString().slice(0, 10),
		machine: describeMachine(),
		runs,
		withoutMs: median(pairs.map((pair) => pair.without)),
		withMs: median(pairs.map((pair) => pair.with)),
		addedMs: median(pairs.map((pair) => pair.with - pair.without)),
	};
}
