import { describe, expect, test } from "vitest";
import { applyRules } from "../refusal.ts";
import { itemId, responseToken, signUnbound } from "../seal.ts";
import { anthropicRules } from "./anthropic.ts";

const RESPONSE = responseToken(1, "one");

const text = (said: string) => ({ type: "text", text: said });
const thinking = { type: "thinking", thinking: "hm", signature: signUnbound("hm") };
const use = (id: string) => ({ type: "tool_use", id, name: "read", input: {} });
const result = (id: string) => ({ type: "tool_result", tool_use_id: id, content: "" });
const user = (...content: unknown[]) => ({ role: "user", content });
const assistant = (...content: unknown[]) => ({ role: "assistant", content });
const hi = user(text("hi"));
const note = { role: "system", content: "Be brief." };
const marked = { ...text("x"), cache_control: { type: "ephemeral" } };

const body = (...messages: unknown[]) => ({ model: "m", max_tokens: 4000, messages });
const onOpus = (...messages: unknown[]) => ({ ...body(...messages), model: "claude-opus-5-5" });
const thinks = (...messages: unknown[]) => ({
	...body(...messages),
	thinking: { type: "enabled", budget_tokens: 1024 },
});

/** Tool uses that show whether the response that made them began with thinking. */
const thoughtUse = use(itemId("toolu", RESPONSE, true, 0));
const plainUse = use(itemId("toolu", RESPONSE, false, 1));

describe("anthropic accepts", () => {
	test.each([
		["a user message as a string", body({ role: "user", content: "hi" })],
		[
			"parallel uses answered in any order",
			body(hi, assistant(use("a"), use("b")), user(result("b"), result("a"))),
		],
		[
			"results spread over two user messages",
			body(hi, assistant(use("a"), use("b")), user(result("a")), user(result("b"))),
		],
		["text after the results", body(hi, assistant(use("a")), user(result("a"), text("and?")))],
		["a user message after the results", body(hi, assistant(use("a")), user(result("a")), hi)],
		["an empty result", body(hi, assistant(use("a")), user({ type: "tool_result", tool_use_id: "a" }))],
		["four cache breakpoints", { ...body(user(marked, marked), user(marked)), system: [marked] }],
		["a prefilled answer", body(hi, assistant(text("It is")))],
		["a system message at the end", onOpus(hi, note)],
		["a system message in front of an answer", onOpus(hi, note, assistant(text("Yes.")), hi)],
		["a system message behind results", onOpus(hi, assistant(use("a")), user(result("a")), note)],
		[
			"a system message that removes a tool, in front of the user",
			onOpus(hi, assistant(text("Yes.")), { role: "system", content: [{ type: "tool_removal" }] }, hi),
		],
		["an empty answer at the end", body(hi, { role: "assistant", content: "" })],
		[
			"thinking that leads its message",
			thinks(hi, assistant(thinking, thoughtUse), user(result(thoughtUse.id))),
		],
		[
			"a later call of the loop without thinking",
			thinks(hi, assistant(thinking, use("a")), user(result("a")), assistant(use("b")), user(result("b"))),
		],
		["calls that were made without thinking", thinks(hi, assistant(plainUse), user(result(plainUse.id)))],
		[
			"a finished loop without its thinking",
			thinks(hi, assistant(thoughtUse), user(result(thoughtUse.id)), hi),
		],
		[
			"a loop without thinking while thinking is off",
			body(hi, assistant(thoughtUse), user(result(thoughtUse.id))),
		],
		[
			"thinking whose visible text was edited, which no signature covers",
			body(hi, assistant({ ...thinking, thinking: "hm!" }, text("x")), hi),
		],
		[
			"redacted thinking",
			thinks(
				hi,
				assistant({ type: "redacted_thinking", data: signUnbound("x") }, use("a")),
				user(result("a")),
			),
		],
	])("%s", (_name, request) => {
		expect(applyRules(anthropicRules, request)).toBeUndefined();
	});
});

describe("anthropic refuses", () => {
	test.each([
		["a body without max_tokens", { messages: [hi] }, "max_tokens: Field required"],
		["a body without messages", { max_tokens: 1 }, "messages: Field required"],
		["an empty list of messages", body(), "at least one message is required"],
		["an unknown role", body(hi, { role: "tool", content: "x" }), "messages.1.role: Input should be"],
		["a system message", body(hi, { role: "system", content: "x" }), 'Unexpected role "system"'],
		[
			"a system message behind an answer",
			onOpus(hi, assistant(text("Yes.")), note, hi),
			"messages.2: a `system` message must follow a `user` message",
		],
		["two system messages in a row", onOpus(hi, note, note), "messages.1: a `system` message must precede"],
		[
			"a system message in front of the user",
			onOpus(hi, note, hi),
			"messages.1: a `system` message must precede",
		],
		["an assistant who begins", body(assistant(text("x")), hi), 'first message must use the "user" role'],
		["an empty message", body(user(), assistant(text("x"))), "must have non-empty content"],
		["an empty answer before the end", body(hi, assistant(), hi), "must have non-empty content"],
		["a tool use by the user", body(user(use("a"))), "`tool_use` blocks can only be in `assistant` messages"],
		[
			"a result by the assistant",
			body(hi, assistant(result("a"))),
			"`tool_result` blocks can only be in `user` messages",
		],
		["an unknown block", body(user({ type: "input_text", text: "x" })), "Input tag 'input_text'"],
		["an empty text", body(user(text(""))), "messages: text content blocks must be non-empty"],
		[
			"a blank text",
			body({ role: "user", content: " \n" }),
			"messages: text content blocks must contain non-whitespace text",
		],
		[
			"an empty text within a result",
			body(hi, assistant(use("a")), user({ ...result("a"), content: [text("")] })),
			"messages: text content blocks must be non-empty",
		],
		[
			"an empty text in the system prompt",
			{ ...body(hi), system: [text("")] },
			"system: text content blocks must be non-empty",
		],
		[
			"two tools of one name",
			{ ...body(hi), tools: [{ name: "a" }, { name: "a" }] },
			"Tool names must be unique",
		],
		[
			"a fifth cache breakpoint",
			{
				...body(user(marked, marked), user(marked)),
				system: [marked],
				tools: [{ name: "a", cache_control: {} }],
			},
			"A maximum of 4 blocks with cache_control may be provided. Found 5.",
		],
		[
			"an id with other characters",
			body(hi, assistant(use("a|b")), user(result("a|b"))),
			"should match pattern",
		],
		[
			"an id that comes again",
			body(hi, assistant(use("a")), user(result("a")), assistant(use("a")), user(result("a"))),
			"`tool_use` ids must be unique",
		],
		[
			"a result without a use",
			body(user(result("a"))),
			"unexpected `tool_use_id` found in `tool_result` blocks: a",
		],
		[
			"a result one turn late",
			body(hi, assistant(use("a")), user(result("a")), assistant(text("x")), user(result("a"))),
			"messages.4.content.0: unexpected `tool_use_id`",
		],
		[
			"a result that comes again",
			body(hi, assistant(use("a")), user(result("a"), result("a"))),
			"each tool_use must have a single result",
		],
		[
			"a use without a result",
			body(hi, assistant(use("a"), use("b")), user(result("a"))),
			"immediately after: b",
		],
		["a use at the end", body(hi, assistant(use("a"))), "immediately after: a"],
		[
			"text before the results",
			body(hi, assistant(use("a")), user(text("so:"), result("a"))),
			"immediately after: a",
		],
		[
			"an error that says nothing",
			body(hi, assistant(use("a")), user({ ...result("a"), is_error: true })),
			"content cannot be empty if `is_error` is true",
		],
		[
			"a blank at the end of a prefill",
			body(hi, assistant(text("It is "))),
			"cannot end with trailing whitespace",
		],
		[
			"a thinking budget that is too small",
			{ ...body(hi), thinking: { type: "enabled", budget_tokens: 1023 } },
			"greater than or equal to 1024",
		],
		[
			"a thinking budget that leaves no room",
			{ ...body(hi), thinking: { type: "enabled", budget_tokens: 4000 } },
			"`max_tokens` must be greater than `thinking.budget_tokens`",
		],
		[
			"a changed signature",
			body(hi, assistant({ ...thinking, signature: `A${thinking.signature.slice(1)}` }, text("x")), hi),
			"messages.1.content.0: Invalid `signature` in `thinking` block",
		],
		[
			"thinking without a signature",
			body(hi, assistant({ type: "thinking", thinking: "hm" }, text("x")), hi),
			"Invalid `signature`",
		],
		[
			"redacted thinking with changed data",
			body(hi, assistant({ type: "redacted_thinking", data: "x" }, text("x")), hi),
			"Invalid `data` in `redacted_thinking` block",
		],
		[
			"thinking at the end of a message",
			body(hi, assistant(text("x"), thinking), hi),
			"final block in an assistant message cannot be `thinking`",
		],
		[
			"a loop whose thinking is gone",
			thinks(hi, assistant(thoughtUse), user(result(thoughtUse.id))),
			"messages.1.content.0.type: Expected `thinking` or `redacted_thinking`, but found `tool_use`",
		],
		[
			"a loop that begins without thinking",
			thinks(hi, assistant(text("x"), use("a")), user(result("a"))),
			"but found `text`",
		],
		[
			"a later call of the loop whose thinking is gone",
			thinks(
				hi,
				assistant(thinking, use("a")),
				user(result("a")),
				assistant(thoughtUse),
				user(result(thoughtUse.id)),
			),
			"messages.3.content.0.type: Expected `thinking`",
		],
		[
			"thinking that does not come first",
			thinks(hi, assistant(text("x"), thinking, thoughtUse), user(result(thoughtUse.id))),
			"but found `text`",
		],
	])("%s", (_name, request, message) => {
		expect(applyRules(anthropicRules, request)).toMatchObject({
			status: 400,
			type: "invalid_request_error",
			message: expect.stringContaining(message),
		});
	});
});
