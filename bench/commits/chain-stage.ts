/** The commits of a chain as the tasks of one session. */
import { execFile } from "node:child_process";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import {
	askForCommit,
	type CommitFile,
	commitAll,
	configure,
	createCommitWorker,
	findRequests,
} from "#testing/worker";
import type { Task } from "#testing/worker/tasks";
import type { Stage } from "../single-session/run.ts";
import { withSummaries } from "../single-session/summaries.ts";
import { type Chain, type ChainedCommit, git } from "./read-chain.ts";

const TEST = /(^|[/._-])(tests?|specs?|__tests__)([/._-]|$)/i;
/** Milliseconds that the command of a check may take. */
const CHECK_LIMIT = 600_000;

/**
 * The work tree before the first commit, and the commits as requests. Without `check`, a commit is made when its files are byte for
 * byte as in the history. With it, only commits with tests are asked for, and one is made when the command succeeds with the tests
 * that the history has.
 */
export function stageOf({ repository, commits: all }: Chain, check?: string): Stage {
	const commits =
		check === undefined ? all : all.filter(({ files }) => splitTests(files).every((some) => some.length > 0));
	const [first] = commits;
	return {
		/** A work tree of its own. It shares the objects of the repository, which is not changed. */
		async create(directory) {
			if (!first) return;
			const clone = ["clone", "--quiet", "--shared", "--no-checkout", "--template="];
			await git(repository, ...clone, repository, directory);
			await configure(directory);
			await git(directory, "checkout", "--quiet", "--detach", first.parent);
		},
		tasks: commits.map((commit) => {
			const task = taskOf(commit, all.length);
			return check === undefined ? task : checkedTask(task, commit, check);
		}),
		worker: withSummaries(createCommitWorker(all), summarise),
	};
}

const splitTests = (files: readonly CommitFile[]) =>
	[files.filter(({ path }) => TEST.test(path)), files.filter(({ path }) => !TEST.test(path))] as const;

/** A commit for a model, which cannot guess its bytes. */
function checkedTask({ files: _, ...task }: Task, { body, files }: ChainedCommit, check: string): Task {
	const [tests] = splitTests(files);
	return {
		...task,
		prompt: [task.prompt, body, "Others write its tests and run them afterwards."].join("\n\n"),
		async verify(directory) {
			for (const file of tests) await writeCommitFile(directory, file);
			const run = promisify(execFile)("sh", ["-c", check], { cwd: directory, timeout: CHECK_LIMIT });
			return run.then(Boolean).catch(() => false);
		},
	};
}

function taskOf(commit: ChainedCommit, of: number): Task {
	const { hash, parent, number, files } = commit;
	return {
		id: `commit-${String(number).padStart(3, "0")}-${hash.slice(0, 8)}`,
		prompt: askForCommit(commit, of),
		files: files.map(({ path }) => path),
		/** The changes of others since the commit before, and those of this commit that the worker cannot write. */
		async prepare(directory) {
			await git(directory, "read-tree", "--reset", "-u", hash);
			const own = files.map(({ path }) => path);
			const old = files.flatMap(({ type, path }) => (type === "added" ? [] : [path]));
			await git(directory, "rm", "--quiet", "--force", "--ignore-unmatch", "--", ...own);
			if (old.length > 0) await git(directory, "checkout", "--quiet", parent, "--", ...old);
			await commitAll(directory, "Work of others");
		},
		async verify(directory) {
			const right = await Promise.all(files.map((file) => isRight(directory, file)));
			return right.every(Boolean);
		},
		async solve(directory) {
			for (const file of files) await writeCommitFile(directory, file);
		},
	};
}

async function isRight(directory: string, file: CommitFile): Promise<boolean> {
	const text = await readFile(join(directory, file.path), "utf8").catch(() => undefined);
	return text === (file.type === "removed" ? undefined : file.text);
}

async function writeCommitFile(directory: string, file: CommitFile): Promise<void> {
	const path = join(directory, file.path);
	if (file.type === "removed") return await rm(path, { force: true });
	await mkdir(dirname(path), { recursive: true });
	await writeFile(path, file.text);
}

/**
 * Answers compaction with the requests so far, the current one last. pi adds the lists of files itself; how a file reads is
 * in no summary, so the worker reads it again.
 */
function summarise(parts: readonly string[]): string {
	const asked = parts.flatMap((part) => findRequests(part.replace(/^\[User\]: /gm, "")));
	const lines = new Set(asked.map(({ line }) => line));
	return ["## Goal", "Commits of a repository, one after the other.", "", "## Done", ...lines].join("\n");
}
