/** How a run goes, on stderr: one line that is rewritten on a terminal, a line for every tenth task elsewhere. */
import type { RunProgress } from "./run.ts";

const TASKS_PER_LINE = 10;

export function createReporter(): (progress: RunProgress) => void {
	const isTerminal = process.stderr.isTTY;
	return ({ condition, seed, done, solved, tasks, requests, tokens }) => {
		const isDue = done % TASKS_PER_LINE === 0 || done === tasks;
		if (!isTerminal && !isDue) return;
		const size = `${(tokens / 1e6).toFixed(1)}M tokens`;
		const line = `${condition}, seed ${seed}: ${solved} of ${done} solved, ${tasks - done} to go, ${requests} requests, ${size}`;
		process.stderr.write(
			isTerminal && done < tasks ? `\r\x1b[K${line}` : `${isTerminal ? "\r\x1b[K" : ""}${line}\n`,
		);
	};
}
