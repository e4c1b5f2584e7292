/**
 * `npm run hostile -- [--json]`: builds each hostile workspace in a scratch folder, runs glob, grep and git status in
 * it, and prints the peak memory and the time of each. Exit code 1 when one of them is over its bound, shows a file of
 * another place, or runs a program of the repository.
 */
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { glob, grep, readGitStatus } from "#workspace";
import {
	type HostileLayout,
	hostileLayouts,
	SECRET,
} from "../../packages/workspace/test-support/hostile-layouts.ts";
import { measurePrograms } from "../../packages/workspace/test-support/peak-memory.ts";

const MIB = 2 ** 20;
const MAX_PEAK_MIB = 300;
const MAX_MS = 6000;
const MAX_MS_LARGE = 30_000;
const STATUS_DEADLINE_MS = 3000;

interface Trial {
	readonly workspace: string;
	readonly tool: string;
	/** In one word, or the message of an error. */
	readonly answer: string;
	/** The largest memory of a program that the tool started. */
	readonly peakMiB: number;
	/** On the wall clock. The bound is compared with the time that a busy machine does not add to. */
	readonly ms: number;
	readonly problem: string;
}

async function tryLayout(layout: HostileLayout, directory: string): Promise<readonly Trial[]> {
	const { cwd, readTrace } = layout.build(directory);
	const tools: readonly (readonly [string, () => Promise<string>])[] = [
		["glob", async () => describeList(await glob({ pattern: "src/**" }, { cwd }))],
		["grep", async () => describeMatches(await grep({ pattern: "needle" }, { cwd }))],
		["git status", async () => describeStatus(await readGitStatus(cwd, { deadlineMs: STATUS_DEADLINE_MS }))],
	];
	const trials: Trial[] = [];
	for (const [tool, run] of tools) {
		const start = performance.now();
		const ownStart = process.cpuUsage();
		const { value: answer, peakBytes, longestMs } = await measurePrograms(() => run().catch(String));
		const ms = Math.round(performance.now() - start);
		const own = process.cpuUsage(ownStart);
		const spentMs = Math.max(longestMs, (own.user + own.system) / 1000);
		const peakMiB = Math.round(peakBytes / MIB);
		const problems = [
			peakMiB > MAX_PEAK_MIB ? `more than ${MAX_PEAK_MIB} MiB` : "",
			spentMs > (layout.isLarge ? MAX_MS_LARGE : MAX_MS) ? "too slow" : "",
			answer.includes(SECRET) ? "shows a file of another place" : "",
			readTrace?.() ? `ran ${readTrace().trim().replaceAll("\n", ", ")}` : "",
		];
		const problem = problems.filter((one) => one !== "").join("; ");
		trials.push({ workspace: layout.name, tool, answer, peakMiB, ms, problem });
	}
	return trials;
}

function describeList({ total, listedBy }: Awaited<ReturnType<typeof glob>>): string {
	return `${total} files by ${listedBy}`;
}

function describeMatches({ files, matches, skipped }: Awaited<ReturnType<typeof grep>>): string {
	const { large, unsearched } = skipped;
	const leak = JSON.stringify(files).includes(SECRET) ? ` with ${SECRET}` : "";
	const notes = [large > 0 ? `${large} large` : "", unsearched > 0 ? `${unsearched} not reached` : ""];
	return [`${matches} lines${leak}`, ...notes].filter((note) => note !== "").join(", ");
}

function describeStatus(status: Awaited<ReturnType<typeof readGitStatus>>): string {
	return status.type === "unavailable" ? `unavailable: ${status.reason}` : status.type;
}

async function main() {
	const { values } = parseArgs({ options: { json: { type: "boolean", default: false } } });
	const scratch = realpathSync(mkdtempSync(join(tmpdir(), "hostile-")));
	const trials: Trial[] = [];
	try {
		for (const [index, layout] of hostileLayouts.entries()) {
			const directory = join(scratch, String(index));
			mkdirSync(directory);
			const found = await tryLayout(layout, directory);
			trials.push(...found);
			if (!values.json) for (const trial of found) console.log(formatTrial(trial));
			rmSync(directory, { recursive: true, force: true });
		}
	} finally {
		rmSync(scratch, { recursive: true, force: true });
	}
	const problems = trials.filter(({ problem }) => problem !== "");
	if (values.json) console.log(JSON.stringify({ trials, problems: problems.length }, undefined, "\t"));
	else
		console.log(`\n${hostileLayouts.length} workspaces, ${trials.length} calls, ${problems.length} problems`);
	process.exitCode = problems.length === 0 ? 0 : 1;
}

function formatTrial({ workspace, tool, answer, peakMiB, ms, problem }: Trial): string {
	const figures = `${String(peakMiB).padStart(4)} MiB ${String(ms).padStart(6)} ms`;
	const mark = problem === "" ? "" : `  PROBLEM: ${problem}`;
	return `${workspace.padEnd(52)} ${tool.padEnd(11)} ${figures}  ${answer.slice(0, 60)}${mark}`;
}

await main();
