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
import { createStatusWatcher } from "./git-watcher.ts";

const PATIENT = { deadlineMs: 20_000 };

it("gives the same answer until `invalidate` says that files may have changed", async () => {
	const cwd = createRepository();
	commitAll(cwd);
	const watcher = createStatusWatcher(cwd, PATIENT);
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
	const cwd = createRepository();
	commitAll(cwd);
	const gate = join(createScratch(), "gate");
	const watcher = createStatusWatcher(cwd, { deadlineMs: 1 });
	await vi.waitUntil(async () => (await watcher.current()).type === "repository", { timeout: 20_000 });
	slowGit(gate);
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
	const cwd = createRepository();
	commitAll(cwd);
	const gate = join(createScratch(), "gate");
	const watcher = createStatusWatcher(cwd, { deadlineMs: 20_000, hardDeadlineMs: 2000 });
	expect(await watcher.current()).toMatchObject({ type: "repository", untracked: [] });
	slowGit(gate);
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
	slowGit(join(createScratch(), "never"));
	const watcher = createStatusWatcher(cwd, { deadlineMs: 1 });
	expect(await watcher.current()).toMatchObject({ type: "unavailable", reason: "deadline" });
	watcher.dispose();
	await vi.waitUntil(async () => {
		const status = await watcher.current();
		return status.type === "unavailable" && status.reason === "cancelled";
	});
});

/** A git in front of the real one that waits until the gate file is there. */
function slowGit(gate: string): void {
	const directory = createScratch();
	const before = process.env.PATH ?? "";
	const script = `#!/bin/sh\nwhile [ ! -e ${gate} ]; do sleep 0.05; done\nPATH='${before}' exec git "$@"\n`;
	writeFileSync(join(directory, "git"), script, { mode: 0o755 });
	setVariable("PATH", `${directory}:${before}`);
}
