import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import {
	commitAll,
	createRepository,
	createScratch,
	setVariable,
	writeTree,
} from "../test-support/scratch.ts";
import { createStatusWatcher, type WatcherOptions } from "./git-watcher.ts";

const PATIENT = { deadlineMs: 600_000, hardDeadlineMs: 600_000 };

it("gives the same answer until `invalidate` says that files may have changed", async () => {
	const { cwd, watcher } = watch(PATIENT);
	const first = await watcher.current();
	expect(first).toMatchObject({ type: "repository", untracked: [] });
	writeTree(cwd, { new: "" });
	expect(await watcher.current()).toBe(first);
	watcher.invalidate();
	expect(await watcher.current()).toMatchObject({ untracked: ["new"] });
	watcher.invalidate();
	writeTree(cwd, { newer: "" });
	watcher.invalidate();
	expect(await watcher.current()).toMatchObject({ untracked: ["new", "newer"] });
});

it("gives the last answer, marked stale, when git is slow, and the new one as soon as git answers", async () => {
	const { cwd, watcher } = watch({ deadlineMs: 1 });
	await expect.poll(async () => (await watcher.current()).type === "repository").toBe(true);
	const gate = slowGit();
	writeTree(cwd, { new: "" });
	watcher.invalidate();
	expect(await watcher.current()).toMatchObject({ type: "repository", untracked: [], stale: "pending" });
	writeFileSync(gate, "");
	const isNew = async () => {
		const status = await watcher.current();
		return status.type === "repository" && status.untracked.includes("new") && status.stale === undefined;
	};
	await expect.poll(isNew).toBe(true);
});

it("marks an earlier answer when git was ended without a new one, until git answers again", async () => {
	const { cwd, watcher } = watch({ ...PATIENT, hardDeadlineMs: 2000 });
	/** On a busy machine git may be ended before it answers. */
	const askAgain = () => {
		watcher.invalidate();
		return watcher.current();
	};
	await expect.poll(askAgain).toMatchObject({ type: "repository", untracked: [] });
	const gate = slowGit();
	writeTree(cwd, { new: "" });
	expect(await askAgain()).toMatchObject({ untracked: [], stale: "unanswered" });
	writeFileSync(gate, "");
	await expect.poll(askAgain).toMatchObject({ untracked: ["new"] });
	await expect.poll(askAgain).not.toHaveProperty("stale");
});

it("is unavailable as long as there is no answer, and ends at `dispose`", async () => {
	const cwd = createRepository();
	slowGit();
	const watcher = createStatusWatcher(cwd, { deadlineMs: 1 });
	expect(await watcher.current()).toMatchObject({ type: "unavailable", reason: "deadline" });
	watcher.dispose();
	await expect.poll(() => watcher.current()).toMatchObject({ type: "unavailable", reason: "cancelled" });
});

/** A watcher of a repository in which nothing has changed. */
function watch(options: WatcherOptions) {
	const cwd = createRepository();
	commitAll(cwd);
	return { cwd, watcher: createStatusWatcher(cwd, options) };
}

/** Puts a git in front of the real one that waits until a file is there; returns its path. */
function slowGit(): string {
	const directory = createScratch();
	const gate = join(directory, "gate");
	const before = process.env.PATH ?? "";
	const script = `#!/bin/sh\nwhile [ ! -e ${gate} ]; do sleep 0.05; done\nPATH='${before}' exec git "$@"\n`;
	writeFileSync(join(directory, "git"), script, { mode: 0o755 });
	setVariable("PATH", `${directory}:${before}`);
	return gate;
}
