/** The prefix check through the real server: what is refused, dropped, reported, shown and billed. */

import { describe, expect, onTestFinished, test } from "vitest";
import { recordsOf, type UnknownRecord } from "#basics";
import type { ModelReply } from "../model.ts";
import { itemId, reasoningId, responseToken, signUnbound } from "../seal.ts";
import { postText } from "../test-support/raw.ts";
import * as blocks from "../test-support/thinking-session.ts";
import { BINDING_BETA } from "../thinking/stale.ts";
import { type LoopbackOptions, startLoopback } from "./server.ts";

const { EMPTY, edit, editBlock, messageAt, result, say, text, user } = blocks;

/** The header under which requests may choose the reaction to stale thinking. */
const BINDING = { "anthropic-beta": `other-beta, ${BINDING_BETA}` };
const LONG = "word ".repeat(1500);
const DROPPED = {
	type: "thinking_dropped",
	path: "messages.3.content.0",
	reason: "prefix_binding_mismatch",
};

/** Thinks and reads until it sees a result, then thinks and answers. */
const THINKS: LoopbackOptions["model"] = ({ messages }): ModelReply =>
	messages.at(-1)?.type === "result"
		? { thinking: "Now I know.", text: "Done." }
		: { thinking: "I have to look.", calls: [{ name: "read", arguments: {} }] };

async function connect(api: "anthropic" | "responses" = "anthropic", options: Partial<LoopbackOptions> = {}) {
	const loopback = await startLoopback({ model: THINKS, ...options });
	onTestFinished(loopback.close);
	const send = (body: UnknownRecord, headers = {}) =>
		postText(loopback.url, api, JSON.stringify(body), headers);
	/** The request with its answer. */
	const ask = async (body: UnknownRecord, headers = {}): Promise<UnknownRecord> => {
		const { content, error } = (await send(body, headers)).body;
		expect(error ?? null).toBeNull();
		return say(body, { role: "assistant", content });
	};
	return { url: loopback.url, records: loopback.records, send, ask };
}

type Client = Awaited<ReturnType<typeof connect>>;

/** Answers the read that a request's last message asks for. */
function answerRead(body: UnknownRecord): UnknownRecord {
	const blocks = recordsOf(recordsOf(body.messages).at(-1)?.content);
	const { id } = blocks.find(({ type }) => type === "tool_use") ?? {};
	return say(body, user({ ...result(String(id), LONG), cache_control: { type: "ephemeral" } }));
}

/** Messages: 0 user, 1 thinks and reads, 2 result, 3 thinks and answers, 4 user. */
async function converse({ ask }: Client, model: string): Promise<UnknownRecord> {
	const read = await ask(say({ ...EMPTY, model }, user(text("Fix it."))));
	return say(await ask(answerRead(read)), user(text("Thanks.")));
}

/** The result in the middle is cut short, which invalidates the thinking at 3.0. */
function shorten(body: UnknownRecord): UnknownRecord {
	const [read = {}] = recordsOf(messageAt(body, 2).content);
	return edit(body, 2, user({ ...read, content: "short" }));
}

const bound = (behavior: string): UnknownRecord => ({
	...{ type: "adaptive", display: "summarized", block_binding: { prefix_mismatch_behavior: behavior } },
});
const dropping = (body: UnknownRecord): UnknownRecord => ({ ...body, thinking: bound("drop_block") });

test.each<[string, 200 | 400]>([
	["claude-mythos-5-1", 400],
	["claude-opus-5-5", 400],
	["claude-opus-5", 200],
	["claude-sonnet-5", 200],
])("%s answers stale thinking with %i each time, and records count it", async (model, status) => {
	const { send, records, ...client } = await connect();
	const session = await converse({ send, records, ...client }, model);
	expect((await send(session)).status).toBe(200);
	const stale = shorten(session);
	expect([(await send(stale)).status, (await send(stale)).status]).toEqual([status, status]);
	expect(records().map(({ staleThinking }) => staleThinking)).toEqual([0, 0, 0, 1, 1]);
	expect(records().at(-1)?.droppedThinking).toBe(0);
	if (status === 400)
		expect(records().at(-1)?.refused?.message).toMatch(/^messages\.3\.content\.0: .*different conversation/);
});

test.each<[string, UnknownRecord, Readonly<Record<string, string>>, RegExp]>([
	["without its header", bound("drop_block"), {}, /block_binding: Extra inputs are not permitted/],
	["inside disabled thinking", { ...bound("error"), type: "disabled" }, BINDING, /Extra inputs/],
	["with another value", bound("ignore"), BINDING, /Input should be 'error' or 'drop_block'/],
])("the field is refused %s", async (_name, thinking, headers, message) => {
	const { send, records } = await connect();
	expect((await send(say({ ...EMPTY, thinking }, user(text("Hi."))), headers)).status).toBe(400);
	expect(records()[0]?.refused?.message).toMatch(message);
});

describe("drop_block", () => {
	test("does nothing on a model that does not check", async () => {
		const client = await connect();
		const stale = dropping(shorten(await converse(client, "claude-sonnet-5")));
		expect((await client.send(stale, BINDING)).body.input_transformations).toEqual([]);
	});

	test("removes the stale block, says so in each form of answer, bills neither it nor its thinking later", async () => {
		const client = await connect();
		const stale = dropping(shorten(await converse(client, "claude-opus-5-5")));
		expect((await client.send(stale, BINDING)).body.input_transformations).toEqual([DROPPED]);
		await client.send(editBlock(stale, 3, 0), BINDING);
		const [dropped, stripped] = client.records().slice(-2);
		expect(dropped?.droppedThinking).toBe(1);
		expect(dropped?.promptTokens).toBe(stripped?.promptTokens);
		const init = { method: "POST", body: JSON.stringify({ ...stale, stream: true }), headers: BINDING };
		const stream = await (await fetch(`${client.url}/v1/messages?beta=true`, init)).text();
		const [start = ""] = stream.split("\n\n");
		expect(JSON.parse(start.slice(start.indexOf("{")))).toMatchObject({
			...{ type: "message_start", message: { input_transformations: [DROPPED] } },
		});
	});

	test("is not remembered, and leaves thinking produced afterwards valid with the dropped block or without", async () => {
		const client = await connect();
		const stale = dropping(shorten(await converse(client, "claude-opus-5-5")));
		const answered = answerRead(await client.ask(stale, BINDING));
		expect((await client.send(answered, BINDING)).body.input_transformations).toEqual([DROPPED]);
		const stripped = editBlock(answered, 3, 0);
		expect((await client.send(stripped, BINDING)).body.input_transformations).toEqual([]);
		expect((await client.send({ ...answered, thinking: EMPTY.thinking })).status).toBe(400);
	});
});

test("counting tokens runs the same check and leaves no record", async () => {
	const client = await connect();
	const session = await converse(client, "claude-opus-5-5");
	const before = client.records().length;
	const count = async ({ max_tokens: _limit, ...body }: UnknownRecord) => {
		const init = { method: "POST", body: JSON.stringify(body) };
		const answered = await fetch(`${client.url}/v1/messages/count_tokens`, init);
		return { status: answered.status, body: await answered.json() };
	};
	expect(await count(session)).toEqual({ status: 200, body: { input_tokens: expect.any(Number) } });
	expect((await count(shorten(session))).status).toBe(400);
	expect(client.records().length).toBe(before);
});

test.each<[string, string, UnknownRecord, string]>([
	["is the default of 5.x models", "claude-opus-5-5", {}, ""],
	["is not the default of older models", "claude-opus-4-6", {}, "I have to look."],
	["can be asked for", "claude-opus-4-6", { display: "omitted" }, ""],
	["can be refused", "claude-opus-5-5", { display: "summarized" }, "I have to look."],
])(
	"thinking without text %s; it counts the same tokens, since its signature carries it",
	async (_name, model, display, shown) => {
		const { ask, send, records } = await connect();
		const thinking = { type: "adaptive", ...display };
		const body = await ask(say({ ...EMPTY, model, thinking }, user(text("Fix it."))));
		const [block = {}] = recordsOf(messageAt(body, 1).content);
		expect(block).toMatchObject({ type: "thinking", thinking: shown, signature: expect.any(String) });
		for (const said of ["", "I have to look."])
			await send(answerRead(editBlock(body, 1, 0, { ...block, thinking: said })));
		const [without, withText] = records().slice(-2);
		expect(withText?.promptTokens).toBe(without?.promptTokens);
	},
);

test("replies without thinking get some when the server adds it, where the request allows it", async () => {
	const { ask } = await connect("anthropic", { model: () => ({ text: "Done." }), addsThinking: true });
	const types = async (body: UnknownRecord) =>
		recordsOf(messageAt(await ask(say(body, user(text("Hi.")))), 1).content).map(({ type }) => type);
	expect(await types(EMPTY)).toEqual(["thinking", "text"]);
	expect(await types({ ...EMPTY, thinking: { type: "disabled" } })).toEqual(["text"]);
});

test("OpenAI's newest models drop stale reasoning without an error or a bill, and the answer says so", async () => {
	const { send, records } = await connect("responses");
	const response = responseToken(1, "x");
	const id = reasoningId(response);
	const item = (role: string, type: string) => ({ role, content: [{ type, text: "Hi." }] });
	const input = [
		item("user", "input_text"),
		{ type: "reasoning", id, summary: [], encrypted_content: signUnbound(id, 500) },
		{ ...item("assistant", "output_text"), id: itemId("msg", response, true, 0) },
	];
	const { status, body } = await send({ model: "gpt-6.2-sol", store: false, input });
	const removed = { type: "reasoning", id, action: "removed", reason: "prefix_mismatch" };
	expect([status, body.input_transformations]).toEqual([200, [removed]]);
	// The other items of the removed reasoning stay; without it, their ids go.
	const [asked = {}, , { id: _id, ...said } = {}] = input as readonly UnknownRecord[];
	await send({ model: "gpt-6.2-sol", store: false, input: [asked, said] });
	const [dropped, stripped] = records();
	expect(dropped).toMatchObject({ droppedThinking: 1, staleThinking: 1 });
	expect(dropped?.promptTokens).toBe(stripped?.promptTokens);
});
