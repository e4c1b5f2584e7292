import { describe, expect, test } from "vitest";
import { applyRules } from "../refusal.ts";
import { completionsRules } from "./completions.ts";

const user = { role: "user", content: "hi" };
const call = (id: string) => ({ id, type: "function", function: { name: "read", arguments: "{}" } });
const calls = (...ids: string[]) => ({ role: "assistant", content: null, tool_calls: ids.map(call) });
const result = (id: string) => ({ role: "tool", tool_call_id: id, content: "" });
const said = { role: "assistant", content: "ok" };

const body = (...messages: unknown[]) => ({ model: "m", messages });

describe("completions accepts", () => {
	test.each([
		["a user message", body(user)],
		[
			"a system prompt under either name",
			body({ role: "system", content: "s" }, { role: "developer", content: "d" }),
		],
		["parallel calls answered in any order", body(user, calls("a", "b"), result("b"), result("a"), said)],
		["a user message right after the results", body(user, calls("a"), result("a"), user)],
		[
			"a tool that is not defined any more",
			{ ...body(user, calls("a"), result("a")), tools: [{ type: "function" }] },
		],
		["an image part", body({ role: "user", content: [{ type: "image_url", image_url: { url: "data:" } }] })],
	])("%s", (_name, request) => {
		expect(applyRules(completionsRules, request)).toBeUndefined();
	});
});

describe("completions refuses", () => {
	test.each([
		["a body without messages", {}, "Missing required parameter: 'messages'"],
		["an empty list of messages", body(), "Invalid 'messages': empty array"],
		["an empty list of tools", { ...body(user), tools: [] }, "Invalid 'tools': empty array"],
		["an unknown role", body({ role: "robot", content: "x" }), "Invalid value: 'robot'"],
		[
			"an assistant that says and calls nothing",
			body(user, { role: "assistant", content: null }),
			"got null",
		],
		["a user message without content", body({ role: "user" }), "got null"],
		["empty parts", body({ role: "user", content: [] }), "Invalid 'messages[0].content': empty array"],
		[
			"a part of another API",
			body({ role: "user", content: [{ type: "input_text" }] }),
			"Invalid value: 'input_text'",
		],
		[
			"an empty list of calls",
			body({ ...said, tool_calls: [] }),
			"Invalid 'messages[0].tool_calls': empty array",
		],
		["a call id that is too long", body(calls("x".repeat(41)), result("x".repeat(41))), "maximum length 40"],
		[
			"arguments that are no string",
			body({ ...said, tool_calls: [{ id: "a", function: { name: "read", arguments: {} } }] }, result("a")),
			"expected a string.",
		],
		[
			"a call id that comes again",
			body(calls("a"), result("a"), calls("b", "a"), result("b"), result("a")),
			"Duplicate value for 'tool_call_id' of 'a' in messages[0] and messages[2].",
		],
		[
			"a result that comes again",
			body(calls("a"), result("a"), result("a")),
			"Duplicate value for 'tool_call_id' of 'a' in messages[1] and messages[2].",
		],
		["a result without a call", body(user, result("a")), "must be a response to a preceeding message"],
		["a result before its call", body(result("a"), calls("a")), "must be a response to a preceeding message"],
		[
			"a result for a call before the last",
			body(calls("a"), result("a"), calls("b"), result("b"), result("a")),
			"must be a response to a preceeding message",
		],
		["a call without a result", body(calls("a", "b"), result("a")), "did not have response messages: b"],
		["a call at the end", body(user, calls("a")), "did not have response messages: a"],
		[
			"a user message between call and result",
			body(calls("a", "b"), result("a"), user),
			"did not have response messages: b",
		],
	])("%s", (_name, request, message) => {
		expect(applyRules(completionsRules, request)).toMatchObject({
			status: 400,
			type: "invalid_request_error",
			message: expect.stringContaining(message),
		});
	});
});
