/** The rule of preserved thinking, case by case (platform.claude.com, "preserved thinking", "prefix checks"). */

import { describe, expect, test } from "vitest";
import { recordsOf, type UnknownRecord } from "#basics";
import * as session from "../test-support/thinking-session.ts";
import { checkPrefix, findStaleThinking, sealAnswer } from "./stale.ts";

const { answer, blockAt, EMPTY, edit, editBlock, redacted } = session;
const { result, say, stalePaths, text, thought, use, user } = session;

const image = (data: string): UnknownRecord => {
	return { type: "image", source: { type: "base64", media_type: "image/png", data } };
};

/**
 * Messages: 0 user, 1 thinks and reads, 2 result, 3 thinks and answers, 4 user with an image, 5 thinks and answers,
 * 6 user. Thinking stands at 1.0, 3.0 and 5.0.
 */
const FIRST = answer(say(EMPTY, user(text("Fix it."))), thought("first"), text("Reading."), use("r1"));
const SECOND = answer(say(FIRST, user(result("r1"))), thought("second"), text("Fixed."));
const THIRD = answer(say(SECOND, user(text("Look:"), image("AAAA"))), thought("third"), text("I see."));
const SESSION = say(THIRD, user(text("And now?")));

const AT_1 = "messages.1.content.0";
const AT_3 = "messages.3.content.0";
const AT_5 = "messages.5.content.0";

describe("what a block remembers", () => {
	const tool = recordsOf(EMPTY.tools)[0] ?? {};
	test.each<[string, UnknownRecord, readonly string[]]>([
		["a changed system prompt", { ...SESSION, system: "You help!" }, [AT_1, AT_3, AT_5]],
		["an added tool", { ...SESSION, tools: [tool, { ...tool, name: "edit" }] }, [AT_1, AT_3, AT_5]],
		["an edited user message", edit(SESSION, 0, user(text("Fix this."))), [AT_1, AT_3, AT_5]],
		["an edited assistant text", editBlock(SESSION, 1, 1, text("I read.")), [AT_3, AT_5]],
		["a changed tool input", editBlock(SESSION, 1, 2, use("r1", { path: "b.ts" })), [AT_3, AT_5]],
		["a shortened tool result", editBlock(SESSION, 2, 0, result("r1", "cont…")), [AT_3, AT_5]],
		["a re-encoded image", editBlock(SESSION, 4, 1, image("BBBB")), [AT_5]],
		["a deleted message", edit(SESSION, 4), ["messages.4.content.0"]],
		["an exchange deleted in the middle", edit(edit(SESSION, 1), 1), [AT_1, AT_3]],
	])("%s invalidates the thinking after it", (_name, body, stale) => {
		expect(stalePaths(body)).toEqual(stale);
	});
});

describe("what no block remembers", () => {
	const marked = { cache_control: { type: "ephemeral" } };
	const [tool = {}] = recordsOf(EMPTY.tools);
	test.each<[string, UnknownRecord]>([
		["a cache marker in the system prompt", { ...SESSION, system: [{ ...text("You help."), ...marked }] }],
		["a cache marker on a tool", { ...SESSION, tools: [{ ...tool, ...marked }] }],
		[
			"a cache marker on a result and on a block in it",
			editBlock(SESSION, 2, 0, { ...result("r1", [{ ...text("contents of r1"), ...marked }]), ...marked }),
		],
		["a text block spelled as a string", edit(SESSION, 0, { role: "user", content: "Fix it." })],
		["`is_error: false` spelled out", editBlock(SESSION, 2, 0, { ...result("r1"), is_error: false })],
		[
			"the order of keys",
			editBlock(SESSION, 1, 2, { name: "read", input: { path: "a.ts" }, id: "r1", type: "tool_use" }),
		],
		["effort and output format", { ...SESSION, output_config: { effort: "low" } }],
		["the thinking configuration", { ...SESSION, thinking: { type: "disabled" } }],
		["the model", { ...SESSION, model: "claude-fable-5-2" }],
		["more messages at the end", say(SESSION, user(text("Hello?")))],
		[
			"a deferred tool that nobody has used",
			{ ...SESSION, tools: [tool, { name: "x", defer_loading: true }] },
		],
		[
			"the visible text of thinking",
			editBlock(SESSION, 1, 0, { ...blockAt(SESSION, 1, 0), thinking: "edited" }),
		],
	])("%s may change", (_name, body) => {
		expect(stalePaths(body)).toEqual([]);
	});

	test("a deferred tool counts from its first use on", () => {
		const deferred = { ...tool, name: "late", defer_loading: true };
		const started = answer(say({ ...EMPTY, tools: [tool, deferred] }, user(text("Go."))), thought("a"), {
			...use("r1"),
			name: "late",
		});
		const body = answer(say(started, user(result("r1"))), thought("b"), text("Done."));
		expect(stalePaths({ ...body, tools: [tool, { ...deferred, description: "new" }] })).toEqual([AT_3]);
	});
});

describe("the direction of the check", () => {
	const cut = edit(SESSION, 2, user(result("r1", "shortened")));

	test("thinking produced after an edit is valid as long as the edit stays", () => {
		const stripped = editBlock(editBlock(cut, 3, 0), 5, 0);
		const body = answer(stripped, thought("fourth"), text("Next."));
		expect(stalePaths(say(body, user(text("Good."))))).toEqual([]);
		const undone = edit(body, 2, user(result("r1")));
		expect(stalePaths(undone)).toEqual(["messages.7.content.0"]);
	});

	test("a thinking-only message counts as absent once its thinking is gone", () => {
		const paused = answer(say(EMPTY, user(text("Go."))), thought("only"));
		const body = answer(say(paused, user(text("Go on."))), thought("more"), text("Done."));
		expect(stalePaths(body)).toEqual([]);
		expect(stalePaths(edit(body, 1))).toEqual([]);
	});
});

describe("the chain of thinking", () => {
	const without = (...places: readonly number[]) =>
		places.reduce((body, place) => editBlock(body, place, 0), SESSION);
	const withoutFirst = without(1);
	const withoutThird = without(5);
	const moved = editBlock(SESSION, 1, 0, blockAt(SESSION, 3, 0));
	const swapped = editBlock(moved, 3, 0, blockAt(SESSION, 1, 0));

	test.each<[string, UnknownRecord, readonly string[]]>([
		["may lose its start", withoutFirst, []],
		["may lose its end", withoutThird, []],
		["may be removed as a whole", without(1, 3, 5), []],
		["breaks at a gap", without(3), [AT_5]],
		["breaks where blocks were swapped", swapped, [AT_1, AT_3]],
	])("%s", (_name, body, stale) => {
		expect(stalePaths(body)).toEqual(stale);
	});

	test("breaks for everything produced while a block from its start was away", () => {
		const body = answer(withoutFirst, thought("fourth"), text("Next."));
		expect(stalePaths(body)).toEqual([]);
		const returned = editBlock(body, 1, 0, blockAt(SESSION, 1, 0), text("Reading."));
		expect(findStaleThinking("anthropic", returned)).toEqual([
			{ path: "messages.7.content.0", reason: expect.stringContaining("not those that") },
		]);
	});

	test("loses the blocks that directly follow a rejected one", () => {
		const two = answer(say(EMPTY, user(text("Go."))), thought("a"), redacted("b"), text("Done."));
		const body = say(two, user(text("Thanks.")));
		expect(stalePaths(body)).toEqual([]);
		const changed = editBlock(body, 1, 0, { ...blockAt(body, 1, 0), signature: "AAAA" });
		expect(findStaleThinking("anthropic", changed)).toEqual([
			{ path: AT_1, reason: expect.stringContaining("could not be verified") },
			{ path: "messages.1.content.1", reason: expect.stringContaining("follows one") },
		]);
	});
});

describe("redacted thinking and thinking without text", () => {
	const first = answer(say(EMPTY, user(text("Go."))), redacted("hidden"), use("r1"));
	const second = answer(say(first, user(result("r1"))), thought("seen"), text("Done."));
	const omitted = editBlock(second, 3, 0, { ...blockAt(second, 3, 0), thinking: "" });

	test("leave a gap when they alone are removed", () => {
		const third = answer(say(omitted, user(text("More."))), thought("third"), text("Done."));
		expect(stalePaths(third)).toEqual([]);
		expect(stalePaths(editBlock(third, 3, 0))).toEqual(["messages.5.content.0"]);
	});
});

describe("system messages inside the conversation", () => {
	const note: UnknownRecord = { role: "system", content: [text("Be brief.")] };
	const effort: UnknownRecord = { role: "system", content: [], output_config: { effort: "high" } };
	const turnScoped: UnknownRecord = { ...note, clear_at: "next_user_message" };
	const behind = (message: UnknownRecord) =>
		say(answer(say(EMPTY, user(text("Go.")), message), thought("a"), text("Done.")), user(text("Thanks.")));

	test.each<[string, UnknownRecord]>([
		["a note", note],
		["pi's effort marker", effort],
		["a turn-scoped note", turnScoped],
	])("%s is part of the prefix", (_name, message) => {
		const body = behind(message);
		expect(stalePaths(body)).toEqual([]);
		expect(stalePaths(edit(body, 1))).toEqual(["messages.1.content.0"]);
	});
});

describe("OpenAI's rule: reasoning behind a changed prefix is removed without an error", () => {
	const item = (role: string, said: string): UnknownRecord => ({
		...{ role, content: [{ type: "input_text", text: said }] },
	});
	const reasoning = (id: string): UnknownRecord => ({
		type: "reasoning",
		id,
		summary: [],
		encrypted_content: "",
	});
	const call: UnknownRecord = { type: "function_call", call_id: "a", name: "read", arguments: "{}" };
	const output = (said: string): UnknownRecord => ({
		type: "function_call_output",
		call_id: "a",
		output: said,
	});
	const add = (body: UnknownRecord, ...items: readonly UnknownRecord[]): UnknownRecord => ({
		...{ ...body, input: [...recordsOf(body.input), ...items] },
	});
	const answered = (body: UnknownRecord, ...items: readonly UnknownRecord[]) =>
		add(body, ...sealAnswer("responses", body, items));
	const replace = (
		body: UnknownRecord,
		index: number,
		...items: readonly UnknownRecord[]
	): UnknownRecord => ({
		...{ ...body, input: recordsOf(body.input).toSpliced(index, 1, ...items) },
	});
	const check = (body: UnknownRecord) => checkPrefix("responses", body, new Set());

	/** Items: 0 developer, 1 user, 2 reasoning, 3 call, 4 output, 5 reasoning, 6 text. */
	const STARTED = { model: "gpt-6.2-sol", input: [item("developer", "Help."), item("user", "Fix it.")] };
	const READ = add(answered(STARTED, reasoning("rs_1"), call), output("long"));
	const REASONED = answered(READ, reasoning("rs_2"), item("assistant", "Done."));
	const cut = replace(REASONED, 4, output("short"));

	test.each<[string, UnknownRecord, readonly string[]]>([
		["a shortened tool result", cut, ["rs_2"]],
		["a reworded developer message", replace(REASONED, 0, item("developer", "Help!")), ["rs_1", "rs_2"]],
		["a replaced user turn", replace(REASONED, 1, item("user", "Fix that.")), ["rs_1", "rs_2"]],
		["an added tool", { ...REASONED, tools: [{ type: "function", name: "x" }] }, ["rs_1", "rs_2"]],
		["another limit", { ...REASONED, max_output_tokens: 99 }, []],
		["another status", replace(REASONED, 3, { ...call, status: "completed" }), []],
	])("%s", (_name, changed, removed) => {
		const { body, refusal, transformations } = check(changed);
		expect([refusal, recordsOf(body.input).length]).toEqual([undefined, 7 - removed.length]);
		expect(transformations).toEqual(
			removed.map((id) => ({ type: "reasoning", id, action: "removed", reason: "prefix_mismatch" })),
		);
	});

	test("older models read it and report nothing", () => {
		const older = { ...cut, model: "gpt-6.1-sol" };
		expect(check(older)).toMatchObject({ body: older, transformations: undefined, keepsStale: true });
	});
});
