/** Message threads on the server: a conversation is continued by its new messages only. */

import { afterEach, beforeEach, expect, test } from "vitest";
import { recordsOf } from "#basics";
import { echo } from "../model.ts";
import { postText } from "../test-support/raw.ts";
import { type Loopback, startLoopback } from "./server.ts";

let loopback: Loopback;
let now: number;

beforeEach(async () => {
	now = 1_000_000;
	loopback = await startLoopback({ model: echo, keepBodies: true, now: () => now });
});

afterEach(() => loopback.close());

const beta = { "anthropic-beta": "message-threads-2026-08-12" };
const said = (content: string) => ({ role: "user", content });

async function post(
	thread: object,
	messages: readonly object[],
	more: object = {},
	headers: Record<string, string> = beta,
) {
	const body = JSON.stringify({ model: "m", max_tokens: 9, messages, thread, ...more });
	const answer = await postText(loopback.url, "anthropic", body, headers);
	const { error } = answer.body as {
		readonly error?: { readonly details?: { readonly error_code: string } };
	};
	return { status: answer.status, id: String(answer.body.id), code: error?.details?.error_code };
}

const create = (more?: object) => post({ type: "create" }, [said("one")], more);
const resume = (id: string, more?: object) =>
	post({ type: "continue", previous_message_id: id }, [said("two")], more);

test("a thread is continued with new messages, and the model sees the whole conversation", async () => {
	const first = await create({ system: "Be brief." });
	const second = await resume(first.id);
	await resume(second.id);
	const [, , last] = loopback.records();
	expect(last?.body).toMatchObject({
		system: "Be brief.",
		messages: [said("one"), {}, said("two"), {}, said("two")],
	});
	expect(recordsOf(Object(last?.body).messages)[1]).toMatchObject({
		role: "assistant",
		content: [{ type: "text", text: "one" }],
	});
	expect(last).toMatchObject({ isContinued: true, extendsPrevious: true });
	expect(last?.sentLength).toBeLessThan(JSON.stringify(last?.body).length);
});

test("each request of a thread has four cache breakpoints of its own", async () => {
	const marked = (text: string) => ({
		role: "user",
		content: Array.from({ length: 4 }, (_, at) => ({
			type: "text",
			text: `${text} ${at}`,
			cache_control: { type: "ephemeral" },
		})),
	});
	const first = await post({ type: "create" }, [marked("one")]);
	const second = await post({ type: "continue", previous_message_id: first.id }, [marked("two")]);
	expect(second.status).toBe(200);
});

test.each<[string, () => Promise<unknown>, object]>([
	["an unknown answer", () => resume("msg_0"), { status: 404, code: "thread_not_found" }],
	[
		"a thread that rested for five minutes",
		async () => {
			const { id } = await create();
			now += 5 * 60_000;
			return await resume(id);
		},
		{ status: 404, code: "thread_not_found" },
	],
	[
		"an answer that was continued before",
		async () => {
			const { id } = await create();
			await resume(id);
			return await resume(id);
		},
		{ status: 400, code: "thread_already_continued" },
	],
	[
		"another setting",
		async () => resume((await create()).id, { tool_choice: { type: "none" } }),
		{ status: 400, code: "thread_fingerprint_mismatch" },
	],
	["no beta header", () => post({ type: "create" }, [said("one")], {}, {}), { status: 400, code: undefined }],
])("a request that continues %s is refused", async (_, ask, refusal) => {
	expect(await ask()).toMatchObject(refusal);
	expect(loopback.records().at(-1)?.refused).toBeDefined();
});
