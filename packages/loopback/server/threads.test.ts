import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { postText } from "../test-support/raw.ts";
import { EMPTY, say, text, user } from "../test-support/thinking-session.ts";
import { type Fields, fieldsOf, objectsOf } from "../wire/json.ts";
import { type Loopback, startLoopback } from "./server.ts";
import { THREAD_LIFETIME, THREADS_BETA } from "./threads.ts";

const HEADERS = { "anthropic-beta": THREADS_BETA };
const FIRST = say(EMPTY, user(text("one")));

let loopback: Loopback;
let now: number;

beforeEach(async () => {
	now = 1_000_000;
	const model = () => ({ thinking: "hm", text: "ok" });
	loopback = await startLoopback({ model, now: () => now, keepBodies: true });
});

afterEach(() => loopback.close());

const send = (body: Fields, headers: Readonly<Record<string, string>> = HEADERS) =>
	postText(loopback.url, "anthropic", JSON.stringify(body), headers);

/** A request that sends only what is new, as `thread.continue` does. */
function next(id: unknown, ...messages: readonly Fields[]): Fields {
	const { system: _system, tools: _tools, ...rest } = EMPTY;
	return { ...rest, messages, thread: { type: "continue", previous_message_id: id } };
}

async function create(): Promise<Fields> {
	return (await send({ ...FIRST, thread: { type: "create" } })).body;
}

const codeOf = (body: Fields): unknown => fieldsOf(body.error).details;

describe("a message thread", () => {
	test("continues with the new messages only, and is billed and cached like the whole conversation", async () => {
		const { id, content } = await create();
		expect((await send(next(id, user(text("two"))))).status).toBe(200);
		await send(say(FIRST, { role: "assistant", content }, user(text("two"))));
		const [created, continued, full] = loopback.records();
		expect([created?.thread, continued?.thread, full?.thread]).toEqual(["create", "continue", undefined]);
		expect(continued?.promptTokens).toBe(full?.promptTokens);
		expect(full?.extendsPrevious).toBe(true);
		expect(objectsOf(fieldsOf(continued?.body).messages)).toHaveLength(1);
	});

	test("goes on from each answer in turn", async () => {
		const { id } = await create();
		const second = await send(next(id, user(text("two"))));
		const third = await send(next(second.body.id, user(text("three"))));
		expect(third.status).toBe(200);
	});

	test("holds no cache markers, so that every request may set its own", async () => {
		const marked = (said: string) => user({ ...text(said), cache_control: { type: "ephemeral" } });
		let { id } = (await send({ ...say(EMPTY, marked("one")), thread: { type: "create" } })).body;
		for (const said of ["two", "three", "four", "five", "six"]) {
			const answered = await send(next(id, marked(said)));
			expect(answered.status).toBe(200);
			id = answered.body.id;
		}
	});

	test("keeps the thinking of the conversation valid", async () => {
		const { id, content } = await create();
		const second = await send(next(id, user(text("two"))));
		const whole = say(
			say(FIRST, { role: "assistant", content }, user(text("two"))),
			{ role: "assistant", content: second.body.content },
			user(text("three")),
		);
		expect((await send(whole)).status).toBe(200);
	});

	test("expires after five idle minutes", async () => {
		const { id } = await create();
		now += THREAD_LIFETIME + 1;
		const { status, body } = await send(next(id, user(text("two"))));
		expect([status, codeOf(body)]).toEqual([404, { error_code: "thread_not_found" }]);
	});

	test("lives on while it is used", async () => {
		const { id } = await create();
		now += THREAD_LIFETIME;
		const second = await send(next(id, user(text("two"))));
		now += THREAD_LIFETIME;
		expect((await send(next(second.body.id, user(text("three"))))).status).toBe(200);
	});

	test.each<[string, (id: unknown) => Fields, number, string]>([
		["unknown response", () => next("msg_0", user(text("x"))), 404, "thread_not_found"],
		[
			"changed thinking configuration",
			(id) => ({ ...next(id, user(text("x"))), thinking: { type: "disabled" } }),
			400,
			"thread_fingerprint_mismatch",
		],
		[
			"other model",
			(id) => ({ ...next(id, user(text("x"))), model: "claude-opus-5" }),
			400,
			"thread_fingerprint_mismatch",
		],
		[
			"system prompt of its own",
			(id) => ({ ...next(id, user(text("x"))), system: "New." }),
			400,
			"thread_fingerprint_mismatch",
		],
	])("refuses to continue with an %s", async (_name, request, status, code) => {
		const { id } = await create();
		const answered = await send(request(id));
		expect([answered.status, codeOf(answered.body)]).toEqual([status, { error_code: code }]);
	});

	test("continues each response once, and a refused request does not count", async () => {
		const { id } = await create();
		expect((await send(next(id))).status).toBe(200);
		const { status, body } = await send(next(id, user(text("again"))));
		expect([status, codeOf(body)]).toEqual([400, { error_code: "thread_already_continued" }]);
		const other = await create();
		expect((await send({ ...next(other.id, user(text("x"))), max_tokens: undefined })).status).toBe(400);
		expect((await send(next(other.id, user(text("x"))))).status).toBe(200);
	});

	test("needs its beta header", async () => {
		const { status, body } = await send({ ...FIRST, thread: { type: "create" } }, {});
		expect([status, body]).toMatchObject([
			400,
			{ error: { message: "thread: Extra inputs are not permitted" } },
		]);
	});
});
