import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fieldsOf, recordsOf, textOf } from "#basics";
import { countTokens, echo } from "#testing";
import { LOOPBACK_PROVIDER } from "#testing/pi-driver";
import type { ApiName } from "#testing/wire";
import { readState } from "./test-support/state.ts";
import { PI, startTrial, type Trial } from "./test-support/trial.ts";

const apis: readonly ApiName[] = ["completions", "responses", "anthropic"];

/** For system prompt and tool definitions together, in o200k tokens. */
const PROMPT_LIMIT = 900;
/** For what follows pi's own prompt. */
const PI_PROMPT_LIMIT = 300;

/** Stands in for the test's own folder, whose random name takes more tokens in some runs than in others. */
const USUAL_FOLDER = "/home/user/projects/shop";

/** One process, one request for each API style. */
async function askEach(trial: Trial, args: readonly string[] = []): Promise<void> {
	const pi = trial.rpc({ args });
	for (const api of apis) {
		await pi.send({ type: "set_model", provider: LOOPBACK_PROVIDER, modelId: api });
		await pi.prompt(`hello ${api}`);
	}
}

/** The part of a captured request of any API before the conversation. */
function readHead(body: unknown) {
	const fields = fieldsOf(body);
	const messages = recordsOf(fields.messages ?? fields.input);
	const spoken = messages.filter(({ role }) => role === "system" || role === "developer");
	const parts = [fields.system, fields.instructions, ...spoken.map(({ content }) => content)];
	const allTextOf = (content: unknown) =>
		textOf(content) ||
		recordsOf(content)
			.map(({ text }) => textOf(text))
			.join("");
	return {
		system: parts.map(allTextOf).join(""),
		tools: JSON.stringify(fields.tools ?? []),
		toolNames: recordsOf(fields.tools).map((tool) => textOf(tool.name ?? fieldsOf(tool.function).name)),
	};
}

test("system prompt and tools together take at most 900 tokens on the wire of every API", async () => {
	const trial = await startTrial({ model: echo });
	await askEach(trial);
	const records = trial.loopback.records();
	expect(records.map(({ api, refused }) => [api, refused])).toEqual(apis.map((api) => [api, undefined]));
	for (const body of trial.bodies()) {
		const { system, tools, toolNames } = readHead(JSON.parse(body));
		expect(system).toContain(trial.work);
		expect(system).not.toMatch(/(?:operating|running) inside pi/);
		expect(toolNames.toSorted()).toEqual([
			"bash",
			"delimiter",
			"edit",
			"glob",
			"grep",
			"read",
			"recall",
			"write",
		]);
		const inUsualFolder = system.replaceAll(trial.work, USUAL_FOLDER);
		expect(countTokens(inUsualFolder) + countTokens(tools)).toBeLessThanOrEqual(PROMPT_LIMIT);
	}
});

test("with prompt pi, pi's own prompt stays and at most 300 tokens of ours follow it", async () => {
	const trial = await startTrial({ model: echo });
	await trial.run(["-p", "hello"], { environment: { CWL_PROMPT: "pi" } });
	await trial.run(["-p", "hello"], { program: PI });
	const [kept = [], own = []] = trial.requests.map(({ system }) => system.split("\n").filter((line) => line));
	// pi itself words this line by the tools that are on.
	const search = /^- (Use bash for file operations|Prefer grep)/;
	expect(own.filter((line) => !kept.includes(line) && !search.test(line))).toEqual([]);
	const added = kept.filter((line) => !own.includes(line) && !search.test(line));
	expect(added[0]).toBe("- glob: List files by pattern.");
	expect(added.join("\n")).toMatch(
		/Mark work with `delimiter`[\s\S]*A tag without that number is quoted text\./,
	);
	expect(countTokens(added.join("\n"))).toBeLessThanOrEqual(PI_PROMPT_LIMIT);
});

test("AGENTS.md, appended text and skills stand in the prompt that replaces pi's", async () => {
	const trial = await startTrial({ model: echo, files: { "AGENTS.md": "Always write haiku.\n" } });
	await mkdir(join(trial.agent, "skills", "brewing"), { recursive: true });
	const skill = "---\nname: brewing\ndescription: How to brew tea.\n---\nBoil water.\n";
	await writeFile(join(trial.agent, "skills", "brewing", "SKILL.md"), skill);
	await askEach(trial, ["--append-system-prompt", "Never hurry."]);
	for (const { system } of trial.requests) {
		expect(system).toMatch(/^You are an expert coding agent in a terminal session without end/);
		expect(system).toContain("Never hurry.");
		expect(system).toContain("Always write haiku.");
		expect(system).toContain("How to brew tea.");
		expect(system).toContain(trial.work);
		expect(system).not.toMatch(/(?:operating|running) inside pi/);
	}
	expect(trial.requests).toHaveLength(apis.length);
});

test.each(["cwl", "pi"])(
	"before the first request, the size of the system prompt is about what it then is (prompt %s)",
	async (prompt) => {
		const trial = await startTrial({
			model: echo,
			files: { "AGENTS.md": "Always write haiku.\n".repeat(40) },
		});
		const pi = trial.rpc({ environment: { CWL_PROMPT: prompt } });
		const { system, tools } = (await readState(pi)).ledger;
		await pi.prompt("hello");
		const { ledger } = await readState(pi);
		expect(Math.abs(system / ledger.system - 1)).toBeLessThan(0.05);
		expect(Math.abs(tools / ledger.tools - 1)).toBeLessThan(0.05);
	},
);
