/** What the tests of a project say of a fault in one of its files. */
import { spawn } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fieldsOf } from "../../packages/loopback/json.ts";

/** `unsettled`: a test ran out of its time, and none failed; on a machine with other work that proves nothing. */
export type Verdict = "killed" | "endless" | "survived" | "unsettled";

/** Tests that go on for longer have no end; in ms. */
const LONGEST_MS = 300_000;

/** The tests of the core keep nothing between them: that modules are loaded once halves the time of a look. */
const TOGETHER = ["--no-isolate", "--pool", "threads", "--no-file-parallelism"];

/**
 * Run the tests that import the file, up to the first that fails, each property on so many draws. In a group of
 * processes, so that none of them is left.
 */
export async function judgeMutant(root: string, path: string, draws: number): Promise<Verdict> {
	const report = join(root, "report.json");
	rmSync(report, { force: true });
	const options = ["--run", ...TOGETHER, "--bail", "1", "--reporter", "json", "--outputFile", report];
	const tests = spawn(process.execPath, ["node_modules/vitest/vitest.mjs", "related", path, ...options], {
		...{ cwd: root, detached: true, stdio: "ignore" },
		env: { ...process.env, CWL_PROPERTY_RUNS: String(draws) },
	});
	let isEndless = false;
	const code = await new Promise<number | null>((resolve, reject) => {
		const stop = setTimeout(() => {
			isEndless = true;
			if (tests.pid !== undefined) process.kill(-tests.pid, "SIGKILL");
		}, LONGEST_MS);
		tests.on("error", reject);
		tests.on("exit", (exit) => {
			clearTimeout(stop);
			resolve(exit);
		});
	});
	if (isEndless) return "endless";
	if (code === 0) return "survived";
	// Tests that could not even be begun write no report.
	if (!existsSync(report)) return "killed";
	return readFailures(report).every(isTimeout) ? "unsettled" : "killed";
}

/** Messages of the tests that failed; a file that could not even be loaded has one too. */
function readFailures(report: string): readonly string[] {
	const { testResults } = fieldsOf(JSON.parse(readFileSync(report, "utf8")));
	if (!Array.isArray(testResults)) throw new Error(`${report} is no report of vitest.`);
	return testResults.map(fieldsOf).flatMap(({ status, message, assertionResults }) => {
		const failed = Array.isArray(assertionResults)
			? assertionResults.map(fieldsOf).filter((test) => test.status === "failed")
			: [];
		const messages = failed.map(({ failureMessages }) => String(failureMessages));
		return status === "failed" && messages.length === 0 ? [String(message)] : messages;
	});
}

function isTimeout(message: string): boolean {
	return /timed out in \d+ms/.test(message);
}
