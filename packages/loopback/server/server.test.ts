import { type AssistantMessage, type Context, isContextOverflow, Type } from "@mariozechner/pi-ai";
import { afterEach, describe, expect, test } from "vitest";
import type { ModelReply } from "../model.ts";
import { echo, scripted } from "../model.ts";
import { API_NAMES, ask, piModel } from "../test-support/pi-ai.ts";
import type { ApiName } from "../wire/api.ts";
import { type Loopback, type LoopbackOptions, startLoopback } from "./server.ts";

const READ = {
	name: "read",
	description: "Reads a file",
	parameters: Type.Object({ path: Type.String() }),
};

const PARALLEL: ModelReply = {
	thinking: "Both files matter.",
	text: "I read both.",
	calls: [
		{ name: "read", arguments: { path: "a.ts", lines: [1, 2] } },
		{ name: "read", arguments: { path: "ü.ts" } },
	],
};

const open: Loopback[] = [];

async function start(options: LoopbackOptions): Promise<Loopback> {
	const loopback = await startLoopback(options);
	open.push(loopback);
	return loopback;
}

afterEach(async () => {
	for (const loopback of open.splice(0)) await loopback.close();
});

/** A conversation whose prefix is long enough to be cached. */
function longContext(): Context {
	const text = Array.from({ length: 3000 }, (_, line) => `line ${line}`).join("\n");
	return {
		systemPrompt: "You help.",
		tools: [READ],
		messages: [{ role: "user", content: text, timestamp: 1 }],
	};
}

function answerCalls(context: Context, reply: AssistantMessage): Context {
	const results = reply.content.flatMap((block) =>
		block.type === "toolCall"
			? [
					{
						role: "toolResult" as const,
						toolCallId: block.id,
						toolName: block.name,
						content: [{ type: "text" as const, text: `contents for ${block.id}` }],
						isError: false,
						timestamp: 2,
					},
				]
			: [],
	);
	return { ...context, messages: [...context.messages, reply, ...results] };
}

function promptOf({ usage }: AssistantMessage): number {
	return usage.input + usage.cacheRead + usage.cacheWrite;
}

describe.each(API_NAMES)("%s through pi-ai", (api) => {
	test("carries thinking, text and parallel calls", async () => {
		const loopback = await start({ model: scripted([PARALLEL]) });
		const reply = await ask(piModel(api, loopback.url), longContext());
		expect(reply.errorMessage).toBeUndefined();
		expect(reply.stopReason).toBe("toolUse");
		const said = reply.content.map((block) => {
			if (block.type === "thinking") return block.thinking;
			return block.type === "text" ? block.text : block.arguments;
		});
		expect(said).toEqual([
			PARALLEL.thinking,
			PARALLEL.text,
			...(PARALLEL.calls ?? []).map((c) => c.arguments),
		]);
	});

	test("accepts its own turn back, extends the prefix and reads it from the cache", async () => {
		const loopback = await start({ model: scripted([PARALLEL, { thinking: "Fine.", text: "The end." }]) });
		const model = piModel(api, loopback.url);
		const first = await ask(model, longContext());
		const second = await ask(model, answerCalls(longContext(), first));
		expect(second.errorMessage).toBeUndefined();
		expect(second.stopReason).toBe("stop");
		const [one, two] = loopback.records();
		expect(one?.cachedTokens).toBe(0);
		expect(two?.extendsPrevious).toBe(true);
		expect(two?.cachedTokens).toBeGreaterThan((one?.promptTokens ?? 0) - 128);
		expect(two?.cachedTokens).toBeLessThanOrEqual(one?.promptTokens ?? 0);
	});

	test("reports usage that adds up to the prompt", async () => {
		const loopback = await start({ model: scripted([PARALLEL, { text: "The end." }]) });
		const model = piModel(api, loopback.url);
		const first = await ask(model, longContext());
		const second = await ask(model, answerCalls(longContext(), first));
		const reported = [first, second].map((reply) => ({
			promptTokens: promptOf(reply),
			cachedTokens: reply.usage.cacheRead,
			writtenTokens: reply.usage.cacheWrite,
			outputTokens: reply.usage.output,
		}));
		expect(reported).toEqual(
			loopback.records().map(({ promptTokens, cachedTokens, writtenTokens, outputTokens }) => ({
				promptTokens,
				cachedTokens,
				writtenTokens,
				outputTokens,
			})),
		);
	});

	test("shows the model the conversation it had", async () => {
		const seen: unknown[] = [];
		const script = scripted([PARALLEL]);
		const loopback = await start({
			model: (request) => {
				seen.push(request);
				return script(request);
			},
		});
		const model = piModel(api, loopback.url);
		const first = await ask(model, longContext());
		await ask(model, answerCalls(longContext(), first));
		const ids = first.content.flatMap((block) => (block.type === "toolCall" ? [block.id] : []));
		const wireIds = ids.map((id) => id.split("|")[0]);
		expect(seen[1]).toMatchObject({
			system: "You help.",
			tools: [{ name: "read", description: "Reads a file" }],
			messages: [
				{ type: "user" },
				{
					type: "assistant",
					thinking: PARALLEL.thinking,
					text: PARALLEL.text,
					calls: (PARALLEL.calls ?? []).map((call, index) => ({ ...call, id: wireIds[index] })),
				},
				...ids.map((id, index) => ({ type: "result", callId: wireIds[index], text: `contents for ${id}` })),
			],
		});
	});

	test("refuses a prompt over the context window in words that pi takes for an overflow", async () => {
		const loopback = await start({ model: echo, contextWindow: 1000 });
		const reply = await ask(piModel(api, loopback.url), longContext());
		expect(isContextOverflow(reply)).toBe(true);
		expect(loopback.records()[0]?.refused?.status).toBe(400);
	});

	test("makes no id twice", async () => {
		const loopback = await start({ model: () => PARALLEL });
		const model = piModel(api, loopback.url);
		const replies = [await ask(model, longContext()), await ask(model, longContext())];
		const ids = replies
			.flatMap((reply) => reply.content)
			.flatMap((b) => (b.type === "toolCall" ? [b.id] : []));
		expect(new Set(ids).size).toBe(4);
	});
});

/** The reply without its thinking, as a careless eviction would leave it. */
function stripThinking(reply: AssistantMessage): AssistantMessage {
	return { ...reply, content: reply.content.filter((block) => block.type !== "thinking") };
}

describe("a conversation that lost part of itself on the way through pi-ai", () => {
	async function refusalOf(api: ApiName, change: (context: Context) => Context): Promise<string | undefined> {
		const loopback = await start({ model: scripted([PARALLEL]) });
		const model = piModel(api, loopback.url);
		const first = await ask(model, longContext());
		const second = await ask(model, change(answerCalls(longContext(), first)));
		const refused = loopback.records()[1]?.refused;
		expect(second.stopReason).toBe(refused ? "error" : "stop");
		return refused?.message;
	}

	const mapAssistant = (change: (reply: AssistantMessage) => AssistantMessage) => (context: Context) => ({
		...context,
		messages: context.messages.map((message) => (message.role === "assistant" ? change(message) : message)),
	});

	test.each(API_NAMES)("is refused by %s when the calls are gone but not the results", async (api) => {
		const withoutCalls = (context: Context): Context => ({
			...context,
			messages: context.messages.filter((message) => message.role !== "assistant"),
		});
		expect(await refusalOf(api, withoutCalls)).toMatch(
			/tool_calls|No tool call found|unexpected `tool_use_id`/,
		);
	});

	test("is refused by responses when the reasoning of a call is gone", async () => {
		expect(await refusalOf("responses", mapAssistant(stripThinking))).toContain("required 'reasoning' item");
	});

	test("is refused by anthropic when the thinking of the open tool loop is gone", async () => {
		expect(await refusalOf("anthropic", mapAssistant(stripThinking))).toContain("Expected `thinking`");
	});

	test("is refused by anthropic when a signature was changed", async () => {
		const rewrite = mapAssistant((reply) => ({
			...reply,
			content: reply.content.map((block) =>
				block.type === "thinking" ? { ...block, thinkingSignature: "c2VhbGVk" } : block,
			),
		}));
		expect(await refusalOf("anthropic", rewrite)).toContain("Invalid `signature`");
	});

	test("is accepted by completions without thinking", async () => {
		expect(await refusalOf("completions", mapAssistant(stripThinking))).toBeUndefined();
	});
});
