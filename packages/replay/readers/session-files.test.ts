import { execFileSync } from "node:child_process";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join, relative } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { scratchFolder } from "../../workspace/test-support/scratch.ts";
import { findSessionFiles, listUsualFolders } from "./session-files.ts";

const folder = scratchFolder();
beforeAll(async () => {
	await mkdir(join(folder, "b", "deep"), { recursive: true });
	await mkdir(join(folder, "empty"));
	for (const file of ["c.jsonl", "a.jsonl", "notes.txt", "b/deep/d.jsonl"])
		await writeFile(join(folder, file), "");
	await symlink(folder, join(folder, "b", "loop"));
});

async function find(...paths: readonly string[]): Promise<readonly string[]> {
	const found = await findSessionFiles(paths.map((path) => join(folder, path)));
	return [
		...found.places.map(({ path }) => relative(folder, path)),
		...found.problems.map(({ code }) => code),
	];
}

test("a folder stands for the sessions in it and below, in order of name, links not followed; a file for itself; and what cannot be used is a problem", async () => {
	expect(await find(".")).toEqual(["a.jsonl", "b/deep/d.jsonl", "c.jsonl"]);
	expect(await find("notes.txt")).toEqual(["notes.txt"]);
	expect(await find("missing", "empty", "c.jsonl")).toEqual(["c.jsonl", "not-found", "no-sessions"]);
});

test("of a folder, JSON counts where it looks like a session, and a folder of events is one session", async () => {
	const events = join(folder, "mixed", "conversation", "events");
	await mkdir(events, { recursive: true });
	await writeFile(join(events, "event-00000-a.json"), '{"kind": "MessageEvent"}');
	await writeFile(join(events, "event-00001-b.json"), '{"kind": "ActionEvent"}');
	await writeFile(join(folder, "mixed", "package.json"), '{"name": "x"}');
	await writeFile(
		join(folder, "mixed", "chat.json"),
		'{"sessionId": "s", "projectHash": "p", "messages": []}',
	);
	await writeFile(join(folder, "mixed", "result.json"), '{"action": "saved"}');
	await writeFile(join(folder, "mixed", "cut.json"), '{"sessionId": "s", "projectHash": "p", "mess');
	await writeFile(join(folder, "mixed", "run.traj"), "");
	expect(await find("mixed")).toEqual([
		"mixed/chat.json",
		"mixed/conversation/events",
		"mixed/cut.json",
		"mixed/run.traj",
	]);
});

test("pipes and devices are problems, whatever they are called, and nobody waits for them", async () => {
	const odd = join(folder, "odd");
	await mkdir(join(odd, "events"), { recursive: true });
	for (const name of ["a.jsonl", "b.json", "events/event-00000-a.json"])
		execFileSync("mkfifo", [join(odd, name)]);
	await symlink("/dev/zero", join(odd, "c.traj"));
	await writeFile(join(odd, "d.jsonl"), "");
	const found = await find("odd");
	expect(found).toEqual(["odd/d.jsonl", ...Array.from({ length: 4 }, () => "not-readable")]);
	expect(await find("odd/a.jsonl")).toEqual(["not-readable"]);
});

function pathsOf(environment: Readonly<Record<string, string>>): readonly string[] {
	return listUsualFolders(environment).map(({ path }) => path);
}

test("every agent's folder is in the home folder", () => {
	const paths = pathsOf({});
	for (const folder of [".pi/agent/sessions", ".claude/projects", ".codex/sessions", ".gemini/tmp"]) {
		expect(paths).toContain(join(homedir(), folder));
	}
	expect(paths.every((path) => path.startsWith(homedir()))).toBe(true);
});

test.each([
	["PI_CODING_AGENT_DIR", "/x/sessions"],
	["PI_CODING_AGENT_SESSION_DIR", "/x"],
	["CLAUDE_CONFIG_DIR", "/x/projects"],
	["CODEX_HOME", "/x/sessions"],
	["GEMINI_CLI_HOME", "/x/.gemini/tmp"],
	["OPENHANDS_PERSISTENCE_DIR", "/x/conversations"],
	["OPENHANDS_CONVERSATIONS_DIR", "/x"],
	["MSWEA_GLOBAL_CONFIG_DIR", "/x"],
])("%s says where they are instead", (name, path) => {
	expect(pathsOf({ [name]: "/x" })).toContain(path);
	expect(pathsOf({})).not.toContain(path);
});
