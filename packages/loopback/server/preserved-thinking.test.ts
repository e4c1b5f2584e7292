/** The prefix check through the real server: who is refused, what is dropped, what is reported and billed. */
import { describe, expect, test } from "vitest";
import type { Fields } from "../json.ts";
import {
	answerRead,
	BINDING,
	connect,
	converse,
	LONG,
	marked,
	shorten,
} from "../test-support/anthropic-client.ts";
import { EMPTY, editBlock, say, text, user } from "../test-support/thinking-session.ts";

const bound = (behavior?: string): Fields => ({
	type: "adaptive",
	display: "summarized",
	block_binding: behavior === undefined ? {} : { prefix_mismatch_behavior: behavior },
});

const MISMATCH =
	/^messages\.3\.content\.0: Invalid `signature` in `thinking` block\. The block is bound to a different conversation/;
const DROPPED = {
	type: "thinking_dropped",
	path: "messages.3.content.0",
	reason: "prefix_binding_mismatch",
};

describe("without the field", () => {
	test.each<[string, 200 | 400]>([
		["claude-mythos-5-1", 400],
		["claude-fable-5-1", 400],
		["claude-opus-5-5", 400],
		["claude-opus-5", 200],
		["claude-fable-5", 200],
	])("%s answers stale thinking with %i", async (model, status) => {
		const client = await connect();
		const session = await converse(client, model);
		expect((await client.send(session)).status).toBe(200);
		const answered = await client.send(shorten(session));
		expect(answered.status).toBe(status);
		if (status === 400) expect(client.loopback.records().at(-1)?.refused?.message).toMatch(MISMATCH);
	});

	test("records count stale thinking even for a model that does not check", async () => {
		const client = await connect();
		const session = await converse(client, "claude-sonnet-5");
		await client.send(session);
		await client.send(shorten(session));
		expect(client.loopback.records().map(({ staleThinking }) => staleThinking)).toEqual([0, 0, 0, 1]);
		expect(client.loopback.records().at(-1)?.droppedThinking).toBe(0);
	});

	test("the same body fails again", async () => {
		const client = await connect();
		const stale = shorten(await converse(client, "claude-opus-5-5"));
		expect([(await client.send(stale)).status, (await client.send(stale)).status]).toEqual([400, 400]);
	});
});

describe("the field", () => {
	test.each<[string, Fields, Readonly<Record<string, string>>, RegExp]>([
		["without its header", bound("drop_block"), {}, /block_binding: Extra inputs are not permitted/],
		[
			"inside disabled thinking",
			{ ...bound("error"), type: "disabled" },
			BINDING,
			/thinking\.disabled\.block_binding: Extra inputs/,
		],
		[
			"inside thinking between tools",
			{ ...bound("error"), type: "between_tools" },
			BINDING,
			/thinking\.between_tools\.block_binding: Extra inputs/,
		],
		["with another value", bound("ignore"), BINDING, /Input should be 'error' or 'drop_block'/],
	])("%s is refused", async (_name, thinking, headers, message) => {
		const client = await connect();
		const body = say({ ...EMPTY, thinking }, user(text("Hi.")));
		expect((await client.send(body, headers)).status).toBe(400);
		expect(client.loopback.records()[0]?.refused?.message).toMatch(message);
	});

	test("is accepted and does nothing on a model that does not check", async () => {
		const client = await connect();
		const stale = shorten(await converse(client, "claude-sonnet-5"));
		const { status, body } = await client.send({ ...stale, thinking: bound("drop_block") }, BINDING);
		expect([status, body.input_transformations]).toEqual([200, []]);
	});
});

describe("drop_block", () => {
	const dropping = (body: Fields): Fields => ({ ...body, thinking: bound("drop_block") });

	test("removes the stale block, says so, and does not bill it", async () => {
		const client = await connect();
		const stale = dropping(shorten(await converse(client, "claude-opus-5-5")));
		const { status, body } = await client.send(stale, BINDING);
		expect([status, body.input_transformations]).toEqual([200, [DROPPED]]);
		await client.send(editBlock(stale, 3, 0), BINDING);
		const [dropped, stripped] = client.loopback.records().slice(-2);
		expect(dropped?.droppedThinking).toBe(1);
		expect(dropped?.promptTokens).toBe(stripped?.promptTokens);
	});

	test("reports nothing for a clean request", async () => {
		const client = await connect();
		const session = dropping(await converse(client, "claude-opus-5-5"));
		expect((await client.send(session, BINDING)).body.input_transformations).toEqual([]);
	});

	test("reports in message_start when it streams", async () => {
		const client = await connect();
		const stale = { ...dropping(shorten(await converse(client, "claude-opus-5-5"))), stream: true };
		const init = { method: "POST", body: JSON.stringify(stale), headers: BINDING };
		const stream = await (await fetch(`${client.loopback.url}/v1/messages?beta=true`, init)).text();
		const [start = ""] = stream.split("\n\n");
		expect(JSON.parse(start.slice(start.indexOf("{")))).toMatchObject({
			type: "message_start",
			message: { input_transformations: [DROPPED] },
		});
	});

	test("restarts the cache from the dropped block on, not before it", async () => {
		const client = await connect();
		const system = [marked(text(LONG))];
		const read = await client.ask(say({ ...EMPTY, model: "claude-opus-5-5", system }, user(text("Fix it."))));
		const done = await client.ask(answerRead(read));
		const session = dropping(say(done, user(marked(text("Thanks.")))));
		await client.send(session, BINDING);
		await client.send(session, BINDING);
		await client.send(shorten(session), BINDING);
		const [warm, cut] = client.loopback.records().slice(-2);
		expect(warm?.cachedTokens).toBeGreaterThan(2 * 1500);
		expect(cut?.cachedTokens).toBeGreaterThan(1500);
		expect(cut?.cachedTokens).toBeLessThan(2 * 1500);
	});

	test("is not remembered: the next request has to ask for it again", async () => {
		const client = await connect();
		const stale = shorten(await converse(client, "claude-opus-5-5"));
		await client.send(dropping(stale), BINDING);
		expect((await client.send(stale)).status).toBe(400);
	});

	test("leaves thinking produced afterwards valid, with the dropped block in the request or not", async () => {
		const client = await connect();
		const stale = dropping(shorten(await converse(client, "claude-opus-5-5")));
		const answered = answerRead(await client.ask(stale, BINDING));
		expect((await client.send(answered, BINDING)).body.input_transformations).toEqual([DROPPED]);
		const stripped = editBlock(answered, 3, 0);
		expect((await client.send(stripped, BINDING)).body.input_transformations).toEqual([]);
	});
});

describe("counting tokens", () => {
	test("runs the same check and leaves no record", async () => {
		const client = await connect();
		const session = await converse(client, "claude-opus-5-5");
		const before = client.loopback.records().length;
		const count = async ({ max_tokens: _limit, ...body }: Fields) => {
			const init = { method: "POST", body: JSON.stringify(body) };
			const answered = await fetch(`${client.loopback.url}/v1/messages/count_tokens`, init);
			return { status: answered.status, body: await answered.json() };
		};
		expect(await count(session)).toEqual({ status: 200, body: { input_tokens: expect.any(Number) } });
		expect((await count(shorten(session))).status).toBe(400);
		expect(client.loopback.records().length).toBe(before);
	});
});
