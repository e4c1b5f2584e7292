import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { MEMORY_FILE, updateMemory } from "./project-memory.ts";
import type { SessionFindings } from "./session-findings.ts";

async function makeRoot(): Promise<string> {
	const root = await mkdtemp(join(tmpdir(), "cwl-memory-"));
	onTestFinished(() => rm(root, { recursive: true }));
	return root;
}

function session(name: string): SessionFindings {
	const at = "2026-11-22T00:01:00.000Z";
	return {
		...{ session: name, end: at, decisions: [], files: new Map(), secrets: [] },
		findings: [{ name: `find-${name}`, text: `About ${name}.`, at, files: new Map(), goal: "port it" }],
	};
}

const read = async () => undefined;

test("updates at the same time all succeed, and what one of them lost, the next update takes up once", async () => {
	const root = await makeRoot();
	const sessions = ["a", "b", "c", "d"].map(session);
	await Promise.all(sessions.map((each) => updateMemory(root, [each], read)));
	await updateMemory(root, sessions, read);
	const text = await readFile(join(root, MEMORY_FILE), "utf8");
	const names = [...text.matchAll(/^### find-(\w)\n\n_Goal: port it_\n\nAbout \1\.$/gm)].map(
		([, name]) => name,
	);
	expect(names.toSorted()).toEqual(["a", "b", "c", "d"]);
	expect((await updateMemory(root, sessions, read)).added).toBe(0);
	expect(await readFile(join(root, MEMORY_FILE), "utf8")).toBe(text);
});

test("a memory that cannot be written at all is named after a few attempts", async () => {
	await expect(updateMemory("/sys", [session("a")], read)).rejects.toThrow(/memory\.md cannot be written \(/);
});
