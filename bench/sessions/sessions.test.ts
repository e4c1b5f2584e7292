import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { commitAll, configure, git } from "#testing/worker";
import { createScratch } from "../../packages/workspace/test-support/scratch.ts";
import { fetchSessions } from "./command.ts";
import SOURCES from "./sources.json" with { type: "json" };

test("sessions are fetched from a commit of their repository, and one that is gone is named", async () => {
	const host = createScratch();
	const repository = join(host, "owner", "name");
	await mkdir(join(repository, "a"), { recursive: true });
	await git(repository, "init", "--quiet", "--template=");
	await configure(repository);
	await git(repository, "config", "uploadpack.allowAnySHA1InWant", "true");
	await writeFile(join(repository, "a", "full.jsonl"), "{}\n");
	await commitAll(repository, "A session");
	const commit = (await git(repository, "rev-parse", "HEAD")).trim();
	const folder = createScratch();
	const sources = { recorded: { [`owner/name@${commit}`]: ["a/full.jsonl"], "owner/gone@00": ["b"] } };
	const { signal } = new AbortController();
	const { fetched, problems } = await fetchSessions(sources, `file://${host}`, folder, signal);
	expect(fetched).toBe(1);
	expect(problems).toEqual([expect.stringMatching(/^owner\/gone@00: /)]);
	expect(await readdir(join(folder, "recorded"))).toEqual(["owner-name__a-full.jsonl"]);
	expect(await readFile(join(folder, "recorded", "owner-name__a-full.jsonl"), "utf8")).toBe("{}\n");
});

test("every source names a repository, a whole commit and paths", () => {
	for (const commits of Object.values(SOURCES))
		for (const [source, paths] of Object.entries(commits)) {
			expect(source).toMatch(/^[\w.-]+\/[\w.-]+@[0-9a-f]{40}$/);
			expect(paths.length).toBeGreaterThan(0);
		}
});
