/** Thinking in the turn in progress and in older ones: what may leave, what is shown, what is billed. */
import { describe, expect, test } from "vitest";
import { type Fields, objectsOf } from "../json.ts";
import { answerRead, type Client, connect, converse } from "../test-support/anthropic-client.ts";
import { EMPTY, editBlock, messageAt, say, text, user } from "../test-support/thinking-session.ts";

describe("an open tool loop", () => {
	const begin = async (client: Client, head: Fields = EMPTY) =>
		answerRead(await client.ask(say(head, user(text("Fix it.")))));
	const withoutThinking = (body: Fields): Fields => editBlock(editBlock(body, 1, 0), 1, 0);

	test("may lose all thinking of its message in adaptive mode", async () => {
		const client = await connect();
		expect((await client.send(withoutThinking(await begin(client)))).status).toBe(200);
	});

	test("may not lose a part of it", async () => {
		const client = await connect();
		const body = await begin(client);
		for (const at of [0, 1]) expect((await client.send(editBlock(body, 1, at))).status).toBe(400);
		expect(client.loopback.records().at(-1)?.refused?.message).toMatch(
			/blocks in the latest assistant message cannot be modified/,
		);
	});

	test("has to start with thinking in manual mode", async () => {
		const client = await connect();
		const thinking = { type: "enabled", budget_tokens: 2000 };
		const body = await begin(client, { ...EMPTY, model: "claude-haiku-4-5", thinking });
		expect((await client.send(body)).status).toBe(200);
		expect((await client.send(withoutThinking(body))).status).toBe(400);
		expect(client.loopback.records().at(-1)?.refused?.message).toMatch(
			/Expected `thinking` or `redacted_thinking`/,
		);
	});

	test("goes on when thinking is switched off in its middle", async () => {
		const client = await connect();
		const body = await begin(client);
		expect((await client.send({ ...withoutThinking(body), thinking: { type: "disabled" } })).status).toBe(
			200,
		);
	});

	test("refuses manual mode on models from 4.7 on", async () => {
		const client = await connect();
		const thinking = { type: "enabled", budget_tokens: 2000 };
		const body = say({ ...EMPTY, model: "claude-opus-4-7", thinking }, user(text("Hi.")));
		expect((await client.send(body)).status).toBe(400);
	});
});

describe("thinking that comes without text", () => {
	const ask = async (model: string, display: Fields) => {
		const client = await connect();
		const thinking = { type: "adaptive", ...display };
		return { client, body: await client.ask(say({ ...EMPTY, model, thinking }, user(text("Fix it.")))) };
	};

	test.each<[string, string, Fields, string]>([
		["is the default of 5.x models", "claude-opus-5-5", {}, ""],
		["is not the default of older models", "claude-opus-4-6", {}, "I have to look."],
		["can be asked for", "claude-opus-4-6", { display: "omitted" }, ""],
		["can be refused", "claude-opus-5-5", { display: "summarized" }, "I have to look."],
	])("%s", async (_name, model, display, expected) => {
		const { body } = await ask(model, display);
		expect(objectsOf(messageAt(body, 1).content)).toMatchObject([
			{ type: "thinking", thinking: expected, signature: expect.any(String) },
			{ type: "redacted_thinking", data: expect.any(String) },
			{ type: "tool_use" },
		]);
	});

	test("counts the same tokens as thinking with text, since its signature carries it", async () => {
		const shown = await ask("claude-opus-5-5", { display: "summarized" });
		const { client, body } = shown;
		const [block = {}] = objectsOf(messageAt(body, 1).content);
		await client.send(answerRead(body));
		await client.send(answerRead(editBlock(body, 1, 0, { ...block, thinking: "" })));
		const [first, second] = client.loopback.records().slice(-2);
		expect(second?.promptTokens).toBe(first?.promptTokens);
	});
});

describe("thinking of earlier turns", () => {
	const thinkingTokens = async (model: string) => {
		const client = await connect();
		const session = await converse(client, model);
		await client.send(session);
		await client.send(editBlock(session, 3, 0));
		const [withIt, without] = client.loopback.records().slice(-2);
		return (withIt?.promptTokens ?? 0) - (without?.promptTokens ?? 0);
	};

	test.each(["claude-opus-4-5", "claude-sonnet-4-6", "claude-fable-5", "claude-haiku-5-5"])(
		"is billed by %s",
		async (model) => {
			expect(await thinkingTokens(model)).toBeGreaterThan(0);
		},
	);

	test.each(["claude-sonnet-4-5", "claude-haiku-4-5", "claude-opus-4-1"])(
		"is not billed by %s",
		async (model) => {
			expect(await thinkingTokens(model)).toBe(0);
		},
	);
});

describe("replies that come without thinking", () => {
	test("get some when the server adds it, where the request allows it", async () => {
		const client = await connect({ model: () => ({ text: "Done." }), addsThinking: true });
		const types = async (body: Fields) =>
			objectsOf((await client.send(say(body, user(text("Hi."))))).body.content).map(({ type }) => type);
		expect(await types(EMPTY)).toEqual(["thinking", "text"]);
		expect(await types({ ...EMPTY, thinking: { type: "disabled" } })).toEqual(["text"]);
	});
});
