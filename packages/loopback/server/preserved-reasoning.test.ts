/** OpenAI's rule through the real server: from GPT-6.2 on, reasoning behind a changed prefix is removed without an error. */
import { afterEach, describe, expect, test } from "vitest";
import { type Fields, objectsOf } from "../json.ts";
import type { ModelReply } from "../model.ts";
import { postText } from "../test-support/raw.ts";
import { type Loopback, startLoopback } from "./server.ts";

const LONG = "word ".repeat(1500);
const THINKS = ({ messages }: { messages: readonly { type: string }[] }): ModelReply =>
	messages.at(-1)?.type === "result"
		? { thinking: "Now I know.", text: "Done." }
		: { thinking: "I have to look.", calls: [{ name: "read", arguments: {} }] };

const open: Loopback[] = [];

afterEach(async () => {
	for (const loopback of open.splice(0)) await loopback.close();
});

async function connect() {
	const loopback = await startLoopback({ model: THINKS });
	open.push(loopback);
	const send = (body: Fields) => postText(loopback.url, "responses", JSON.stringify(body));
	const ask = async (body: Fields): Promise<Fields> => {
		const { output, error } = (await send(body)).body;
		expect(error).toBeNull();
		return say(body, ...objectsOf(output));
	};
	return { loopback, send, ask };
}

function say(body: Fields, ...items: readonly Fields[]): Fields {
	return { ...body, input: [...objectsOf(body.input), ...items] };
}

function replace(body: Fields, index: number, ...items: readonly Fields[]): Fields {
	return { ...body, input: objectsOf(body.input).toSpliced(index, 1, ...items) };
}

const message = (role: string, said: string): Fields => ({
	role,
	content: [{ type: "input_text", text: said }],
});

function output(body: Fields, said = LONG): Fields {
	return { type: "function_call_output", call_id: objectsOf(body.input).at(-1)?.call_id, output: said };
}

/** Items: 0 developer, 1 user, 2 reasoning, 3 call, 4 output, 5 reasoning, 6 text, 7 user. */
async function converse({ ask }: Awaited<ReturnType<typeof connect>>, model: string): Promise<Fields> {
	const reasoning = { effort: "medium" };
	const head = { model, reasoning, store: false, input: [message("developer", "You help.")] };
	const read = await ask(say(head, message("user", "Fix it.")));
	const done = await ask(say(read, output(read)));
	return say(done, message("user", "Thanks."));
}

const shorten = (body: Fields): Fields => replace(body, 4, { ...objectsOf(body.input)[4], output: "short" });
const idOf = (body: Fields, index: number): unknown => objectsOf(body.input)[index]?.id;

describe("a changed prefix on GPT-6.2", () => {
	const model = "gpt-6.2-sol";

	test.each<[string, (body: Fields) => Fields, readonly number[]]>([
		["a shortened tool result", shorten, [5]],
		["a reworded developer message", (body) => replace(body, 0, message("developer", "Help!")), [2, 5]],
		["a replaced user turn", (body) => replace(body, 1, message("user", "Fix that.")), [2, 5]],
		["an added tool", (body) => ({ ...body, tools: [{ type: "function", name: "x" }] }), [2, 5]],
	])("such as %s removes the reasoning after it and reports it", async (_name, change, removed) => {
		const client = await connect();
		const session = await converse(client, model);
		const { status, body } = await client.send(change(session));
		expect([status, body.input_transformations]).toEqual([
			200,
			removed.map((index) => ({
				type: "reasoning",
				id: idOf(session, index),
				action: "removed",
				reason: "prefix_mismatch",
			})),
		]);
		const record = client.loopback.records().at(-1);
		expect(record?.droppedThinking).toBe(removed.length);
	});

	test("does not bill what it removed", async () => {
		const client = await connect();
		const stale = shorten(await converse(client, model));
		await client.send(stale);
		const { id: _id, ...said } = objectsOf(stale.input)[6] ?? {};
		await client.send(replace(replace(stale, 6, said), 5));
		const [removed, stripped] = client.loopback.records().slice(-2);
		expect(removed?.promptTokens).toBe(stripped?.promptTokens);
		expect(stripped?.refused).toBeUndefined();
	});

	test("is none when only ids, status and settings differ", async () => {
		const client = await connect();
		const session = await converse(client, model);
		const call = objectsOf(session.input)[3] ?? {};
		const body = replace({ ...session, max_output_tokens: 99 }, 3, { ...call, status: undefined });
		expect((await client.send(body)).body.input_transformations).toEqual([]);
	});

	test("leaves reasoning produced afterwards valid", async () => {
		const client = await connect();
		const stale = shorten(await converse(client, model));
		const read = await client.ask(stale);
		const { body } = await client.send(say(read, output(read)));
		expect(objectsOf(body.input_transformations).map(({ id }) => id)).toEqual([idOf(stale, 5)]);
	});
});

test.each(["gpt-6.1-sol", "gpt-5.5"])("%s reads stale reasoning and reports nothing", async (model) => {
	const client = await connect();
	const { status, body } = await client.send(shorten(await converse(client, model)));
	expect([status, body.input_transformations]).toEqual([200, undefined]);
	expect(client.loopback.records().at(-1)?.droppedThinking).toBe(0);
});

test("encrypted content of another item is refused by every model", async () => {
	const client = await connect();
	const session = await converse(client, "gpt-5.5");
	const [, , first = {}, , , second = {}] = objectsOf(session.input);
	const body = replace(session, 2, { ...first, encrypted_content: second.encrypted_content });
	expect((await client.send(body)).body.error).toMatchObject({ code: "invalid_encrypted_content" });
});

describe("the cache of GPT-5.6 and later", () => {
	test("bills what it writes, and reads it at the next request without steps of 128 tokens", async () => {
		const client = await connect();
		await converse(client, "gpt-6.2-sol");
		const [first, second] = client.loopback.records();
		expect(first?.writtenTokens).toBe(0);
		expect(second?.writtenTokens).toBe(second?.promptTokens);
	});

	test("still hits at the last breakpoint before an edit", async () => {
		const client = await connect();
		const said = message("user", LONG);
		const ask = (...later: readonly Fields[]) =>
			client.send({ model: "gpt-6.1-sol", input: [said, ...later] });
		await ask();
		await ask(message("user", "two"));
		await ask(message("user", "zwei"), message("user", "three"));
		const [first, , edited] = client.loopback.records();
		expect(edited?.cachedTokens).toBe(first?.promptTokens);
		expect(edited?.writtenTokens).toBe((edited?.promptTokens ?? 0) - (first?.promptTokens ?? 0));
	});

	test("bills no writes on older models", async () => {
		const client = await connect();
		await client.send({ model: "gpt-5.5", input: [message("user", LONG)] });
		expect(client.loopback.records()[0]?.writtenTokens).toBe(0);
	});
});
