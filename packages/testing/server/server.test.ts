import { type AssistantMessage, type Context, isContextOverflow, Type } from "@mariozechner/pi-ai";
import { describe, expect, onTestFinished, test } from "vitest";
import type { ModelReply } from "../model.ts";
import { echo, scripted } from "../model.ts";
import { API_NAMES, ask, piModel } from "../test-support/pi-ai.ts";
import { type Loopback, type LoopbackOptions, startLoopback } from "./server.ts";

const READ = { name: "read", description: "Reads a file", parameters: Type.Object({ path: Type.String() }) };

const PARALLEL: ModelReply = {
	thinking: "Both files matter.",
	text: "I read both.",
	calls: [
		{ name: "read", arguments: { path: "a.ts", lines: [1, 2] } },
		{ name: "read", arguments: { path: "ü.ts" } },
	],
};

async function start(options: LoopbackOptions): Promise<Loopback> {
	const loopback = await startLoopback(options);
	onTestFinished(() => loopback.close());
	return loopback;
}

/** A conversation whose prefix is long enough to be cached. */
function longContext(): Context {
	const content = Array.from({ length: 3000 }, (_, line) => `line ${line}`).join("\n");
	const messages: Context["messages"] = [{ role: "user", content, timestamp: 1 }];
	return { systemPrompt: "You help.", tools: [READ], messages };
}

function answerCalls(context: Context, reply: AssistantMessage): Context {
	const results = reply.content.flatMap((block) => {
		if (block.type !== "toolCall") return [];
		const content = [{ type: "text" as const, text: `contents for ${block.id}` }];
		const result = { role: "toolResult" as const, isError: false, timestamp: 2 };
		return [{ ...result, toolCallId: block.id, toolName: block.name, content }];
	});
	return { ...context, messages: [...context.messages, reply, ...results] };
}

describe.each(API_NAMES)("%s through pi-ai", (api) => {
	test("carries thinking, text and calls, takes its own turn back, caches it and reports usage that adds up", async () => {
		const seen: unknown[] = [];
		const script = scripted([PARALLEL, { thinking: "Fine.", text: "The end." }]);
		const loopback = await start({
			model: (request) => {
				seen.push(request);
				return script(request);
			},
		});
		const model = piModel(api, loopback.url);
		const first = await ask(model, longContext());
		expect([first.errorMessage, first.stopReason]).toEqual([undefined, "toolUse"]);
		const said = first.content.map((block) => {
			if (block.type === "thinking") return block.thinking;
			return block.type === "text" ? block.text : block.arguments;
		});
		const { thinking, text, calls = [] } = PARALLEL;
		expect(said).toEqual([thinking, text, ...calls.map((call) => call.arguments)]);

		const second = await ask(model, answerCalls(longContext(), first));
		expect([second.errorMessage, second.stopReason]).toEqual([undefined, "stop"]);
		const ids = first.content.flatMap((block) =>
			block.type === "toolCall" ? [{ whole: block.id, wire: block.id.split("|")[0] }] : [],
		);
		expect(seen[1]).toMatchObject({
			system: "You help.",
			tools: [{ name: "read", description: "Reads a file" }],
			messages: [
				{ type: "user" },
				{
					type: "assistant",
					thinking,
					text,
					calls: calls.map((call, at) => ({ ...call, id: ids[at]?.wire })),
				},
				...ids.map(({ whole, wire }) => ({ type: "result", callId: wire, text: `contents for ${whole}` })),
			],
		});

		const [one, two] = loopback.records();
		expect(one?.cachedTokens).toBe(0);
		expect(two?.extendsPrevious).toBe(true);
		expect(two?.cachedTokens).toBeGreaterThan((one?.promptTokens ?? 0) - 128);
		expect(two?.cachedTokens).toBeLessThanOrEqual(one?.promptTokens ?? 0);
		const reported = [first, second].map(({ usage }) => ({
			promptTokens: usage.input + usage.cacheRead + usage.cacheWrite,
			cachedTokens: usage.cacheRead,
			writtenTokens: usage.cacheWrite,
			outputTokens: usage.output,
		}));
		expect(loopback.records()).toMatchObject(reported);
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
