import { describe, expect, it } from "vitest";
import { readGitStatus } from "./git/git-status.ts";
import { glob } from "./glob/glob.ts";
import { grep } from "./grep/grep.ts";
import { hostileLayouts, SECRET } from "./test-support/hostile-layouts.ts";
import { measurePrograms } from "./test-support/peak-memory.ts";
import { createScratch } from "./test-support/scratch.ts";

/** A device that is read as a file takes gigabytes. */
const MAX_PEAK_BYTES = 300 * 2 ** 20;
/** A program that waits for a pipe runs until its deadline of 8 seconds. */
const MAX_MS = 6000;
const MAX_MS_LARGE = 30_000;
/** Ends a test that hangs; what may take how long is said above. */
const TEST_MS = 600_000;

describe.each(hostileLayouts)("a workspace: $name", ({ build, isReadable, isLarge }) => {
	it(
		"costs neither memory nor time, runs no program and shows nothing of other places",
		async () => {
			const { cwd, readTrace } = build(createScratch());
			const listed = await measurePrograms(() => glob({ pattern: "src/**" }, { cwd }));
			const found = await measurePrograms(() => grep({ pattern: "needle" }, { cwd }));
			const status = await measurePrograms(() => readGitStatus(cwd, { deadlineMs: 3000 }));
			if (isReadable) {
				expect(listed.value.paths).toContain("src/a.ts");
				const isFound = found.value.files.some(({ path }) => path === "src/a.ts");
				expect(isFound || (isLarge === true && found.value.skipped.unsearched > 0)).toBe(true);
			}
			expect(JSON.stringify(found.value.files)).not.toContain(SECRET);
			expect(readTrace?.() ?? "").toBe("");
			for (const { peakBytes, longestMs } of [listed, found, status]) {
				expect(peakBytes).toBeLessThan(MAX_PEAK_BYTES);
				expect(longestMs).toBeLessThan(isLarge ? MAX_MS_LARGE : MAX_MS);
			}
		},
		TEST_MS,
	);
});

describe("a pattern for files", () => {
	it.each([
		"{1..100000000}",
		"{a,b}".repeat(60),
		`${"{".repeat(300)}a,b${"}".repeat(300)}`,
		"*a".repeat(300),
	])("%.30s costs less than 300 MB", async (pattern) => {
		const cwd = createScratch();
		const before = process.memoryUsage.rss();
		const answer = await glob({ pattern }, { cwd }).catch((error: unknown) => error);
		const isAnswered = answer instanceof Error ? answer.name === "WorkspaceError" : true;
		expect(isAnswered).toBe(true);
		expect(process.memoryUsage.rss() - before).toBeLessThan(MAX_PEAK_BYTES);
	});
});
