import { expect, test } from "vitest";
import { applyRules } from "../refusal.ts";
import { itemId, reasoningId, responseToken, signUnbound } from "../seal.ts";
import { testRules } from "../test-support/rule-table.ts";
import { responsesRules } from "./responses.ts";

const RESPONSE = responseToken(1, "one");
const OTHER = responseToken(2, "two");

const user = { role: "user", content: [{ type: "input_text", text: "hi" }] };
const call = (id: string | undefined, call_id: string) => ({
	...{ type: "function_call", ...(id === undefined ? {} : { id }), call_id, name: "read", arguments: "{}" },
});
const output = (callId: string) => ({ type: "function_call_output", call_id: callId, output: "" });
const reasoning = (response: string, signed = response) => ({
	type: "reasoning",
	id: reasoningId(response),
	summary: [],
	encrypted_content: signUnbound(reasoningId(signed)),
});
const said = (text: string) => ({ role: "assistant", content: [{ type: "output_text", text }] });
const text = (id: string) => ({ type: "message", id, ...said("ok") });

const blank = said("\n\n");

const reasonedCall = call(itemId("fc", RESPONSE, true, 0), "a");
const secondCall = call(itemId("fc", RESPONSE, true, 1), "b");
const otherCall = call(itemId("fc", OTHER, false, 0), "a");
const reasonedText = text(itemId("msg", RESPONSE, true, 0));

const body = (...input: unknown[]) => ({ model: "m", store: false, input });

testRules("responses", responsesRules, {
	accepts: [
		["a web search that lost its reasoning and its id", body(user, { type: "web_search_call" }, said("ok"))],
		["a plain string", { model: "m", input: "hi" }],
		["a reasoned call with its output", body(user, reasoning(RESPONSE), reasonedCall, output("a"))],
		[
			"reasoning, text and parallel calls of one response",
			body(user, reasoning(RESPONSE), reasonedText, reasonedCall, secondCall, output("b"), output("a")),
		],
		["a call that lost its reasoning and its item id", body(user, call(undefined, "a"), output("a"))],
		["a call made without reasoning", body(user, call(itemId("fc", RESPONSE, false, 0), "a"), output("a"))],
		["a call made elsewhere", body(user, call("fc_elsewhere", "a"), output("a"))],
		["text without a type or an id", body(user, { role: "assistant", content: "ok" }, user)],
		["a blank text with its call", body(user, blank, call(undefined, "a"), output("a"))],
		["stored reasoning by its id alone", { input: [{ type: "reasoning", id: "rs_1" }, text("msg_1")] }],
	],
	refuses: [
		[
			"provided without its required 'reasoning' item",
			body(user, { type: "web_search_call", id: itemId("ws", RESPONSE, true, 0) }, said("ok")),
		],
		["No tool search call found", body(user, { type: "tool_search_output", call_id: "s", tools: [] })],
		["Missing required parameter: 'input'", {}],
		["Missing required parameter: 'input'", body()],
		["Invalid value: 'dream'", body({ type: "dream" })],
		["Invalid value: 'tool'", body({ role: "tool", content: "x" })],
		["must be non-empty", body(user, call(undefined, "a"), output("a"), blank, user)],
		["'input[0].content'", body({ role: "user", content: [] })],
		["Invalid value: 'text'", body({ role: "user", content: [{ type: "text", text: "x" }] })],
		["begins with 'fc'", body(call("call_1", "a"), output("a"))],
		["maximum length 64", body(call("fc_1", "x".repeat(65)), output("x".repeat(65)))],
		["Duplicate item found with id msg_1", body(text("msg_1"), text("msg_1"))],
		["Duplicate 'call_id': a", body(call("fc_1", "a"), call("fc_2", "a"), output("a"))],
		["Duplicate 'call_id': a", body(call("fc_1", "a"), output("a"), output("a"))],
		["No tool call found for function call output with call_id a", body(user, output("a"))],
		["No tool call found", body(output("a"), call("fc_1", "a"))],
		["No tool output found for function call a", body(user, call("fc_1", "a"))],
		[
			`'${reasonedCall.id}' of type 'function_call' was provided without its required 'reasoning' item: '${reasoningId(RESPONSE)}'`,
			body(user, reasonedCall, output("a")),
		],
		["of type 'message' was provided without its required 'reasoning' item", body(user, reasonedText, user)],
		["without its required 'reasoning' item", body(user, reasonedCall, reasoning(RESPONSE), output("a"))],
		["without its required following item", body(user, reasoning(RESPONSE))],
		["without its required following item", body(reasoning(RESPONSE), user)],
		["without its required following item", body(reasoning(RESPONSE), otherCall, output("a"))],
		["without its required following item", body(reasoning(RESPONSE), call(undefined, "a"), output("a"))],
		["could not be verified", body(reasoning(RESPONSE, OTHER), reasonedText)],
	],
});

test("reasoning that was not stored and not sent, as not found", () => {
	const { encrypted_content: _sealed, ...bare } = reasoning(RESPONSE);
	expect(applyRules(responsesRules, body(bare, reasonedText))).toMatchObject({
		status: 404,
		message: expect.stringContaining("Items are not persisted"),
	});
});
