import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import {
	commitAll,
	createRepository,
	createScratch,
	setVariable,
	writeTree,
} from "../test-support/scratch.ts";
import { createStatusWatcher, type WatcherOptions } from "./git-watcher.ts";

const PATIENT = { deadlineMs: 20_000 };

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
	await vi.waitUntil(async () => (await watcher.current()).type === "repository", { timeout: 20_000 });
	const gate = slowGit();
	writeTree(cwd, { new: "" });
	watcher.invalidate();
	expect(await watcher.current()).toMatchObject({ type: "repository", untracked: [], stale: "pending" });
	writeFileSync(gate, "");
	const isNew = async () => {
		const status = await watcher.current();
		return status.type === "repository" && status.untracked.includes("new") && status.stale === undefined;
	};
	await vi.waitUntil(isNew, { timeout: 20_000 });
});

it("marks an earlier answer when git was ended without a new one, until git answers again", async () => {
	const { cwd, watcher } = watch({ ...PATIENT, hardDeadlineMs: 2000 });
	expect(await watcher.current()).toMatchObject({ type: "repository", untracked: [] });
	const gate = slowGit();
	writeTree(cwd, { new: "" });
	watcher.invalidate();
	expect(await watcher.current()).toMatchObject({ untracked: [], stale: "unanswered" });
	writeFileSync(gate, "");
	watcher.invalidate();
	const answered = await watcher.current();
	expect(answered).toMatchObject({ untracked: ["new"] });
	expect(answered).not.toHaveProperty("stale");
});

it("is unavailable as long as there is no answer, and ends at `dispose`", async () => {
	const cwd = createRepository();
	slowGit();
	const watcher = createStatusWatcher(cwd, { deadlineMs: 1 });
	expect(await watcher.current()).toMatchObject({ type: "unavailable", reason: "deadline" });
	watcher.dispose();
	await vi.waitUntil(async () => {
		const status = await watcher.current();
		return status.type === "unavailable" && status.reason === "cancelled";
	});
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
	const [gate, before] = [join(directory, "gate"), process.env.PATH ?? ""];
	const script = `#!/bin/sh\nwhile [ ! -e ${gate} ]; do sleep 0.05; done\nPATH='${before}' exec git "$@"\n`;
	writeFileSync(join(directory, "git"), script, { mode: 0o755 });
	setVariable("PATH", `${directory}:${before}`);
	return gate;
}
