import { itemId, responseToken, signUnbound } from "../seal.ts";
import { testRules } from "../test-support/rule-table.ts";
import { sealAnswer } from "../thinking/stale.ts";
import { anthropicRules } from "./index.ts";

const RESPONSE = responseToken(1, "one");

const text = (said: string) => ({ type: "text", text: said });
const thinking = { type: "thinking", thinking: "hm", signature: signUnbound("hm") };
const use = (id: string) => ({ type: "tool_use", id, name: "read", input: {} });
const result = (id: string) => ({ type: "tool_result", tool_use_id: id, content: "" });
const user = (...content: unknown[]) => ({ role: "user", content });
const assistant = (...content: unknown[]) => ({ role: "assistant", content });
const hi = user(text("hi"));
const yes = assistant(text("Yes."));
const note = { role: "system", content: "Be brief." };
const marked = { ...text("x"), cache_control: { type: "ephemeral" } };

const body = (...messages: unknown[]) => ({ model: "m", max_tokens: 4000, messages });
/** Behind a user message. */
const told = (...messages: unknown[]) => body(hi, ...messages);
const onOpus = (...messages: unknown[]) => ({ ...told(...messages), model: "claude-opus-5-5" });
const enabled = { type: "enabled", budget_tokens: 1024 };
const thinks = (...messages: unknown[]) => ({ ...told(...messages), thinking: enabled });
const system = (...content: unknown[]) => ({ role: "system", content });

/** One use, two at once, and the message that answers the first. */
const asks = assistant(use("a"));
const asksTwo = assistant(use("a"), use("b"));
const answers = user(result("a"));

/** Tool uses that show whether the response that made them began with thinking. */
const thoughtUse = use(itemId("toolu", RESPONSE, true, 0));
const plainUse = use(itemId("toolu", RESPONSE, false, 1));
const bareLoop = [assistant(thoughtUse), user(result(thoughtUse.id))];
const hidden = (data: string) => ({ type: "redacted_thinking", data });

/** An answer with two blocks of thinking. */
const sealed = sealAnswer("anthropic", body(hi), [
	{ type: "thinking", thinking: "one", signature: "" },
	{ type: "thinking", thinking: "two", signature: "" },
	use("a"),
]);

/** A web search that Anthropic runs, with its result; and a tool that a search loads. */
const searched = { type: "server_tool_use", id: "s", name: "web_search", input: {} };
const found = { type: "web_search_tool_result", tool_use_id: "s", content: [] };
const deferred = { name: "read", defer_loading: true };
const loads = { ...result("a"), content: [{ type: "tool_reference", tool_name: "read" }] };
const asksFor = (name: string) => assistant({ ...use("a"), name });

testRules("anthropic", anthropicRules, {
	accepts: [
		["a server tool's call with its result", told(assistant(searched, found, text("Yes.")))],
		["a paused call of a server tool", told(assistant(text("Yes."), searched))],
		[
			"a deferred tool behind its reference",
			{ ...told(asksFor("find"), user(loads), assistant(use("b")), user(result("b"))), tools: [deferred] },
		],
		["a user message as a string", body({ role: "user", content: "hi" })],
		["parallel uses answered in any order", told(asksTwo, user(result("b"), result("a")))],
		["results spread over two user messages", told(asksTwo, answers, user(result("b")))],
		["text after the results", told(asks, user(result("a"), text("and?")))],
		["a user message after the results", told(asks, answers, hi)],
		["an empty result", told(asks, user({ type: "tool_result", tool_use_id: "a" }))],
		["four cache breakpoints", { ...body(user(marked, marked), user(marked)), system: [marked] }],
		["a prefilled answer", told(assistant(text("It is")))],
		["a system message at the end", onOpus(note)],
		["a system message in front of an answer", onOpus(note, yes, hi)],
		["a system message behind results", onOpus(asks, answers, note)],
		["a tool removed in front of the user", onOpus(yes, system({ type: "tool_removal" }), hi)],
		["an empty one that sets the effort", onOpus({ ...system(), output_config: { effort: "high" } })],
		["an empty answer at the end", told({ role: "assistant", content: "" })],
		["thinking that leads its message", thinks(assistant(thinking, thoughtUse), user(result(thoughtUse.id)))],
		[
			"a later call of the loop without thinking",
			thinks(assistant(thinking, use("a")), answers, assistant(use("b")), user(result("b"))),
		],
		["calls that were made without thinking", thinks(assistant(plainUse), user(result(plainUse.id)))],
		["a finished loop without its thinking", thinks(...bareLoop, hi)],
		["a loop without thinking while thinking is off", told(...bareLoop)],
		["one while thinking is adaptive", { ...told(...bareLoop), thinking: { type: "adaptive" } }],
		[
			"edited text, which no signature covers",
			told(assistant({ ...thinking, thinking: "hm!" }, text("x")), hi),
		],
		["redacted thinking", thinks(assistant(hidden(signUnbound("x")), use("a")), answers)],
	],
	refuses: [
		[
			"found without a corresponding `web_search_tool_result`",
			told(assistant(searched), hi, assistant({ ...searched, id: "t" })),
		],
		["unexpected `tool_use_id` found in `web_search_tool_result`", told(assistant(found))],
		["`server_tool_use` blocks can only be in `assistant`", told(user(searched))],
		["Tool reference 'read' not found", told(asksFor("find"), user(loads))],
		["the deferred tool `read` is not loaded", { ...told(asks, answers), tools: [deferred] }],
		["max_tokens: Field required", { messages: [hi] }],
		["messages: Field required", { max_tokens: 1 }],
		["at least one message is required", body()],
		["messages.1.role: Input should be", told({ role: "tool", content: "x" })],
		['Unexpected role "system"', told({ role: "system", content: "x" })],
		["messages.2: a `system` message must follow a `user` message", onOpus(yes, note, hi)],
		["messages.1: a `system` message must precede", onOpus(note, note)],
		["messages.1: a `system` message must precede", onOpus(note, hi)],
		["must have non-empty content", onOpus(system())],
		["must follow a `user` message", onOpus(asks, note, answers)],
		['first message must use the "user" role', body(assistant(text("x")), hi)],
		["must have non-empty content", body(user(), assistant(text("x")))],
		["must have non-empty content", told(assistant(), hi)],
		["`tool_use` blocks can only be in `assistant` messages", body(user(use("a")))],
		["`tool_result` blocks can only be in `user` messages", told(assistant(result("a")))],
		["Input tag 'input_text'", body(user({ type: "input_text", text: "x" }))],
		["messages: text content blocks must be non-empty", body(user(text("")))],
		["text content blocks must contain non-whitespace text", body({ role: "user", content: " \n" })],
		["text content blocks must be non-empty", told(asks, user({ ...result("a"), content: [text("")] }))],
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
		["should match pattern", told(assistant(use("a|b")), user(result("a|b")))],
		["`tool_use` ids must be unique", told(asks, answers, asks, answers)],
		["unexpected `tool_use_id` found in `tool_result` blocks: a", body(answers)],
		["messages.4.content.0: unexpected `tool_use_id`", told(asks, answers, assistant(text("x")), answers)],
		["each tool_use must have a single result", told(asks, user(result("a"), result("a")))],
		["immediately after: b", told(asksTwo, answers)],
		["immediately after: a", told(asks)],
		["immediately after: a", told(asks, user(text("so:"), result("a")))],
		["content cannot be empty if `is_error` is true", told(asks, user({ ...result("a"), is_error: true }))],
		["cannot end with trailing whitespace", told(assistant(text("It is ")))],
		['"thinking.type.enabled" is not supported for this model', { ...thinks(), model: "claude-opus-4-7" }],
		[
			"blocks in the latest assistant message cannot be modified",
			told(assistant(...sealed.slice(1)), answers),
		],
		["greater than or equal to 1024", { ...body(hi), thinking: { ...enabled, budget_tokens: 1023 } }],
		["`max_tokens` must be greater", { ...body(hi), thinking: { ...enabled, budget_tokens: 4000 } }],
		[
			"messages.1.content.0: Invalid `signature` in `thinking` block",
			told(assistant({ ...thinking, signature: `A${thinking.signature.slice(1)}` }, text("x")), hi),
		],
		["Invalid `signature`", told(assistant({ type: "thinking", thinking: "hm" }, text("x")), hi)],
		["Invalid `data` in `redacted_thinking` block", told(assistant(hidden("x"), text("x")), hi)],
		["final block in an assistant message cannot be `thinking`", told(assistant(text("x"), thinking), hi)],
		[
			"messages.1.content.0.type: Expected `thinking` or `redacted_thinking`, but found `tool_use`",
			thinks(...bareLoop),
		],
		["but found `text`", thinks(assistant(text("x"), use("a")), answers)],
		[
			"messages.3.content.0.type: Expected `thinking`",
			thinks(assistant(thinking, use("a")), answers, ...bareLoop),
		],
		["but found `text`", thinks(assistant(text("x"), thinking, thoughtUse), user(result(thoughtUse.id)))],
	],
});
