import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import type { ModelRequest } from "#testing";
import { call } from "./test-support/following.ts";
import { PI, PROJECT, startTrial } from "./test-support/trial.ts";
import { startWorkTrial } from "./test-support/work-trial.ts";

const OURS = join(PROJECT, "extensions", "cwl", "index.ts");
const coexisting = (name: string) =>
	join(PROJECT, "extensions", "cwl", "test-support", "coexistence", `${name}.ts`);
const load = (...paths: readonly string[]) => paths.flatMap((path) => ["-e", path]);

/** The request that the worker would see without the stamps. */
function unstamped(request: ModelRequest): ModelRequest {
	const messages = request.messages
		.filter(({ text }) => text !== "[the end]")
		.map((message) =>
			message.type === "user" ? { ...message, text: message.text.replace("[stamped] ", "") } : message,
		);
	return { ...request, messages };
}

describe.each([
	["before", [coexisting("stamping"), OURS]],
	["after", [OURS, coexisting("stamping")]],
])("an extension that changes every request %s ours", (_, paths) => {
	test("has its way, and the session keeps to its budget with requests that a strict server accepts", async () => {
		const trial = await startWorkTrial(1, 5, { api: "anthropic", read: unstamped });
		const pi = trial.rpc({ program: PI, args: load(...paths), environment: { CWL_BUDGET: "24k" } });
		await pi.promptAll(trial.prompts);
		expect(trial.loopback.records().filter(({ promptTokens }) => promptTokens > 24_000)).toEqual([]);
		// An alert about what was read again may come first.
		expect(await pi.answer("/cwl")).toMatch(/^[1-9]\d* pass(es)?\n {2}#\d+ +[\d.]+k? → [1-9]/m);
		const last = trial.requests.at(-1)?.messages.filter(({ type }) => type === "user") ?? [];
		expect(last.at(-1)?.text).toContain("[the end]");
		const said = last.map(({ text }) => text).join("\n");
		for (const prompt of trial.prompts) expect(said).toContain(`[stamped] ${prompt}`);
		expect(pi.said("error")).toEqual([]);
	});
});

test("two extensions with one tool name are refused or told of by pi, which names both", async () => {
	const trial = await startTrial();
	const { stdout, stderr } = await trial.run([...load(OURS, coexisting("own-grep")), "-p", "hello"], {
		program: PI,
	});
	expect(`${stdout}${stderr}`).toMatch(/Tool "grep" conflicts with .*cwl.*index\.ts/);
});

test("pi's subagent example works next to our extension: the answer comes back, and each keeps its own context", async () => {
	const delegate = call("subagent", { agent: "scout", task: "look below" });
	const isBelow = ({ messages }: ModelRequest) =>
		messages.some(({ text }) => text.includes("Task: look below"));
	const trial = await startTrial({
		api: "anthropic",
		model: (request) => {
			if (isBelow(request)) return { text: "found it below" };
			const hasCalled = request.messages.some(({ type }) => type === "result");
			return hasCalled ? { text: "done" } : { thinking: "Somebody else can.", calls: [delegate] };
		},
	});
	await mkdir(join(trial.agent, "agents"));
	const scout = "---\nname: scout\ndescription: Looks around\n---\n\nYou look around.\n";
	await writeFile(join(trial.agent, "agents", "scout.md"), scout);
	const examples = join(packageOf(PI[1] ?? ""), "examples", "extensions");
	const pi = trial.rpc({ program: PI, args: load(join(examples, "subagent", "index.ts"), OURS) });
	await pi.prompt("find it");
	const below = trial.requests.filter(isBelow);
	expect(below).toHaveLength(1);
	expect(below[0]?.messages.map(({ text }) => text).join()).not.toContain("find it");
	const result = trial.requests.at(-1)?.messages.find(({ type }) => type === "result");
	expect(result?.text).toContain("found it below");
	expect(pi.said("error")).toEqual([]);
});

/** The folder of the package that a program belongs to. */
function packageOf(program: string): string {
	const [root = ""] = program.split(/\/dist\//);
	return root === program ? dirname(program) : root;
}
