import { Worker } from "node:worker_threads";
import { type FileMatches, MAX_FILE_BYTES, type SearchJob, type SearchOutcome } from "./grep-engine.ts";
import { abortedError, WorkspaceError } from "./workspace-error.ts";

interface Progress {
	readonly searched: number;
	readonly large: number;
	readonly unreadable: number;
	readonly found: readonly (Pick<FileMatches, "count" | "lines"> & { readonly index: number })[];
}

/**
 * Searches with JavaScript's own expressions on one thread, which is ended at the deadline: a pattern that explodes
 * costs that time and no more, in ms. What was found until then stands.
 *
 * @throws WorkspaceError `aborted`, or `failed` when the thread breaks down
 */
export function searchWithJavaScript(
	job: SearchJob & { readonly deadlineMs: number },
): Promise<SearchOutcome> {
	const { root, paths, pattern, lines } = job;
	const worker = new Worker(new URL("./grep-worker.mjs", import.meta.url), {
		workerData: { root, paths, pattern, lines, maxFileBytes: MAX_FILE_BYTES },
		execArgv: [],
		resourceLimits: { maxOldGenerationSizeMb: 1024 },
	});
	const matches: FileMatches[] = [];
	let progress: Progress = { searched: 0, large: 0, unreadable: 0, found: [] };
	return new Promise((resolve, reject) => {
		const end = () => {
			clearTimeout(timer);
			job.signal?.removeEventListener("abort", onAbort);
			void worker.terminate();
		};
		const finish = () => {
			end();
			const { large, unreadable, searched } = progress;
			resolve({ matches, skipped: { large, unreadable, unsearched: paths.length - searched } });
		};
		const onAbort = () => {
			end();
			reject(abortedError());
		};
		const timer = setTimeout(finish, job.deadlineMs);
		job.signal?.addEventListener("abort", onAbort, { once: true });
		if (job.signal?.aborted) onAbort();
		worker.on("message", (message: Progress) => {
			progress = message;
			for (const { index, count, lines: found } of message.found) {
				matches.push({ path: paths[index] ?? "", count, lines: found });
			}
			if (progress.searched === paths.length) finish();
		});
		worker.on("error", (error) => {
			end();
			reject(new WorkspaceError("failed", `The search broke down: ${String(error)}`));
		});
	});
}
