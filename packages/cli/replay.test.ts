import { execFile } from "node:child_process";
import { cp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { basePrompt } from "#pi/prompt";
import type { Report } from "#replay/report";
import { writeLongSession } from "../replay/test-support/long-session.ts";
import { writeSessionFile } from "../replay/test-support/replay-run.ts";
import { createScratch, scratchFolder } from "../workspace/test-support/scratch.ts";
import refused from "./refused-replays.json" with { type: "json" };
import { runReplay } from "./replay.ts";

const program = fileURLToPath(new URL("./bin.mjs", import.meta.url));

const folder = scratchFolder();
const writeSession = (path: string, rounds: number) => writeSessionFile(path, writeLongSession(rounds));
beforeAll(() => writeSession(join(folder, "s.jsonl"), 60));

interface Outcome {
	readonly code: number;
	readonly stdout: string;
	readonly stderr: string;
}

async function replayWith(env: NodeJS.ProcessEnv, ...args: readonly string[]): Promise<Outcome> {
	const ended = promisify(execFile)(process.execPath, [program, "replay", ...args], { env });
	return await ended.then((said) => ({ code: 0, ...said })).catch((failed: Outcome) => failed);
}

const replay = (...args: readonly string[]) => replayWith(process.env, ...args);

test("sessions become a table and a page, replayed in two threads, next to a policy in the user's own file; what cannot be replayed is named", async () => {
	const missing = join(folder, "missing.jsonl");
	const own = join(folder, "own.ts");
	const session = join(folder, "s.jsonl");
	const page = join(folder, "page.html");
	const contract = fileURLToPath(new URL("../replay/policies/replay-policy.ts", import.meta.url));
	await writeFile(
		own,
		`import type { ReplayPolicy } from ${JSON.stringify(contract)};
		export const baseline: ReplayPolicy = {
			name: "last-20", exempt: ["identity", "user-turns", "prologue", "pairs", "prefix"],
			open: () => (history) => ({ messages: history.slice(-20), pass: undefined }),
		};`,
	);
	const flags = ["--policy", `none,compaction,paper,cwl,${own}`, "--budget", "4k", "--jobs", "2"];
	const { code, stdout } = await replay(missing, session, session, ...flags, "--html", page);
	expect(code).toBe(1);
	expect(stdout).toContain(`${missing}: there is no such file`);
	expect(stdout).toMatch(
		/^On 2 of these 2 sessions, once they outgrow 4k tokens, cwl would have cost \d+ % less than pi's own\scompaction/,
	);
	expect(stdout).toMatch(/^2 sessions \(pi\), budget 4k tokens/m);
	expect(stdout).toMatch(/^none .*\n^compaction\S* .*\n^paper .*\n^cwl .*\n^last-20 /m);
	expect(await readFile(page, "utf8")).toMatch(/^<!doctype html>\n<html lang="en">/);
	const nowhere = await replay(session, "--budget", "4k", "--html", join(folder, "no", "page.html"));
	expect(nowhere.code).toBe(2);
	expect(nowhere.stderr).toContain("the page cannot be written");
});

test("--sample replays the recorded session that ships with the package, under the budget that it ran with", async () => {
	const { code, stdout } = await replay("--sample");
	expect(code).toBe(0);
	expect(stdout).toMatch(/^On this session, once it outgrows 24k tokens, cwl would have cost \d+ % less/);
	expect(stdout).toMatch(/^1 session \(pi\), budget 24k tokens/m);
	expect(stdout).toMatch(/^Marks: 99\.7 % of all work so far is in 20 marked episodes: 0 open,/m);
});

test("--json prints the figures and nothing else, --requests writes every request", async () => {
	const requests = join(folder, "out");
	const path = join(folder, "s.jsonl");
	const { stdout } = await replay(
		path,
		..."--budget 4k --policy paper --json --requests".split(" "),
		requests,
	);
	const report: Report = JSON.parse(stdout);
	expect(report.policies.map(({ policy }) => policy)).toEqual(["paper"]);
	const lines = (await readFile(join(requests, "s.paper.jsonl"), "utf8")).trimEnd().split("\n");
	expect(lines).toHaveLength(report.policies[0]?.requests ?? 0);
	const { mode } = await stat(join(requests, "s.paper.jsonl"));
	expect(mode & 0o077).toBe(0);
	expect(JSON.parse(lines[0] ?? "")).toMatchObject({
		turn: 0,
		messages: [{ role: "user" }],
		system: basePrompt(),
	});
	await rm(requests, { recursive: true });
});

test("--as replays the sessions as another model, and the budget is the automatic one unless another is given", async () => {
	const args = ["--as", "anthropic/claude-opus-5-5", "--policy", "none,cwl", "--json"];
	const automatic: Report = JSON.parse((await replay(folder, ...args)).stdout);
	expect(automatic).toMatchObject({ as: "anthropic/claude-opus-5-5", budget: 80_000 });
	expect(automatic.policies.map(({ budget, isAuto }) => [budget, isAuto])).toEqual([
		[160_000, true],
		[160_000, true],
	]);
	const fixed: Report = JSON.parse((await replay(folder, ...args, "--budget", "4k")).stdout);
	const [none, cwl] = fixed.policies;
	expect(cwl).toMatchObject({ budget: 4_000, isAuto: false });
	expect(cwl?.dollars).toHaveProperty(["anthropic/claude-opus-5-5"]);
	const [own = 0, whole = 1] = [cwl, none].map((each) => Object.values(each?.pressed?.dollars ?? {})[0]);
	expect(cwl?.costComparedToNone).toBeCloseTo(own / whole, 9);
});

test("--what-if sweeps budgets and advises one, --model prices it", async () => {
	const { code, stdout } = await replay(folder, "--what-if", "4k,6k", "--model", "openai/gpt-5");
	expect(code).toBe(0);
	expect(stdout).toMatch(/^cwl-economy@4k .*\n^cwl@4k .*\n^cwl-quality@4k .*\n^cwl-economy@6k /m);
	expect(stdout).toContain("$ openai/gpt-5");
	expect(stdout).toMatch(
		/^For this session (keep the default budget|set \{ "cwl": \{ "budget": "\dk", "lowWater": "\w+" \} \}): it costs /m,
	);
});

test("an interrupt ends with code 130 and prints what is done", async () => {
	const written: string[] = [];
	vi.spyOn(process.stdout, "write").mockImplementation((part) => written.push(String(part)) > 0);
	onTestFinished(() => void vi.restoreAllMocks());
	const before = process.listenerCount("SIGINT");
	const ended = runReplay([folder, "--json"]);
	await expect.poll(() => process.listenerCount("SIGINT")).toBeGreaterThan(before);
	process.emit("SIGINT");
	expect(await ended).toBe(130);
	expect(JSON.parse(written.join(""))).toMatchObject({ interrupted: true });
});

test.each(refused)("$code is refused before anything is read: $args", async ({ code, args, said }) => {
	await expect(runReplay(args)).rejects.toMatchObject({ code, message: expect.stringContaining(said) });
});

test("without a path, the sessions of this machine, or the searched folders, are listed; --all replays them", async () => {
	const home = createScratch();
	const env = { PATH: process.env.PATH, HOME: home, USERPROFILE: home };
	const replayThere = (...args: readonly string[]) => replayWith(env, ...args);
	expect((await replayThere("--all")).stderr).toContain(join(home, ".gemini", "tmp"));
	const session = fileURLToPath(new URL("../replay/test-support/forks/claude-code/a.jsonl", import.meta.url));
	for (const folder of [".claude/projects/-w", ".codex/sessions"])
		await cp(session, join(home, folder, "s.jsonl"));
	const asked = await replayThere();
	expect(asked).toMatchObject({ code: 2, stdout: "" });
	expect(asked.stderr).toMatch(/--all\. [\s\S]*Claude Code +1 session .*projects\n +Codex +1 session /);
	const taken = await replayThere("--all", "--json");
	expect(taken.code).toBe(0);
	expect(taken.stderr).toContain("1 session ");
	// The copy begins as the other does, so what they share counts once.
	const damage = [{ reason: expect.stringContaining("forked from") }];
	expect(JSON.parse(taken.stdout)).toMatchObject({ sessions: { replayed: 2 }, problems: [], damage });
});
