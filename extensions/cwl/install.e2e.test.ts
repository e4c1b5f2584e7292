import { readFile, symlink } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { cloneProject } from "./test-support/clone.ts";
import { PI, PROJECT } from "./test-support/trial.ts";
import { startWorkTrial } from "./test-support/work-trial.ts";

const toolNames = ["bash", "delimiter", "edit", "glob", "grep", "read", "recall", "write"];

test("installed from a clone, an unmodified pi keeps its session under the budget, and cwl installed next to it does not clash", async () => {
	const trial = await startWorkTrial(1, 5, { api: "anthropic" });
	const clone = join(trial.directory, "clone");
	await cloneProject(clone);
	const installed = await trial.run(["install", clone], { program: PI });
	expect(installed).toMatchObject({ code: 0 });
	const bare = trial.rpc({ program: PI });
	await bare.promptAll(["hello", "and?"]);
	const whole = trial.requests[1]?.messages.map(({ text }) => text);
	expect(whole).toEqual(expect.arrayContaining(["hello", "and?"]));
	expect(bare.status()).toBe("cwl off");
	const line = `cwl: off, because its packages are not installed. Run: npm ci --prefix '${clone}'; then start pi again.`;
	expect(bare.notices().map(({ text }) => text)).toEqual([line]);
	expect(trial.requests[0]?.system).toMatch(/(?:operating|running) inside pi/);
	await bare.kill();
	await symlink(join(PROJECT, "node_modules"), join(clone, "node_modules"));
	expect(JSON.parse(await readFile(join(trial.agent, "settings.json"), "utf8")).packages).toHaveLength(1);

	const pi = trial.rpc({ program: PI, args: ["--cwl-budget", "24k"] });
	await pi.promptAll(trial.prompts);
	expect(pi.status()).toMatch(/^cwl [\d.]+k\/24k \d+% · .*\d+% cached · pass #\d+: [\d.]+k less$/);
	const told = pi.notices().map(({ text }) => text);
	expect(told).toContainEqual(expect.stringMatching(/^cwl: \d+k tokens evicted from .+; recall reaches it/));
	expect(await pi.answer("/cwl")).toContain("budget 24k tokens (flag --cwl-budget)");
	expect(trial.loopback.records().filter(({ promptTokens }) => promptTokens > 24_000)).toEqual([]);
	expect(trial.requests[2]?.tools.map(({ name }) => name).toSorted()).toEqual(toolNames);
	expect(trial.requests[2]?.system).toMatch(
		/^You are an expert coding agent in a terminal session without end/,
	);
	await pi.kill();

	const { code, stderr } = await trial.run(["-p", "Thank you."]);
	expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
	const tools = trial.requests.at(-1)?.tools ?? [];
	expect(tools.map(({ name }) => name).toSorted()).toEqual(toolNames);
});
