import { testRules } from "../test-support/rule-table.ts";
import { completionsRules } from "./completions.ts";

const user = { role: "user", content: "hi" };
const call = (id: string) => ({ id, type: "function", function: { name: "read", arguments: "{}" } });
const calls = (...ids: string[]) => ({ role: "assistant", content: null, tool_calls: ids.map(call) });
const result = (id: string) => ({ role: "tool", tool_call_id: id, content: "" });
const said = { role: "assistant", content: "ok" };

const loop = [calls("a"), result("a")];
const body = (...messages: unknown[]) => ({ model: "m", messages });

testRules("completions", completionsRules, {
	accepts: [
		["a user message", body(user)],
		[
			"a prompt under either name",
			body({ role: "system", content: "s" }, { role: "developer", content: "d" }),
		],
		["a blank text next to a call", body(user, { ...calls("a"), content: "\n\n" }, result("a"))],
		["parallel calls answered in any order", body(user, calls("a", "b"), result("b"), result("a"), said)],
		["a user message right after the results", body(user, calls("a"), result("a"), user)],
		["a tool that is gone", { ...body(user, calls("a"), result("a")), tools: [{ type: "function" }] }],
		["an image part", body({ role: "user", content: [{ type: "image_url", image_url: { url: "data:" } }] })],
	],
	refuses: [
		["Missing required parameter: 'messages'", {}],
		["Invalid 'messages': empty array", body()],
		["Invalid 'tools': empty array", { ...body(user), tools: [] }],
		["Invalid value: 'robot'", body({ role: "robot", content: "x" })],
		["got null", body(user, { role: "assistant", content: null })],
		["got null", body({ role: "user" })],
		["Invalid 'messages[0].content': empty array", body({ role: "user", content: [] })],
		["Invalid value: 'input_text'", body({ role: "user", content: [{ type: "input_text" }] })],
		["Invalid 'messages[0].tool_calls': empty array", body({ ...said, tool_calls: [] })],
		["maximum length 40", body(calls("x".repeat(41)), result("x".repeat(41)))],
		[
			"expected a string.",
			body({ ...said, tool_calls: [{ id: "a", function: { name: "read", arguments: {} } }] }, result("a")),
		],
		["of 'a' in messages[0] and messages[2].", body(...loop, calls("b", "a"), result("b"), result("a"))],
		["Duplicate value for 'tool_call_id' of 'a' in messages[1] and messages[2].", body(...loop, result("a"))],
		["must be a response to a preceeding message", body(user, result("a"))],
		["must be a response to a preceeding message", body(result("a"), calls("a"))],
		["must be a response to a preceeding message", body(...loop, calls("b"), result("b"), result("a"))],
		["did not have response messages: b", body(calls("a", "b"), result("a"))],
		["did not have response messages: a", body(user, calls("a"))],
		["did not have response messages: b", body(calls("a", "b"), result("a"), user)],
		["must be non-empty", body(user, { role: "assistant", content: "\n\n" }, user)],
		["must be non-empty", body(user, { role: "assistant", content: [{ type: "text", text: " " }] }, user)],
		["must alternate", body(user, calls("a"), result("a"), said, said)],
	],
});
