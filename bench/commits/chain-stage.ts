/** The commits of a chain as the tasks of one session. */
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import {
	askForCommit,
	type CommitFile,
	configure,
	findRequests,
	type ScriptedModel,
	type Task,
} from "#loopback";
import { isSummaryRequest, splitSummaryRequest } from "../single-session/model-wrappers.ts";
import type { Stage } from "../single-session/run.ts";
import { type Chain, type ChainedCommit, git } from "./read-chain.ts";

/** The work tree before the first commit, and the commits as requests. */
export function stageOf(repository: string, { commits }: Chain): Stage {
	const [first] = commits;
	return {
		async create(directory) {
			if (first) await checkOut(repository, first.parent, directory);
		},
		tasks: commits.map((commit) => taskOf(commit, commits.length)),
	};
}

/** A work tree of its own at this commit. It shares the objects of the repository, which is not changed. */
async function checkOut(repository: string, commit: string, directory: string): Promise<void> {
	const clone = ["clone", "--quiet", "--shared", "--no-checkout", "--template="];
	await git(repository, ...clone, repository, directory);
	await configure(directory);
	await git(directory, "checkout", "--quiet", "--detach", commit);
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
			const commitOthers = ["commit", "--quiet", "--no-verify", "--allow-empty", "--message"];
			await git(directory, ...commitOthers, "Work of others");
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
export function withCommitSummaries(model: ScriptedModel): ScriptedModel {
	return (request) => {
		if (!isSummaryRequest(request)) return model(request);
		const parts = splitSummaryRequest(request);
		const asked = parts.flatMap((part) => findRequests(part.replace(/^\[User\]: /gm, "")));
		const lines = [...new Set(asked.map(({ line }) => line))];
		return {
			text: ["## Goal", "Commits of a repository, one after the other.", "", "## Done", ...lines].join("\n"),
		};
	};
}
