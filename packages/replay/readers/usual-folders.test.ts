import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { findUsualFolders, listUsualFolders } from "./session-files.ts";

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

test("what holds no session, or is not there, is not found", async () => {
	const folder = await mkdtemp(join(tmpdir(), "cwl-usual-"));
	onTestFinished(() => rm(folder, { recursive: true }));
	await mkdir(join(folder, "empty"));
	await mkdir(join(folder, "full", "project"), { recursive: true });
	await writeFile(join(folder, "full", "project", "a.jsonl"), "12345\n");
	await writeFile(join(folder, "full", "b.jsonl"), "1234\n");
	const named = ["empty", "full", "missing"].map((name) => ({ agent: name, path: join(folder, name) }));
	expect(await findUsualFolders(named)).toEqual([
		{ agent: "full", path: join(folder, "full"), sessions: 2, bytes: 11 },
	]);
});
