/** Judges one fault after another with tests that may never end. */
import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Question, Verdict } from "./suite.ts";

/** Tests that take longer count as endless: a basic limit, and a limit per draw of a property; in ms. */
const MAX_MS = 30_000;
const MAX_PER_DRAW_MS = 3_000;
/** Starting vitest and loading the tests comes on top, in ms. */
const MAX_START_MS = 300_000;

export interface Judge {
	/**
	 * Runs the tests that import the files, up to the first failure. A fault that ends the process of the tests counts
	 * as noticed.
	 */
	readonly judge: (question: Question) => Promise<Verdict | "endless">;
	readonly close: () => void;
}

export function createJudge(root: string): Judge {
	let suite: ChildProcess | undefined;
	const close = () => {
		if (suite?.pid !== undefined && suite.exitCode === null) process.kill(-suite.pid, "SIGKILL");
		suite = undefined;
	};
	return {
		close,
		judge: async (question) => {
			const startMs = suite ? 0 : MAX_START_MS;
			suite ??= startSuite(root);
			const verdict = await ask(suite, question, startMs);
			if (verdict === "endless" || suite.exitCode !== null) close();
			return verdict;
		},
	};
}

/** In its own process group, so that no child process is left. */
function startSuite(root: string): ChildProcess {
	const suite = fileURLToPath(new URL("./suite.ts", import.meta.url));
	const execArgv = ["--import", import.meta.resolve("jiti/register")];
	return fork(suite, [root], {
		execArgv,
		cwd: root,
		detached: true,
		stdio: ["ignore", "ignore", "inherit", "ipc"],
	});
}

function ask(suite: ChildProcess, question: Question, startMs: number): Promise<Verdict | "endless"> {
	return new Promise((resolve, reject) => {
		const settle = (settled: () => void) => {
			clearTimeout(stop);
			suite.removeAllListeners();
			settled();
		};
		const longest = startMs + MAX_MS + question.draws * MAX_PER_DRAW_MS;
		const stop = setTimeout(() => settle(() => resolve("endless")), longest);
		suite.once("message", (verdict: Verdict) => settle(() => resolve(verdict)));
		suite.once("exit", () => settle(() => resolve("killed")));
		suite.once("error", (error) => settle(() => reject(error)));
		suite.send(question);
	});
}
