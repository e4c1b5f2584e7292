/** A scratch repository with the source trees of a seed, ready for its first task. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { findLandmarks } from "./landmarks.ts";
import { makeTasks, type TaskList } from "./make-tasks.ts";
import { initialise, writeFiles } from "./repository.ts";
import { readSourceTrees } from "./source-trees.ts";

const run = promisify(execFile);

export interface ScratchOptions {
	readonly seed: number;
	readonly tasks: number;
	readonly isTerse: boolean;
}

/** Fills an empty directory, commits it, and returns the tasks. */
export async function prepareScratch(directory: string, options: ScratchOptions): Promise<TaskList> {
	const { files } = await readSourceTrees();
	await writeFiles(directory, files);
	const loadable = await findLoadable(directory, findLandmarks(files).modules);
	const list = makeTasks({
		seed: options.seed,
		count: options.tasks,
		files,
		loadable: (path) => loadable.has(path),
		isTerse: options.isTerse,
	});
	await writeFiles(directory, list.planted);
	await initialise(directory);
	return list;
}

/** Some modules work only as part of their package. */
async function findLoadable(directory: string, paths: readonly string[]): Promise<ReadonlySet<string>> {
	const program = `for (const path of ${JSON.stringify(paths)}) try { require("./" + path); console.log(path); } catch {}`;
	const { stdout } = await run(process.execPath, ["-e", program], { cwd: directory });
	return new Set(stdout.split("\n"));
}
