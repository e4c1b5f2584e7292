import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { echo } from "../model.ts";
import { API_NAMES } from "../test-support/pi-ai.ts";
import { plainBody, postText } from "../test-support/raw.ts";
import type { RequestRecord } from "./exchange.ts";
import { type Loopback, startLoopback } from "./server.ts";

let loopback: Loopback;
let seen: RequestRecord[];
let now: number;

beforeEach(async () => {
	seen = [];
	now = 1_000_000;
	loopback = await startLoopback({
		model: (request) => {
			if (request.messages.some((message) => message.type === "user" && message.text === "crash")) {
				throw new Error("script ended");
			}
			return { ...echo(request), thinking: "hm", calls: [{ name: "read", arguments: { path: "a" } }] };
		},
		keepBodies: 1,
		now: () => now,
		onRequest: (record) => seen.push(record),
	});
});

afterEach(() => loopback.close());

const post = (api: "completions" | "responses" | "anthropic", body: unknown) =>
	postText(loopback.url, api, JSON.stringify(body));

test.each([
	[
		"completions",
		{
			object: "chat.completion",
			choices: [
				{
					finish_reason: "tool_calls",
					message: {
						role: "assistant",
						content: "hello",
						reasoning_content: "hm",
						tool_calls: [{ type: "function", function: { name: "read", arguments: '{"path":"a"}' } }],
					},
				},
			],
		},
	],
	[
		"responses",
		{
			object: "response",
			status: "completed",
			output: [{ type: "message" }, { type: "function_call", arguments: '{"path":"a"}' }],
		},
	],
	[
		"anthropic",
		{
			type: "message",
			stop_reason: "tool_use",
			content: [
				{ type: "text", text: "hello" },
				{ type: "tool_use", name: "read", input: { path: "a" } },
			],
		},
	],
] as const)(
	"an answer from %s that is not streamed, without thinking unless it is asked for",
	async (api, said) => {
		const { status, body } = await post(api, plainBody(api, "hello"));
		expect(status).toBe(200);
		expect(body).toMatchObject(said);
		const [prefix, answered] = api === "completions" ? ["prompt", "completion"] : ["input", "output"];
		expect(body.usage).toMatchObject({
			...{ [`${prefix}_tokens`]: seen[0]?.promptTokens, [`${answered}_tokens`]: seen[0]?.outputTokens },
		});
	},
);

describe.each(API_NAMES)("a bad request to %s", (api) => {
	test("that is no JSON is refused and recorded", async () => {
		const { status } = await postText(loopback.url, api, "{");
		expect([status, seen[0]?.refused?.status, seen[0]?.api]).toEqual([400, 400, api]);
	});

	test("is refused in the error shape of the API", async () => {
		const { status, body } = await post(api, { model: "m" });
		const message = seen[0]?.refused?.message;
		const error = { type: "invalid_request_error", message };
		expect(status).toBe(400);
		expect(body).toMatchObject(api === "anthropic" ? { type: "error", error } : { error });
	});

	test("that crashes the script is an internal error", async () => {
		const { status, body } = await post(api, plainBody(api, "crash"));
		expect(status).toBe(500);
		const error = { type: "api_error", message: expect.stringContaining("script ended") };
		expect(body).toMatchObject({ error });
	});
});

describe("records", () => {
	test("keep as many bodies as asked for", async () => {
		const bodies = ["one", "two"].map((said) => plainBody("completions", said));
		for (const body of bodies) await post("completions", body);
		expect(loopback.records().map((record) => record.body)).toEqual([undefined, bodies[1]]);
	});

	test("say whether a prompt extends the one before, per model", async () => {
		const say = (model: string, ...said: string[]) =>
			post("completions", { model, messages: said.map((content) => ({ role: "user", content })) });
		await say("a", "one");
		await say("b", "other");
		await say("a", "one", "two");
		await say("a", "two");
		expect(loopback.records().map((record) => record.extendsPrevious)).toEqual([true, true, true, false]);
	});

	test("leave cache markers out when they compare prompts", async () => {
		const text = { type: "text", text: "hello" };
		const marked = { ...text, cache_control: { type: "ephemeral" } };
		const say = (...content: unknown[]) =>
			post("anthropic", { model: "m", max_tokens: 9, messages: [{ role: "user", content }] });
		await say(marked);
		await say(text, marked);
		expect(seen[1]?.extendsPrevious).toBe(true);
	});
});

describe("the anthropic cache", () => {
	const long = { type: "text", text: "word ".repeat(3000), cache_control: { type: "ephemeral" } };
	const ask = (body: object = {}) =>
		post("anthropic", { ...plainBody("anthropic", "hi"), system: [long], ...body });

	test("expires by the clock of the options", async () => {
		await ask();
		await ask();
		now += 5 * 60_000;
		await ask();
		const [written, read, rewritten] = seen.map((record) => [record.cachedTokens, record.writtenTokens]);
		expect(written?.[0]).toBe(0);
		expect(read).toEqual([written?.[1], 0]);
		expect(rewritten).toEqual(written);
	});

	test("keeps the system prompt when thinking changes, but not the messages", async () => {
		const messages = [{ role: "user", content: [long] }];
		await ask({ messages });
		await ask({ messages });
		await ask({ messages, max_tokens: 4000, thinking: { type: "enabled", budget_tokens: 2000 } });
		const [first, same, changed] = seen;
		expect(same?.cachedTokens).toBe(first?.writtenTokens);
		expect(changed?.cachedTokens).toBeGreaterThan(0);
		expect(changed?.cachedTokens).toBeLessThan(same?.cachedTokens ?? 0);
	});
});

test("an address of no API is not found and leaves no record", async () => {
	expect((await fetch(`${loopback.url}/v1/models`)).status).toBe(404);
	expect(loopback.records()).toEqual([]);
});
