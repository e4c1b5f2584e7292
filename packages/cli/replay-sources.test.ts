import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";

const program = fileURLToPath(new URL("./bin.mjs", import.meta.url));

interface Outcome {
	readonly code: number;
	readonly stdout: string;
	readonly stderr: string;
}

/** Runs the program with this home folder. */
function replayAt(home: string, ...args: readonly string[]): Promise<Outcome> {
	const env = { PATH: process.env.PATH, HOME: home, USERPROFILE: home };
	return new Promise((resolve) => {
		execFile(process.execPath, [program, "replay", ...args], { env }, (error, stdout, stderr) => {
			resolve({ code: Number(error?.code ?? 0), stdout, stderr });
		});
	});
}

async function makeHome(): Promise<string> {
	const home = await mkdtemp(join(tmpdir(), "cwl-home-"));
	onTestFinished(() => rm(home, { recursive: true }));
	return home;
}

async function writeSession(folder: string) {
	await mkdir(folder, { recursive: true });
	const said = { role: "assistant", content: [{ type: "text", text: "Hello." }] };
	const lines = [
		{ type: "user", uuid: "1", parentUuid: null, message: { role: "user", content: "hi" } },
		{ type: "assistant", uuid: "2", parentUuid: "1", message: { id: "m", ...said } },
	];
	await writeFile(join(folder, "s.jsonl"), lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
}

test("without a path, the sessions of this machine are listed; --all replays them", {
	timeout: 60_000,
}, async () => {
	const home = await makeHome();
	await writeSession(join(home, ".claude", "projects", "-w"));
	await cp(join(home, ".claude", "projects", "-w"), join(home, ".codex", "sessions"), { recursive: true });
	const asked = await replayAt(home);
	expect(asked).toMatchObject({ code: 2, stdout: "" });
	expect(asked.stderr).toMatch(/--all\. [\s\S]*Claude Code +1 session .*projects\n +Codex +1 session /);
	const taken = await replayAt(home, "--all", "--json");
	expect(taken.code).toBe(0);
	expect(taken.stderr).toContain("1 session ");
	expect(JSON.parse(taken.stdout)).toMatchObject({ sessions: { replayed: 2 }, problems: [], damage: [] });
});

test("without any session on the machine, the error lists the searched folders", {
	timeout: 60_000,
}, async () => {
	const home = await makeHome();
	const { code, stderr } = await replayAt(home, "--all");
	expect(code).toBe(2);
	expect(stderr).toContain(join(home, ".gemini", "tmp"));
});

test("--all together with a path is refused", async () => {
	const { code, stderr } = await replayAt(await makeHome(), "--all", "somewhere");
	expect([code, stderr]).toEqual([2, expect.stringContaining("--all")]);
});
