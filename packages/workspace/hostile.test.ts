import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readGitStatus } from "./git/read-status.ts";
import { glob } from "./glob/glob.ts";
import { grep } from "./grep/grep.ts";
import { hostileLayouts, SECRET } from "./test-support/hostile-layouts.ts";
import { measurePrograms } from "./test-support/peak-memory.ts";
import { createScratch } from "./test-support/scratch.ts";

/** A device that is read as a file takes gigabytes. */
const MAX_PEAK_BYTES = 300 * 2 ** 20;
/** A program that waits for a pipe runs until this deadline, of which git has four fifths; all others end far earlier. */
const DEADLINE_MS = 120_000;
const MAX_MS = DEADLINE_MS / 2;
/** git status waits for a pipe below the top until its deadline. */
const STATUS_DEADLINE_MS = 3000;
/** Milliseconds of processor time for one pattern in both tools, which have a limit of their own each. */
const MAX_PATTERN_CPU_MS = 12_000;

describe.each(hostileLayouts)("a workspace: $name", ({ build, traps, isLarge }) => {
	it("costs neither memory nor time, runs no program and shows nothing of other places", async () => {
		const { root: cwd, readTrace = () => "" } = build(createScratch());
		const context = { cwd, deadlineMs: DEADLINE_MS };
		const listed = await measurePrograms(() => glob({ pattern: "src/**" }, context));
		const found = await measurePrograms(() => grep({ pattern: "needle" }, context));
		const status = await measurePrograms(() => readGitStatus(cwd, { deadlineMs: STATUS_DEADLINE_MS }));
		expect(JSON.stringify(found.value.files)).not.toContain(SECRET);
		expect(readTrace()).toBe("");
		if (traps) {
			// The broken process filter ends a plain git; without it, git reaches the other filter and the submodule.
			for (const flags of [[], ["-c", "filter.evil.process=", "-c", "filter.evil.required=false"]])
				spawnSync("git", [...flags, "status"], { cwd, stdio: "ignore", timeout: DEADLINE_MS });
			expect(traps.filter((trap) => !readTrace().includes(trap))).toEqual([]);
		} else {
			expect(listed.value.paths).toContain("src/a.ts");
			const isFound = found.value.files.some(({ path }) => path === "src/a.ts");
			expect(isFound || (isLarge === true && found.value.skipped.unsearched > 0)).toBe(true);
		}
		for (const { peakBytes, longestMs } of [listed, found, status]) {
			expect(peakBytes).toBeLessThan(MAX_PEAK_BYTES);
			expect(longestMs).toBeLessThan(MAX_MS);
		}
	});
});

/** Patterns that a model may send, as globs and as regular expressions. */
const hostilePatterns = [
	"{1..100000000}",
	"{a,b}".repeat(60),
	`${"{".repeat(300)}a,b${"}".repeat(300)}`,
	"*a".repeat(300),
	`${"*a".repeat(20)}b`,
	`${"**/a".repeat(200)}/x`,
	`${"+(a|".repeat(40)}b${")".repeat(40)}`,
	"((a{1000}){1000}){1000}",
	"(".repeat(900),
	"x".repeat(1_000_000),
];

it.each(hostilePatterns.map((pattern) => [pattern.slice(0, 30), pattern]))(
	"the pattern %s costs neither memory nor time",
	async (_, pattern = "") => {
		const cwd = createScratch();
		for (let file = 0; file < 200; file++)
			writeFileSync(join(cwd, `${"a".repeat(200)}${file}`), "a".repeat(10_000));
		const before = process.memoryUsage.rss();
		const started = process.cpuUsage();
		for (const find of [glob, grep]) {
			const found = await measurePrograms(() => find({ pattern }, { cwd }).catch((error: unknown) => error));
			if (found.value instanceof Error) expect(found.value.name).toBe("WorkspaceError");
			expect(found.peakBytes).toBeLessThan(MAX_PEAK_BYTES);
			expect(found.longestMs).toBeLessThan(MAX_MS);
		}
		const { user, system } = process.cpuUsage(started);
		expect((user + system) / 1_000).toBeLessThan(MAX_PATTERN_CPU_MS);
		expect(process.memoryUsage.rss() - before).toBeLessThan(MAX_PEAK_BYTES);
	},
);
