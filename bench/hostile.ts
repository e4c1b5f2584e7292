/**
 * `npm run hostile`: builds each hostile workspace in a scratch folder, runs glob, grep and git status in it, tries hostile
 * patterns in a small workspace, and measures the peak memory and the time of each.
 */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { glob, grep, readGitStatus } from "#workspace";
import {
	type HostileLayout,
	type HostileWorkspace,
	hostileLayouts,
	SECRET,
} from "../packages/workspace/test-support/hostile-layouts.ts";
import { measurePrograms } from "../packages/workspace/test-support/peak-memory.ts";
import { defineBench, forEachStep } from "./bench.ts";

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

type Tool = readonly [name: string, run: () => Promise<string>];

/** Patterns that a model may send, as globs and as regular expressions. */
const hostilePatterns = [
	"{1..100000000}",
	"{a,b}".repeat(40),
	`${"**/a".repeat(200)}/x`,
	`${"+(a|".repeat(40)}b${")".repeat(40)}`,
	"(a+)+$",
	"((a{1000}){1000}){1000}",
	"(".repeat(900),
	"x".repeat(1_000_000),
];

function toolsFor(cwd: string): readonly Tool[] {
	return [
		["glob", async () => describeList(await glob({ pattern: "src/**" }, { cwd }))],
		["grep", async () => describeMatches(await grep({ pattern: "needle" }, { cwd }))],
		["git status", async () => describeStatus(await readGitStatus(cwd, { deadlineMs: STATUS_DEADLINE_MS }))],
	];
}

/** In a folder with 200 files whose names and only line are many times the letter a. */
async function tryPatterns(cwd: string): Promise<readonly Trial[]> {
	for (let file = 0; file < 200; file++) {
		writeFileSync(join(cwd, `${"a".repeat(200)}${file}`), "a".repeat(10_000));
	}
	const trials: Trial[] = [];
	for (const pattern of hostilePatterns) {
		const tools: readonly Tool[] = [
			["glob", async () => describeList(await glob({ pattern }, { cwd }))],
			["grep", async () => describeMatches(await grep({ pattern }, { cwd }))],
		];
		trials.push(...(await tryTools(`the pattern ${pattern.slice(0, 32)}`, tools)));
	}
	return trials;
}

async function tryTools(
	workspace: string,
	tools: readonly Tool[],
	{ isLarge = false, readTrace }: Pick<HostileLayout, "isLarge"> & Pick<HostileWorkspace, "readTrace"> = {},
): Promise<readonly Trial[]> {
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
			spentMs > (isLarge ? MAX_MS_LARGE : MAX_MS) ? "too slow" : "",
			answer.includes(SECRET) ? "shows a file of another place" : "",
			readTrace?.() ? `ran ${readTrace().trim().replaceAll("\n", ", ")}` : "",
		];
		const problem = problems.filter((one) => one !== "").join("; ");
		trials.push({ workspace, tool, answer, peakMiB, ms, problem });
	}
	return trials;
}

function describeList({ total }: Awaited<ReturnType<typeof glob>>): string {
	return `${total} files`;
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

export const bench = defineBench({
	flags: {},
	notes:
		"Exit code 1 if a tool is over its bound, shows a file of another place, or runs a program of the repository.",
	async run({ signal }) {
		const scratch = realpathSync(mkdtempSync(join(tmpdir(), "hostile-")));
		const trials: Trial[] = [];
		try {
			await forEachStep([...hostileLayouts, undefined], "workspaces", signal, async (layout, index) => {
				const directory = join(scratch, String(index));
				mkdirSync(directory);
				if (layout) {
					const { cwd, readTrace } = layout.build(directory);
					const about = { isLarge: layout.isLarge ?? false, ...(readTrace && { readTrace }) };
					trials.push(...(await tryTools(layout.name, toolsFor(cwd), about)));
				} else trials.push(...(await tryPatterns(directory)));
				rmSync(directory, { recursive: true, force: true });
			});
		} finally {
			rmSync(scratch, { recursive: true, force: true });
		}
		const problems = trials.filter(({ problem }) => problem !== "").length;
		const sum = `${hostileLayouts.length} workspaces and ${hostilePatterns.length} patterns, ${trials.length} calls, ${problems} problems`;
		return {
			figures: { trials, problems },
			text: () => [...trials.map(formatTrial), "", sum, ""].join("\n"),
			hasFailed: problems > 0,
		};
	},
});

function formatTrial({ workspace, tool, answer, peakMiB, ms, problem }: Trial): string {
	const figures = `${String(peakMiB).padStart(4)} MiB ${String(ms).padStart(6)} ms`;
	const mark = problem === "" ? "" : `  PROBLEM: ${problem}`;
	return `${workspace.padEnd(52)} ${tool.padEnd(11)} ${figures}  ${answer.slice(0, 60)}${mark}`;
}
