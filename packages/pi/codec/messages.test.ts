import { expect, test } from "vitest";
import { frame } from "../prompt/frames.ts";
import * as say from "../test-support/host-messages.ts";
import type { HostMessage } from "./host-message.ts";
import { messageKey, readMessage } from "./messages.ts";
import { IMAGE_TOKENS, ITEM_FRAMING } from "./tokens.ts";

function read(message: HostMessage) {
	return readMessage(message, 7, "key", say.countCharacters);
}

const base = { id: "key", message: 7 };

const LINE = 2 * ITEM_FRAMING;
const SUMMARY = 6 * ITEM_FRAMING;

test.each([
	["a user turn", say.user("hello"), "user", 5 + ITEM_FRAMING],
	["a user turn in blocks", say.user([say.words("hel"), say.words("lo")]), "user", 5 + ITEM_FRAMING],
	["one with an image", say.user([say.words("look"), say.image]), "user", 4 + IMAGE_TOKENS + ITEM_FRAMING],
	["an empty user turn", say.user([]), "user", ITEM_FRAMING],
	["a foreign custom message", say.custom("skill", "hello"), "user", 5 + ITEM_FRAMING],
	["a foreign one whose type is like ours", say.custom("cwl", [say.words("hi")]), "user", 2 + ITEM_FRAMING],
	["shell output, command included", say.bash("ls -la", "total 0"), "user", 14 + LINE],
	["our own message", say.custom("cwl.git", "clean"), "note", 5 + ITEM_FRAMING],
	["the summary of a branch", say.branchSummary("went astray"), "note", 11 + SUMMARY],
	["the summary of a compaction", say.compactionSummary("long ago"), "note", 8 + SUMMARY],
] as const)("%s is one item, a user's or a note of the host", (_name, message, type, tokens) => {
	const author = type === "user" ? "user" : "host";
	const isSummary = message.role.endsWith("Summary") && { isSummary: true };
	expect(read(message)).toEqual({ author, items: [{ ...base, type, tokens }], ...isSummary });
});

test("shell output kept from the model has no items and costs nothing", () => {
	expect(read(say.hiddenBash("env"))).toEqual({ author: "user", items: [] });
});

test("an answer that failed or that a person stopped has no items, since pi sends nothing of it", () => {
	for (const stopReason of ["error", "aborted"] as const) {
		const answer = { ...say.reply([say.says("I read"), say.calls("c1")]), stopReason };
		expect(read(answer)).toEqual({ author: "model", items: [] });
	}
});

test("a tool result carries its call, its failure, and its text and images", () => {
	const content = [say.words("abc"), say.image, say.words("de")];
	const tokens = 5 + IMAGE_TOKENS + ITEM_FRAMING;
	expect(read(say.result("c1", content))).toEqual({
		author: "tool",
		items: [{ ...base, type: "result", callId: "c1", isError: false, tokens, digest: expect.anything() }],
	});
	expect(read(say.result("c1", [], 0, true)).items).toMatchObject([{ isError: true, tokens: ITEM_FRAMING }]);
});

test("what the extension attaches to an output says nothing about what the call did", () => {
	const status = frame("123456", "git-status", "M work/package.json\nconst injectedName = 1;");
	const note = frame("123456", "context-note", "End `look-0` in src/other.ts.");
	const own = [say.words("src/a.ts: export const ownName = 1;"), say.image];
	const digestOf = (content: Parameters<typeof say.result>[1]) => {
		const [item] = read(say.result("c1", content)).items;
		return item?.type === "result" && typeof item.digest === "function" ? item.digest() : undefined;
	};
	expect(digestOf([...own, say.words(status), say.words(note)])).toEqual(digestOf(own));
	expect(digestOf(own)?.paths).toEqual(["src/a.ts"]);
	// A tool may print the like itself, and does so in its own block.
	expect(digestOf([say.words(status)])?.paths).toEqual(["work/package.json"]);
});

test("each block of a model message is an item of its own, in order", () => {
	const args = { path: "a.ts", deep: { list: [1, "zwei", null] } };
	const call = say.calls("c1|fc_1", "read", args);
	const message = say.reply([say.thinks("deep"), say.redacted(), say.says("hello", "msg_1"), call]);
	const size = "read".length + JSON.stringify(args).length;
	const signed = { type: "reasoning", sealedBy: "openai/test" };
	const digest = expect.anything();
	const called = { type: "call", callId: "c1|fc_1", tool: "read", arguments: args, digest };
	expect(read(message)).toEqual({
		author: "model",
		items: [
			{ ...signed, id: "key.0", message: 7, tokens: 4 + ITEM_FRAMING },
			{ ...signed, id: "key.1", message: 7, tokens: ITEM_FRAMING },
			{ id: "key.2", message: 7, type: "text", tokens: 5 + ITEM_FRAMING },
			{ id: "key.3", message: 7, ...called, tokens: size + ITEM_FRAMING },
		],
	});
	expect(read(say.reply([]))).toEqual({ author: "model", items: [] });
});

test("a block of a kind that later hosts add is an item too, so that places keep their numbers", () => {
	const message = say.parse(
		'{"role":"assistant","content":[{"type":"hologram","beam":"x"},{"type":"text","text":"hi"}]}',
	);
	const { items } = read(message);
	expect(items.map((item) => [item.id, item.type])).toEqual([
		["key.0", "text"],
		["key.1", "text"],
	]);
	expect(items[0]?.tokens).toBeGreaterThanOrEqual("hologram".length);
});

test("a message of a role that later hosts add has no items and is no person's", () => {
	expect(read(say.ofLaterHost())).toEqual({ author: "host", items: [] });
});

test("messages of one millisecond keep their keys when the first of them is cut away", () => {
	const results = [say.result("c1", []), say.result("c2", [])].map((made) => ({ ...made, timestamp: 7 }));
	expect(new Set(results.map(messageKey)).size).toBe(2);
	const answers = [say.reply(say.calls("c1")), say.reply(say.calls("c2"))];
	expect(new Set(answers.map((made) => messageKey({ ...made, timestamp: 7 }))).size).toBe(2);
});

test("a key does not depend on what another extension makes of a text, nor on the form of a custom message", () => {
	const keyOf = (text: string) => messageKey(say.result("c1", text));
	expect(keyOf("[cut]")).toBe(keyOf("a long output"));
	const call = say.calls("c1");
	expect(messageKey(say.reply([call]))).toBe(messageKey(say.reply([say.says("so"), call])));
	const status = [say.words("clean")];
	expect(messageKey(say.custom("cwl.git", "clean"))).toBe(messageKey(say.custom("cwl.git", status)));
});

test("what says nothing is blank, and thinking only where pi leaves it out", () => {
	const signed = { ...say.thinks(""), thinkingSignature: "c2ln" };
	const unsigned = { type: "thinking" as const, thinking: " " };
	const content = [say.says(" \n"), say.says("so"), signed, unsigned, say.redacted()];
	const items = read({ ...say.reply(content), api: "anthropic-messages" }).items;
	expect(items.map((item) => "isBlank" in item && item.isBlank)).toEqual([true, false, false, true, false]);
});

const signature = "s".repeat(4_000);
const encrypted = JSON.stringify({ type: "reasoning", encrypted_content: "e".repeat(4_400) });

test.each([
	["a signature without text", "anthropic-messages", { thinking: "", thinkingSignature: signature }, 1_200],
	[
		"a signature with a short text",
		"anthropic-messages",
		{ thinking: "so", thinkingSignature: signature },
		1_200,
	],
	[
		"redacted thinking, whatever pi shows for it",
		"bedrock-converse-stream",
		{ thinking: "[Reasoning redacted]", thinkingSignature: signature, redacted: true },
		1_200,
	],
	["encrypted reasoning", "openai-responses", { thinking: "", thinkingSignature: encrypted }, 500],
] as const)("%s is counted by the length of its seal", (_what, api, block, sealed) => {
	const [item] = read({ ...say.reply([{ type: "thinking", ...block }]), api }).items;
	expect(item).toEqual({
		...base,
		id: "key.0",
		type: "reasoning",
		tokens: sealed + ITEM_FRAMING,
		sealed,
		sealedBy: "openai/test",
	});
});

test.each([
	["a signature that is only a name", "openai-completions", "reasoning_content"],
	["Google's signature", "google-generative-ai", signature],
	["a signature shorter than what is thought", "anthropic-messages", "c2ln"],
])("%s does not count", (_what, api, thinkingSignature) => {
	const [item] = read({
		...say.reply([{ ...say.thinks("hmm, hmm"), thinkingSignature } as say.ModelBlock]),
		api,
	}).items;
	const named = { id: "key.0", sealedBy: "openai/test" };
	expect(item).toEqual({ ...base, ...named, type: "reasoning", tokens: 8 + ITEM_FRAMING });
});

test("an answer without an API, as recorded files hold them, is read", () => {
	const { api: _, ...recorded } = say.reply([
		{ ...say.thinks(""), thinkingSignature: signature } as say.ModelBlock,
	]);
	expect(read(recorded as HostMessage).items).toMatchObject([{ type: "reasoning", sealed: 1_200 }]);
});
