/** The commits of a chain as the tasks of one session. */
import { execFile } from "node:child_process";
import { mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import {
	askForCommit,
	type CommitFile,
	commitAll,
	configure,
	createCommitWorker,
	findRequests,
	writeSource,
} from "#testing/worker";
import type { Task } from "#testing/worker/tasks";
import type { Stage } from "../single-session/run.ts";
import { withSummaries } from "../single-session/summaries.ts";
import { type Chain, type ChainedCommit, git } from "./read-chain.ts";

const TEST = /(^|[/._-])(tests?|specs?|__tests__)([/._-]|$)/i;
/** Milliseconds that the command of a check may take. */
const CHECK_LIMIT = 600_000;

interface Check {
	/** Judges a commit; the paths of its tests are in `$TESTS`. */
	readonly command: string;
	/** Links of the work tree to what is not in git, such as `node_modules`. */
	readonly links?: Readonly<Record<string, string>>;
	/** How many commits, the last ones. */
	readonly tasks?: number;
}

/**
 * The work tree before the first commit, and the commits as requests. Without a check, a commit is made when its files are byte for byte
 * as in the history. With one, only commits with tests and other files are asked for. Their tests are in the work tree, and a commit is
 * made when the command succeeds with them.
 */
export function stageOf({ repository, commits: all }: Chain, check?: Check): Stage {
	const checked = all.filter(({ files }) => splitTests(files).every((some) => some.length > 0));
	const commits =
		check === undefined ? all : checked.slice(-(check.tasks ?? checked.length)).map(withoutTests);
	const [first] = commits;
	return {
		/** A work tree of its own. It shares the objects of the repository, which is not changed. */
		async create(directory) {
			if (!first) return;
			const clone = ["clone", "--quiet", "--shared", "--no-checkout", "--template="];
			await git(repository, ...clone, repository, directory);
			await configure(directory);
			await git(directory, "checkout", "--quiet", "--detach", first.parent);
			const links = Object.entries(check?.links ?? {});
			for (const [name, target] of links) await symlink(target, join(directory, name));
			await mkdir(join(directory, ".git", "info"), { recursive: true });
			await writeFile(
				join(directory, ".git", "info", "exclude"),
				links.map(([name]) => `${name}\n`).join(""),
			);
		},
		tasks: commits.map((commit) => {
			const task = taskOf(commit, all.length);
			return check === undefined ? task : checkedTask(task, commit, check.command);
		}),
		worker: withSummaries(createCommitWorker(commits), summarise),
	};
}

const splitTests = (files: readonly CommitFile[]) =>
	[files.filter(({ path }) => TEST.test(path)), files.filter(({ path }) => !TEST.test(path))] as const;

/** A commit whose tests others have written. */
interface CheckedCommit extends ChainedCommit {
	readonly tests?: readonly CommitFile[];
}

function withoutTests(commit: ChainedCommit): CheckedCommit {
	const [tests, files] = splitTests(commit.files);
	return { ...commit, files, tests };
}

/** A commit for a model, which cannot guess its bytes. */
function checkedTask(
	{ files: _, ...task }: Task,
	{ body, tests = [] }: CheckedCommit,
	command: string,
): Task {
	const paths = tests.flatMap(({ type, path }) => (type === "removed" ? [] : [path]));
	const ask = `Its tests are in the work tree already, and fail until it is made: ${paths.join(", ")}. Leave them as they are.`;
	return {
		...task,
		prompt: [task.prompt, body, ask].filter((part) => part !== "").join("\n\n"),
		async verify(directory) {
			for (const file of tests) await writeCommitFile(directory, file);
			const env = { ...process.env, TESTS: paths.join(" ") };
			const run = promisify(execFile)("sh", ["-c", command], { cwd: directory, timeout: CHECK_LIMIT, env });
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
	if (file.type === "removed") await rm(join(directory, file.path), { force: true });
	else await writeSource(directory, file);
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
