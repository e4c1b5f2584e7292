/** The same sessions through every adapter and through pi: the same projection, and the rules hold. */
import { beforeAll, describe, expect, test } from "vitest";
import { lowWaters, type Pass } from "#core";
import { anthropicRules, type fieldsOf, findStaleThinking, sealAnswer } from "#loopback";
import { defaultToolTable, digestArguments, digestOutput } from "#pi";
import { runAiSdk } from "../ai-sdk/conformance-run.ts";
import type { ContextOptions, PassStore, StoredPass } from "../context/managed-context.ts";
import { runLangChain } from "../langchain/conformance-run.ts";
import { runOpenAiAgents } from "../openai-agents/conformance-run.ts";
import { runOpencode } from "../opencode/conformance-run.ts";
import type { HostRun } from "./host-run.ts";
import { runPi } from "./pi-run.ts";
import { runProxy } from "./proxy-run.ts";
import { labelsOf, makeScript, type Request, type Turn } from "./script.ts";

const BUDGET = 3_000;

interface Row {
	readonly run: HostRun;
	/** Settings other than those that all have; pi gets the same. */
	readonly settings: Partial<ContextOptions>;
}

/** The proxy knows the prices of an API relative to plain input only, and makes large passes. */
const proxySettings = {
	prices: { read: 0.1, write: 1.25, longWrite: 2.5, input: 1, output: 5, tiers: [] },
	lowWater: lowWaters.economy,
};

const rows: Readonly<Record<string, Row>> = {
	"AI SDK": { run: runAiSdk, settings: {} },
	LangChain: { run: runLangChain, settings: {} },
	"OpenAI Agents": { run: runOpenAiAgents, settings: {} },
	opencode: { run: runOpencode, settings: {} },
	"cwl proxy": { run: runProxy, settings: proxySettings },
};

/** Keeps passes as a file would: as JSON. */
function jsonStore(): PassStore {
	const texts: string[] = [];
	return {
		load: () => texts.map((text): StoredPass => JSON.parse(text)),
		save: (_session, pass) => void texts.push(JSON.stringify(pass)),
	};
}

function contextFor(budget: number): ContextOptions {
	return {
		...{ budget, store: jsonStore(), tools: defaultToolTable },
		countTokens: (text) => Math.ceil(text.length / 4),
		digestCall: (args) => digestArguments(args),
		digestOutput: (text) => digestOutput(text),
		warn: (line) => {
			throw new Error(line);
		},
	};
}

const script = makeScript(7, 14);
const labelled = (requests: readonly Request[]) => requests.map((request) => labelsOf(request, script));

describe.each(Object.entries(rows))("%s", (_, { run, settings }) => {
	const passes: Pass[] = [];
	const contextWith = (kept: Pass[]) => ({
		...contextFor(BUDGET),
		...settings,
		onPass: (_session: string, pass: Pass) => void kept.push(pass),
	});
	let requests: readonly Request[] = [];
	beforeAll(async () => {
		requests = await run(script, { context: contextWith(passes), restarts: false });
	});

	test("below the budget every request is whole", async () => {
		const whole = await run(script, { context: contextFor(1e9), restarts: false });
		expect(labelled(whole)).toEqual(labelled(wholeRequests(script)));
	});

	test("each request sends what pi would send", async () => {
		const expected = await runPi(script, { context: contextWith([]), restarts: false });
		expect(labelled(requests)).toEqual(labelled(expected));
	});

	test("the passes survive a restart before each turn", async () => {
		const again: Pass[] = [];
		expect(await run(script, { context: contextWith(again), restarts: true })).toEqual(requests);
		expect(again).toEqual(passes);
		expect(again.length).toBeGreaterThan(3);
	});

	test("between two passes each request begins with the one before", () => {
		const breaks = requests.filter((request, index) => {
			const before = requests[index - 1] ?? [];
			return JSON.stringify(request.slice(0, before.length)) !== JSON.stringify(before);
		});
		expect(breaks.length).toBe(passes.length);
	});

	test("what the user wrote is in every request, and a call never stands without its result", () => {
		const asked = script.flatMap(({ asks, answers }) => answers.map(() => asks));
		for (const [index, request] of requests.entries()) {
			const said = request.flatMap((block) => (block.type === "user" ? [block.text] : []));
			expect(said).toEqual(expect.arrayContaining([...new Set(asked.slice(0, index + 1))]));
			const ids = (type: string) =>
				request.flatMap((block) => (block.type === type && "id" in block ? [block.id] : []));
			expect(ids("call")).toEqual(ids("result"));
		}
	});

	test("strict providers refuse no request, and no thinking is bound to another beginning", () => {
		expect(judgeAll(requests, script)).toEqual([]);
	});
});

test("the judge refuses thinking whose beginning has changed, and calls without results", () => {
	const whole = wholeRequests(script);
	const cut = whole.map((request, index) => (index > 20 ? request.slice(1) : request));
	expect(judgeAll(cut, script).join("\n")).toContain("stale thinking");
	const torn = whole.map((request, index) =>
		index > 20 ? request.filter(({ type }) => type !== "result") : request,
	);
	expect(judgeAll(torn, script).length).toBeGreaterThan(0);
});

/** The requests of a session of which nothing is evicted. */
function wholeRequests(turns: readonly Turn[]): readonly Request[] {
	const requests: Request[] = [];
	let request: Request = [];
	for (const { asks, answers } of turns) {
		request = [...request, { type: "user", text: asks }];
		for (const answer of answers) {
			requests.push(request);
			request = [
				...request,
				...blocksOf(answer),
				...answer.calls.map(({ id, result }) => ({ type: "result" as const, id, text: result })),
			];
		}
	}
	return requests;
}

function blocksOf({ thinking, text, calls }: Turn["answers"][number]): Request {
	return [
		...(thinking === "" ? [] : [{ type: "thinking" as const, text: thinking }]),
		...(text === "" ? [] : [{ type: "text" as const, text }]),
		...calls.map(({ id, name, arguments: args }) => ({ type: "call" as const, id, name, arguments: args })),
	];
}

type Fields = ReturnType<typeof fieldsOf>;

/** Sends the requests to a strict provider that seals all thinking; returns what it refuses. */
function judgeAll(requests: readonly Request[], turns: readonly Turn[]): readonly string[] {
	const answers = turns.flatMap(({ answers }) => answers);
	const seals = new Map<string, Fields>();
	return requests.flatMap((request, index) => {
		const body = toAnthropic(request, seals);
		const refusals = anthropicRules.flatMap((rule) => rule(body)?.message ?? []);
		const stale = findStaleThinking("anthropic", body).map(({ path }) => `stale thinking at ${path}`);
		const answer = answers[index];
		if (answer) {
			const [sealed] = sealAnswer("anthropic", body, toAnthropicBlocks(blocksOf(answer), new Map()));
			if (answer.thinking !== "" && sealed) seals.set(answer.thinking, sealed);
		}
		return [...refusals, ...stale].map((reason) => `request ${index}: ${reason}`);
	});
}

function toAnthropic(request: Request, seals: ReadonlyMap<string, Fields>): Fields {
	const messages: { role: string; content: Fields[] }[] = [];
	for (const block of request) {
		const role = block.type === "user" || block.type === "result" ? "user" : "assistant";
		if (messages.at(-1)?.role !== role) messages.push({ role, content: [] });
		messages.at(-1)?.content.push(...toAnthropicBlocks([block], seals));
	}
	const tools = ["read", "edit"].map((name) => ({ name, input_schema: { type: "object", properties: {} } }));
	return { model: "claude-fable-5-2", max_tokens: 32_000, thinking: { type: "adaptive" }, tools, messages };
}

function toAnthropicBlocks(blocks: Request, seals: ReadonlyMap<string, Fields>): readonly Fields[] {
	return blocks.map((block): Fields => {
		switch (block.type) {
			case "call":
				return { type: "tool_use", id: block.id, name: block.name, input: block.arguments };
			case "result":
				return { type: "tool_result", tool_use_id: block.id, content: block.text };
			case "thinking":
				return seals.get(block.text) ?? { type: "thinking", thinking: block.text, signature: "" };
			default:
				return { type: "text", text: block.text };
		}
	});
}
