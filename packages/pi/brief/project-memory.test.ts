import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { createScratch } from "../../workspace/test-support/scratch.ts";
import { loadMemory, MEMORY_FILE, updateMemory } from "./project-memory.ts";
import type { SessionFindings } from "./session-findings.ts";

function session(name: string): SessionFindings {
	const at = "2026-11-22T00:01:00.000Z";
	const finding = { name: `find-${name}`, text: `About ${name}.`, at, files: new Map(), goal: "port it" };
	return { session: name, findings: [finding] };
}

const read = async () => undefined;

test("updates at the same time all succeed, and what one of them lost, the next update takes up once", async () => {
	const root = createScratch();
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

test("a memory is refused and kept when none of at least three files that it names is in the repository", async () => {
	const root = createScratch();
	const path = join(root, MEMORY_FILE);
	await mkdir(dirname(path), { recursive: true });
	const write = async (names: readonly string[]) => {
		const text = `### a\n\nA.\n\n${names.map((name) => `- ${name} 3:ab`).join("\n")}\n`;
		await writeFile(path, text);
		return text;
	};
	const look = async (file: string) => (file.endsWith("own.txt") ? "3:ab" : "gone");
	const text = await write(["b.ts", "c.ts", "d.ts"]);
	const reason = 'none of its 3 files is in this repository, not even "b.ts": it belongs to another one';
	expect(await loadMemory(root, look)).toMatchObject({
		type: "refused",
		pieces: [],
		problem: expect.stringContaining(reason),
	});
	await expect(updateMemory(root, [session("a")], look)).rejects.toThrow(reason);
	expect(await readFile(path, "utf8")).toBe(text);
	for (const names of [
		["b.ts", "c.ts"],
		["b.ts", "c.ts", "d.ts", "own.txt"],
	]) {
		await write(names);
		expect(await loadMemory(root, look)).toMatchObject({ type: "read", problem: undefined });
	}
});

test("of the files that a memory names, none that a link leads out of the repository is looked at", async () => {
	const root = createScratch();
	const other = createScratch();
	for (const folder of [root, other]) await writeFile(join(folder, "own.txt"), "own");
	await symlink(other, join(root, "out"));
	await symlink("own.txt", join(root, "in"));
	await mkdir(dirname(join(root, MEMORY_FILE)), { recursive: true });
	const lines = ["out/own.txt", "out", "in", "own.txt", "none"].map((name) => `- ${name} 3:ab`);
	await writeFile(join(root, MEMORY_FILE), `### a\n\nA.\n\n${lines.join("\n")}\n`);
	const seen: string[] = [];
	await loadMemory(root, async (path) => void seen.push(path));
	expect(seen).toEqual(["in", "own.txt", "none"].map((name) => join(root, name)));
});
