import { itemId, responseToken, signUnbound } from "../seal.ts";
import { testRules } from "../test-support/rule-table.ts";
import { sealAnswer } from "../thinking/stale.ts";
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

/** An answer with two blocks of thinking. */
const sealed = sealAnswer("anthropic", body(hi), [
	{ type: "thinking", thinking: "one", signature: "" },
	{ type: "thinking", thinking: "two", signature: "" },
	use("a"),
]);

testRules("anthropic", anthropicRules, {
	accepts: [
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
		[
			"an empty system message that sets the effort",
			onOpus(hi, { role: "system", content: [], output_config: { effort: "high" } }),
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
			"a loop without thinking while thinking is adaptive",
			{ ...body(hi, assistant(thoughtUse), user(result(thoughtUse.id))), thinking: { type: "adaptive" } },
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
	],
	refuses: [
		["max_tokens: Field required", { messages: [hi] }],
		["messages: Field required", { max_tokens: 1 }],
		["at least one message is required", body()],
		["messages.1.role: Input should be", body(hi, { role: "tool", content: "x" })],
		['Unexpected role "system"', body(hi, { role: "system", content: "x" })],
		[
			"messages.2: a `system` message must follow a `user` message",
			onOpus(hi, assistant(text("Yes.")), note, hi),
		],
		["messages.1: a `system` message must precede", onOpus(hi, note, note)],
		["messages.1: a `system` message must precede", onOpus(hi, note, hi)],
		["must have non-empty content", onOpus(hi, { role: "system", content: [] })],
		["must follow a `user` message", onOpus(hi, assistant(use("a")), note, user(result("a")))],
		['first message must use the "user" role', body(assistant(text("x")), hi)],
		["must have non-empty content", body(user(), assistant(text("x")))],
		["must have non-empty content", body(hi, assistant(), hi)],
		["`tool_use` blocks can only be in `assistant` messages", body(user(use("a")))],
		["`tool_result` blocks can only be in `user` messages", body(hi, assistant(result("a")))],
		["Input tag 'input_text'", body(user({ type: "input_text", text: "x" }))],
		["messages: text content blocks must be non-empty", body(user(text("")))],
		[
			"messages: text content blocks must contain non-whitespace text",
			body({ role: "user", content: " \n" }),
		],
		[
			"messages: text content blocks must be non-empty",
			body(hi, assistant(use("a")), user({ ...result("a"), content: [text("")] })),
		],
		["system: text content blocks must be non-empty", { ...body(hi), system: [text("")] }],
		["Tool names must be unique", { ...body(hi), tools: [{ name: "a" }, { name: "a" }] }],
		[
			"A maximum of 4 blocks with cache_control may be provided. Found 5.",
			{
				...body(user(marked, marked), user(marked)),
				system: [marked],
				tools: [{ name: "a", cache_control: {} }],
			},
		],
		["should match pattern", body(hi, assistant(use("a|b")), user(result("a|b")))],
		[
			"`tool_use` ids must be unique",
			body(hi, assistant(use("a")), user(result("a")), assistant(use("a")), user(result("a"))),
		],
		["unexpected `tool_use_id` found in `tool_result` blocks: a", body(user(result("a")))],
		[
			"messages.4.content.0: unexpected `tool_use_id`",
			body(hi, assistant(use("a")), user(result("a")), assistant(text("x")), user(result("a"))),
		],
		[
			"each tool_use must have a single result",
			body(hi, assistant(use("a")), user(result("a"), result("a"))),
		],
		["immediately after: b", body(hi, assistant(use("a"), use("b")), user(result("a")))],
		["immediately after: a", body(hi, assistant(use("a")))],
		["immediately after: a", body(hi, assistant(use("a")), user(text("so:"), result("a")))],
		[
			"content cannot be empty if `is_error` is true",
			body(hi, assistant(use("a")), user({ ...result("a"), is_error: true })),
		],
		["cannot end with trailing whitespace", body(hi, assistant(text("It is ")))],
		['"thinking.type.enabled" is not supported for this model', { ...thinks(hi), model: "claude-opus-4-7" }],
		[
			"blocks in the latest assistant message cannot be modified",
			body(hi, { role: "assistant", content: sealed.slice(1) }, user(result("a"))),
		],
		["greater than or equal to 1024", { ...body(hi), thinking: { type: "enabled", budget_tokens: 1023 } }],
		[
			"`max_tokens` must be greater than `thinking.budget_tokens`",
			{ ...body(hi), thinking: { type: "enabled", budget_tokens: 4000 } },
		],
		[
			"messages.1.content.0: Invalid `signature` in `thinking` block",
			body(hi, assistant({ ...thinking, signature: `A${thinking.signature.slice(1)}` }, text("x")), hi),
		],
		["Invalid `signature`", body(hi, assistant({ type: "thinking", thinking: "hm" }, text("x")), hi)],
		[
			"Invalid `data` in `redacted_thinking` block",
			body(hi, assistant({ type: "redacted_thinking", data: "x" }, text("x")), hi),
		],
		[
			"final block in an assistant message cannot be `thinking`",
			body(hi, assistant(text("x"), thinking), hi),
		],
		[
			"messages.1.content.0.type: Expected `thinking` or `redacted_thinking`, but found `tool_use`",
			thinks(hi, assistant(thoughtUse), user(result(thoughtUse.id))),
		],
		["but found `text`", thinks(hi, assistant(text("x"), use("a")), user(result("a")))],
		[
			"messages.3.content.0.type: Expected `thinking`",
			thinks(
				hi,
				assistant(thinking, use("a")),
				user(result("a")),
				assistant(thoughtUse),
				user(result(thoughtUse.id)),
			),
		],
		["but found `text`", thinks(hi, assistant(text("x"), thinking, thoughtUse), user(result(thoughtUse.id)))],
	],
});
