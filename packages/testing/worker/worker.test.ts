import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { scratchFolder } from "../../workspace/test-support/scratch.ts";
import type { ModelReply, ModelRequest } from "../model.ts";
import { createScratchRepository } from "./repository.ts";
import { makeTasks } from "./tasks/tasks.ts";
import { user } from "./test-support/exchange.ts";
import { ALL_TOOLS } from "./test-support/scratch-tools.ts";
import { type SimulationOptions, simulate, type TaskRun } from "./test-support/simulation.ts";
import { createWorker } from "./worker.ts";

const folder = scratchFolder();

/** Two rounds of all kinds. */
const TASKS = 18;

interface Exchange {
	readonly request: ModelRequest;
	readonly reply: ModelReply;
}

async function runTasks(seed: number, options: SimulationOptions = {}) {
	const directory = join(folder, String(seed));
	await createScratchRepository(directory, seed);
	const seen: Exchange[] = [];
	const observe = (request: ModelRequest, reply: ModelReply) =>
		seen.push({ request: { ...request, messages: [...request.messages] }, reply });
	const runs = await simulate(createWorker(), directory, makeTasks(seed, TASKS), { ...options, observe });
	return { runs, seen };
}

const unsolved = (runs: readonly TaskRun[]) => runs.filter((run) => !run.solved);
const toolNames = ({ reply }: Exchange) => (reply.calls ?? []).map((call) => call.name);

describe("the worker", () => {
	let runs: readonly TaskRun[] = [];
	let seen: readonly Exchange[] = [];
	beforeAll(async () => {
		({ runs, seen } = await runTasks(5));
	});

	it("solves every task", () => {
		expect(runs).toHaveLength(TASKS);
		expect(unsolved(runs)).toEqual([]);
	});

	it("is a pure function: the same request gets the same reply, from any instance", () => {
		const copy = createWorker();
		for (const { request, reply } of [...seen].reverse())
			expect(copy(structuredClone(request))).toEqual(reply);
	});

	it("follows the protocol: no delimiter is refused while its history is visible", () => {
		expect(runs.filter((run) => run.refusals > 0)).toEqual([]);
	});

	it("never spends a request on annotation, explores in expl episodes and changes files in act episodes", () => {
		let open: unknown;
		const types = new Set<unknown>();
		for (const { reply } of seen) {
			const calls = reply.calls ?? [];
			if (calls.length > 0) expect(calls.some((call) => call.name !== "delimiter")).toBe(true);
			for (const { name, arguments: input } of calls) {
				if (name === "delimiter") open = input.action === "start" ? input.type : undefined;
				else if (name === "edit" || name === "write") expect(open).toBe("act");
				else if (name === "grep") expect(open).toBe("expl");
				else expect(["expl", "act"]).toContain(open);
				types.add(open);
			}
		}
		expect(open).toBeUndefined();
		expect(types).toEqual(new Set(["expl", "act", undefined]));
	});

	it("declares the exploration in which it saw the edited files as a dependency", () => {
		const lists = seen
			.flatMap(({ reply }) => reply.calls ?? [])
			.map((call) => call.arguments.dependencies)
			.filter((list) => Array.isArray(list));
		expect(lists.every((list) => list.length > 0)).toBe(true);
		expect(lists.some((list) => list.length > 1)).toBe(true);
	});

	it("thinks at some steps, and reads in parallel", () => {
		const thoughts = seen.filter(({ reply }) => reply.thinking !== undefined).length;
		expect(thoughts).toBeGreaterThan(0);
		expect(thoughts).toBeLessThan(seen.length);
		const reads = seen.map((exchange) => toolNames(exchange).filter((name) => name === "read").length);
		expect(Math.max(...reads)).toBeGreaterThan(2);
	});

	it.each([
		["without delimiter", ["read", "edit", "write", "bash", "grep", "glob"]],
		["with pi's four default tools", ["read", "edit", "write", "bash"]],
	])("works %s", async (_, names) => {
		const tools = ALL_TOOLS.filter((tool) => names.includes(tool.name));
		const session = await runTasks(11, { tools });
		expect(unsolved(session.runs)).toEqual([]);
		for (const name of session.seen.flatMap(toolNames)) expect(names).toContain(name);
	});
});

describe("the worker in a session with little visible history", () => {
	const [task] = makeTasks(1, 1);
	const prompt = task?.prompt ?? "";
	const ask = (...texts: readonly string[]) =>
		createWorker()({ system: "", tools: ALL_TOOLS, messages: texts.map(user) });

	it("does not take marker lines and git status for requests of the user", () => {
		const notes = ['[expl "find-x" evicted] Set the constant `A_B` to 7.', "git status: 2 files changed"];
		expect(ask(prompt, ...notes).calls).toEqual(ask(prompt).calls);
		expect(ask(...notes)).toEqual(ask("hello"));
	});

	it("answers with a text alone if there is no request", () => {
		expect(ask("hello").calls).toBeUndefined();
		expect(ask("hello").text).not.toBe("");
	});

	it("avoids a name that a marker line shows to be in use", () => {
		const nameOf = (reply: ModelReply) => reply.calls?.[0]?.arguments.name;
		const name = nameOf(ask(prompt));
		const other = nameOf(ask(`[expl "${name}" evicted] nothing found`, prompt));
		expect(other).not.toBe(name);
		expect(other).toContain(String(name).replace(/-\d+$/, ""));
	});

	it("reads at once the file that a marker line names for the subject", () => {
		const request = "Please set the constant `A_B` to 7.";
		const { calls } = ask('[expl "find-a" evicted] A_B: found at lib/numbers.ts:12.', request);
		expect(calls?.filter(({ name }) => name === "read")).toMatchObject([
			{ arguments: { path: "lib/numbers.ts" } },
		]);
	});
});
