/** The prefix check through the real server: who is refused, what is dropped, what is reported and billed. */
import { afterEach, describe, expect, test } from "vitest";
import type { ModelReply } from "../script/scripted-model.ts";
import { postText, type RawAnswer } from "../test-support/raw.ts";
import {
	EMPTY,
	edit,
	editBlock,
	messageAt,
	result,
	say,
	text,
	user,
} from "../test-support/thinking-session.ts";
import { BINDING_BETA } from "../thinking/prefix-check.ts";
import { type Fields, objectsOf } from "../wire/json.ts";
import { type Loopback, type LoopbackOptions, startLoopback } from "./server.ts";

const BINDING = { "anthropic-beta": `other-beta, ${BINDING_BETA}` };
const LONG = `word ${"word ".repeat(1500)}`;

/** Thinks and reads until it sees a result of its own, then thinks and answers. */
const THINKS: LoopbackOptions["model"] = ({ messages }): ModelReply =>
	messages.at(-1)?.type === "result"
		? { thinking: "Now I know.", text: "Done." }
		: { thinking: "I have to look.", redactedThinking: "secret", calls: [{ name: "read", arguments: {} }] };

const open: Loopback[] = [];

afterEach(async () => {
	for (const loopback of open.splice(0)) await loopback.close();
});

interface Client {
	readonly loopback: Loopback;
	readonly send: (body: Fields, headers?: Readonly<Record<string, string>>) => Promise<RawAnswer>;
	/** Sends a request that has to be accepted, and returns it with its answer. */
	readonly ask: (body: Fields, headers?: Readonly<Record<string, string>>) => Promise<Fields>;
}

async function connect(options: Partial<LoopbackOptions> = {}): Promise<Client> {
	const loopback = await startLoopback({ model: THINKS, ...options });
	open.push(loopback);
	const send: Client["send"] = (body, headers = {}) =>
		postText(loopback.url, "anthropic", JSON.stringify(body), headers);
	const ask: Client["ask"] = async (body, headers) => {
		const answered = await send(body, headers);
		expect(answered.body.error).toBeUndefined();
		return say(body, { role: "assistant", content: answered.body.content });
	};
	return { loopback, send, ask };
}

const marked = (block: Fields): Fields => ({ ...block, cache_control: { type: "ephemeral" } });
const bound = (behavior?: string): Fields => ({
	type: "adaptive",
	display: "summarized",
	block_binding: behavior === undefined ? {} : { prefix_mismatch_behavior: behavior },
});

/** Answers the read that a request's last message asks for. */
function answerRead(body: Fields, content: unknown = LONG): Fields {
	const uses = objectsOf(objectsOf(body.messages).at(-1)?.content).filter(({ type }) => type === "tool_use");
	return say(body, user(...uses.map(({ id }) => marked(result(String(id), content)))));
}

/** Messages: 0 user, 1 thinks (two blocks) and reads, 2 result, 3 thinks and answers, 4 user. */
async function converse({ ask }: Client, model: string): Promise<Fields> {
	const read = await ask(say({ ...EMPTY, model }, user(text("Fix it."))));
	const done = await ask(answerRead(read));
	return say(done, user(text("Thanks.")));
}

/** The result in the middle is cut short, which invalidates the thinking at 3.0. */
function shorten(body: Fields): Fields {
	const [read = {}] = objectsOf(messageAt(body, 2).content);
	return edit(body, 2, user({ ...read, content: "short" }));
}

const MISMATCH =
	/^messages\.3\.content\.0: Invalid `signature` in `thinking` block\. The block is bound to a different conversation/;
const ALLOWED = {
	type: "thinking_mismatch_allowed",
	path: "messages.3.content.0",
	reason: "prefix_binding_mismatch",
};
const DROPPED = { ...ALLOWED, type: "thinking_dropped" };

describe("without the field", () => {
	test.each<[string, "new" | "old", 200 | 400]>([
		["claude-fable-5-2", "old", 400],
		["claude-mythos-5-2", "old", 400],
		["claude-mythos-5-1", "old", 400],
		["claude-fable-5-1", "new", 400],
		["claude-fable-5-1", "old", 200],
		["claude-opus-5-5", "new", 400],
		["claude-opus-5-5", "old", 200],
		["claude-sonnet-5-5", "new", 400],
		["claude-haiku-5-5", "new", 400],
		["claude-opus-6", "new", 400],
		["claude-opus-5", "new", 200],
		["claude-sonnet-5", "new", 200],
		["claude-fable-5", "new", 200],
	])("%s on a %s account answers stale thinking with %i", async (model, account, status) => {
		const client = await connect({ account });
		const session = await converse(client, model);
		expect((await client.send(session)).status).toBe(200);
		const answered = await client.send(shorten(session));
		expect(answered.status).toBe(status);
		if (status === 400) expect(client.loopback.records().at(-1)?.refused?.message).toMatch(MISMATCH);
	});

	test("an old account reads and pays for stale thinking, which is listed with the beta header", async () => {
		const client = await connect({ account: "old" });
		const stale = shorten(await converse(client, "claude-opus-5-5"));
		expect((await client.send(stale)).body.input_transformations).toBeUndefined();
		expect((await client.send(stale, BINDING)).body.input_transformations).toEqual([ALLOWED]);
		const [kept, listed] = client.loopback.records().slice(-2);
		expect(listed?.promptTokens).toBe(kept?.promptTokens);
		expect(listed?.droppedThinking).toBe(0);
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

	test("holds an old account to the check", async () => {
		const client = await connect({ account: "old" });
		const stale = shorten(await converse(client, "claude-opus-5-5"));
		expect((await client.send({ ...stale, thinking: bound("error") }, BINDING)).status).toBe(400);
		expect((await client.send({ ...stale, thinking: bound() }, BINDING)).status).toBe(200);
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
		const headers = { ...BINDING };
		const init = { method: "POST", body: JSON.stringify(stale), headers };
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

describe("system messages inside the conversation", () => {
	const note: Fields = { role: "system", content: [text("Be brief.")] };
	const effort: Fields = { role: "system", content: [], output_config: { effort: "high" } };

	test("are accepted by newer models only, and an empty one when it sets the effort", async () => {
		const client = await connect();
		const body = (model: string, message: Fields) => say({ ...EMPTY, model }, user(text("Hi.")), message);
		expect((await client.send(body("claude-opus-5-5", note))).status).toBe(200);
		expect((await client.send(body("claude-opus-5-5", effort))).status).toBe(200);
		expect((await client.send(body("claude-sonnet-5", note))).status).toBe(400);
		expect((await client.send(body("claude-opus-5-5", { role: "system", content: [] }))).status).toBe(400);
	});

	test("may not stand between a tool use and its result", async () => {
		const client = await connect();
		const answered = answerRead(await client.ask(say(EMPTY, user(text("Fix it.")))));
		const between = edit(answered, 2, note, messageAt(answered, 2));
		expect((await client.send(between)).status).toBe(400);
		expect((await client.send(say(answered, note))).status).toBe(200);
	});

	test("are part of the prefix", async () => {
		const client = await connect();
		const done = await client.ask(answerRead(await client.ask(say(EMPTY, user(text("Fix it."))))));
		const session = say(await client.ask(say(done, user(text("More.")), effort)), user(text("Thanks.")));
		const reads = answerRead({ ...session, messages: objectsOf(session.messages).slice(0, -1) });
		expect((await client.send(reads)).status).toBe(200);
		expect((await client.send(edit(reads, 5))).status).toBe(400);
	});

	test("reach the scripted model, with the tools that they add and remove", async () => {
		let seen: unknown;
		const client = await connect({
			model: (request) => {
				seen = request;
				return { text: "ok" };
			},
		});
		const definition = { name: "grep", description: "Searches", input_schema: {} };
		const change: Fields = {
			role: "system",
			content: [
				text("Search instead."),
				{ type: "tool_removal", tool: { type: "tool_reference", name: "read" } },
				{ type: "tool_addition", tool: { type: "tool_definition", definition } },
			],
		};
		await client.ask(say(EMPTY, user(text("Hi.")), change));
		expect(seen).toMatchObject({
			tools: [{ name: "grep" }],
			messages: [{ type: "user" }, { type: "system", text: "Search instead." }],
		});
	});
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
