import { expect, test } from "vitest";
import * as say from "../test-support/host-messages.ts";
import { adaptToApi, withoutOthersThinking } from "./adapt-to-api.ts";
import type { HostMessage } from "./host-message.ts";

const GOOGLE = "google-generative-ai";

const history = say.inOrder(
	say.user("go"),
	say.reply([say.says("I look"), say.calls("c1")]),
	say.result("c1", "x"),
	say.reply([say.says("and again"), say.calls("c2")]),
	say.result("c2", "y"),
);

/** The history after the first call and its result left. */
const [first, looks, , again, result] = history;
const cut = [first, looks && { ...looks, content: [say.says("I look")] }, again, result].filter(
	(message): message is HostMessage => message !== undefined,
);

function texts(messages: readonly HostMessage[]): readonly unknown[] {
	return messages.map((message) =>
		message.role === "assistant" ? message.content.map((block) => block.type) : message.role,
	);
}

test.each([GOOGLE, "bedrock-converse-stream", "mistral-conversations", "openai-completions"])(
	"behind %s words whose calls left become one turn with the calls after them",
	(api) => {
		expect(texts(adaptToApi(api, cut, history))).toEqual([
			"user",
			["text", "text", "toolCall"],
			"toolResult",
		]);
	},
);

test("chat completions, which have one text an answer, keep joined words apart", () => {
	const [, joined] = adaptToApi("openai-completions", cut, history);
	expect(joined?.role === "assistant" && joined.content.slice(0, 2)).toEqual([
		say.says("I look\n\n"),
		say.says("and again"),
	]);
});

test("a history from which nothing was evicted is sent unchanged", () => {
	const odd = say.inOrder(say.user("go"), say.reply("a"), say.reply(say.calls("c1")));
	expect(adaptToApi(GOOGLE, odd, odd)).toEqual(odd);
});

test("results stay right behind their calls when an answer that failed stood between", () => {
	const failed = { ...say.reply([]), stopReason: "error" as const };
	const sent = say.inOrder(
		say.user("go"),
		say.reply("a"),
		failed,
		say.reply(say.calls("c1")),
		say.result("c1", "x"),
	);
	const suited = adaptToApi(GOOGLE, sent, history);
	expect(texts(suited)).toEqual(["user", [], ["text", "toolCall"], "toolResult"]);
});

test("thinking that another model has signed is left out, and that of the model in use is sent", () => {
	const signed = { ...say.thinks("hm"), thinkingSignature: "c2lnbmVk" };
	const answer = say.reply([signed, say.says("so")]);
	const history = say.inOrder(say.user("go"), answer, { ...answer, model: "other" });
	const [, own, others] = withoutOthersThinking(history, "openai/test");
	expect(own).toBe(history[1]);
	expect(others).toMatchObject({ content: [say.says("so")] });
});

test("another model's thinking is joined as words, without its signature", () => {
	const other = { ...say.reply([say.thinks("hm"), say.redacted()]), model: "other" };
	const [, joined] = adaptToApi(
		GOOGLE,
		say.inOrder(say.user("go"), other, say.reply(say.calls("c1"))),
		history,
	);
	expect(joined?.role === "assistant" && joined.content).toEqual([say.says("hm"), say.calls("c1")]);
});
