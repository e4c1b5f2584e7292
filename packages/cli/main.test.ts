import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { policyNames } from "#pi/session";
import { CWL, startTrial } from "../../extensions/cwl/test-support/trial.ts";
import refused from "./refused-arguments.json" with { type: "json" };

test("help names every command and no internal flag", async () => {
	const trial = await startTrial();
	const { code, stdout, stderr } = await trial.run(["--help"]);
	expect([code, stderr]).toEqual([0, ""]);
	expect(stdout).not.toContain("--cwl-soft");
	const commands = ["cwl demo", "cwl replay [PATH", "cwl doctor", "cwl tool", "--cwl-budget", "--cwl-policy"];
	for (const named of [...commands, ...policyNames()]) expect(stdout).toContain(named);
});

test("help of a command, however it is asked for, is cwl's own; without a model, cwl says how to configure one", async () => {
	const trial = await startTrial();
	const asked = await trial.run(["help", "replay"]);
	const usual = await trial.run(["replay", "--help"]);
	expect(asked).toEqual(usual);
	expect((await trial.run(["--or-demo", "--help"])).stdout).toMatch(/^cwl: the pi coding agent/);
	const environment = { PI_CODING_AGENT_DIR: join(trial.directory, "fresh") };
	const bare = await trial.run([], { environment });
	expect(bare.stderr).toMatch(
		/^cwl: no model is configured yet\. [\s\S]*ANTHROPIC_API_KEY[\s\S]* demo" shows/,
	);
	const doctor = await trial.run(["doctor"], { environment });
	expect(doctor.stdout).toMatch(/\nEverything that cwl needs is there, except for a model: .*\/login.*\n$/);
});

test("a reader that closes the pipe early causes no stack trace and no other exit code", async () => {
	const [program, ...flags] = CWL;
	const child = spawn(program, [...flags, "help"], { stdio: ["ignore", "pipe", "pipe"] });
	child.stdout.destroy();
	const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, "close")]);
	expect([code, stderr]).toEqual([0, ""]);
});

test.each(refused)(
	"cwl $args is refused in one line with exit code 2, and no model is asked",
	async ({ args, said }) => {
		const trial = await startTrial();
		const { code, stdout, stderr } = await trial.run(args);
		expect([code, stdout]).toEqual([2, ""]);
		expect(stderr).toMatch(/^cwl: [^\n]+\n$/);
		expect(stderr).toContain(said);
		expect(trial.requests).toEqual([]);
	},
);

test.each([["tool", "glob", '{"pattern": "*"}'], ["resume"], ["-p", "hi"]])(
	"cwl %s in a folder that was deleted says so in one line",
	async (...args) => {
		const trial = await startTrial();
		const [program, ...flags] = CWL;
		const quoted = [program, ...flags, ...args].map((word) => `'${word}'`).join(" ");
		const shell = ["-c", `mkdir gone && cd gone && rmdir ../gone && exec ${quoted}`];
		const child = spawn("sh", shell, {
			cwd: trial.work,
			env: trial.environment(),
			stdio: ["ignore", "pipe", "pipe"],
		});
		const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, "close")]);
		expect(stderr).toBe("cwl: the current folder no longer exists: change to another one with cd.\n");
		expect(code).toBe(2);
		expect(trial.requests).toEqual([]);
	},
);

test.each([
	[["--cwl-budget", "90k", "-p", "one word"], "one word"],
	[["--or-demo", "-p", "hello"], "hello"],
])("cwl %j passes its prompt to the agent", async (args, prompt) => {
	const trial = await startTrial();
	expect(await trial.run(args)).toMatchObject({ code: 0, stdout: "ok\n" });
	expect(trial.requests.at(-1)?.messages).toContainEqual(
		expect.objectContaining({ type: "user", text: prompt }),
	);
});

test("cwl --version names cwl and the pi that it runs; cwl -- --help is pi's own", async () => {
	const trial = await startTrial();
	const { stdout } = await trial.run(["--version"]);
	expect(stdout).toMatch(/^cwl \d+\.\d+\.\d+ \(pi \d[\d.]+, Node \d[\d.]+\)\n$/);
	const own = await trial.run(["--", "--help"]);
	expect(own.stdout + own.stderr).toContain("--append-system-prompt");
});

test("doctor --json reports versions, host, settings with their origins, and the tokens of the prompt", async () => {
	const trial = await startTrial();
	await mkdir(join(trial.work, ".pi"));
	const file = join(trial.work, ".pi", "settings.json");
	// No model of a folder that the user never trusted, and no need for pi's lock.
	await writeFile(file, '{"cwl": {"budget": "60k"}, "defaultModel": "none"}');
	await mkdir(join(trial.agent, "settings.json.lock"));
	const { code, stdout } = await trial.run(["doctor", "--json"]);
	const report = JSON.parse(stdout);
	expect(code).toBe(0);
	expect(report).toMatchObject({
		versions: { node: process.versions.node, cwl: expect.any(String), git: expect.stringMatching(/^\d/) },
		host: { name: "@mariozechner/pi-coding-agent", version: expect.stringMatching(/^\d/) },
		settings: { enabled: "true", budget: "60k", policy: "cwl", lowWater: "balanced" },
		origins: { enabled: "default", budget: `${file}: cwl.budget`, policy: "default", lowWater: "default" },
		budget: {
			mode: "fixed",
			highWater: 60_000,
			// The path of the folder is in the prompt.
			lowWater: expect.closeTo(18_630, -2),
			reason:
				"fixed: at most 60k; a pass at that size, or by /cwl evict, aims at 19k but may spare open, pinned or restored work",
		},
		problems: [],
	});
	const { systemTokens, toolTokens, totalTokens } = report.prompt;
	expect(systemTokens + toolTokens).toBe(totalTokens);
	expect(systemTokens).toBeGreaterThan(0);
});

test("doctor runs no program of the folder, and what its settings say steers no terminal", async () => {
	const trial = await startTrial();
	await writeFile(join(trial.work, "git"), "#!/bin/sh\necho git version of the folder\n", { mode: 0o755 });
	await mkdir(join(trial.work, ".pi"));
	const settings = { cwl: { "\u001b[2J\u202e": 1, goal: "\u001b]0;title\u0007" } };
	await writeFile(join(trial.work, ".pi", "settings.json"), JSON.stringify(settings));
	const { stdout } = await trial.run(["doctor"], { environment: { PATH: "." } });
	expect(stdout).toContain("git missing");
	expect(stdout).toContain("cwl.\ufffd[2J\ufffd is unknown");
	expect(stdout).toContain("goal: \ufffd]0;title\ufffd");
	expect(stdout).toMatch(/\n2 problems: see above\.\n$/);
});

test("without a model, cwl --or-demo says how to configure one and shows the demo", async () => {
	const trial = await startTrial();
	const environment = { PI_CODING_AGENT_DIR: join(trial.directory, "fresh") };
	const { code, stdout, stderr } = await trial.run(["--or-demo"], { environment });
	expect(stderr).toMatch(/^cwl: no model is configured yet\.[\s\S]*ANTHROPIC_API_KEY/);
	expect(stderr).toMatch(/\/login[\s\S]*models\.json/);
	expect(stdout).toMatch(/^Next, in the folder of your project: node \S+\/packages\/cli\/bin\.mjs$/m);
	expect(code).toBe(0);
	expect(trial.requests).toEqual([]);
});
