/** Answers whose calls left: strict servers judge what is sent of them. */
import { expect, test } from "vitest";
import type { HostMessage } from "#pi/codec";
import { calls, inOrder, reply, result, says, user } from "../../pi/test-support/host-messages.ts";
import { sendSession } from "../test-support/sent-session.ts";
import { projectBody, smallProjector } from "../test-support/small-requests.ts";
import type { WireApi } from "../test-support/wire-answers.ts";

/** A session in which each answer says one of these texts in turn, and reads a file. */
function sayAndRead(texts: readonly string[]): readonly HostMessage[] {
	const exchanges = Array.from({ length: 40 }, (_, n) => [
		reply([says(texts[n % texts.length] ?? ""), calls(`c${n}`, "read", { path: `src/${n}.ts` })]),
		result(`c${n}`, `line ${n} `.repeat(60)),
	]);
	return inOrder(user("Fix the tests."), ...exchanges.flat());
}

const apis: readonly (readonly [WireApi, string])[] = [
	["anthropic", "claude-fable-5-2"],
	["responses", "gpt-6.2-sol"],
	["completions", "deepseek-v4"],
];

test.each(apis)("%s: no answer is left that says nothing, and none follows another one", (api, model) => {
	const { passes, ...sent } = sendSession(api, model, sayAndRead(["\n\n", "I read on.", " "]), 1_500);
	expect(passes).toBeGreaterThan(3);
	expect(sent).toMatchObject({ refusals: [], prefixBreaks: 0 });
});

interface Said {
	readonly role: string;
	readonly content: unknown;
}

/** Chat completions with answers of these contents, the last of them with a call that stays. */
function chat(contents: readonly unknown[]): object {
	const called = { name: "read", arguments: "{}" };
	const exchanges = contents.flatMap((content, n) => [
		{ role: "assistant", content, tool_calls: [{ id: `c${n}`, type: "function", function: called }] },
		{ role: "tool", tool_call_id: `c${n}`, content: "x".repeat(n < contents.length - 1 ? 2_000 : 100) },
	]);
	return { model: "m", messages: [{ role: "user", content: "Go." }, ...exchanges] };
}

test.each<[string, readonly unknown[], unknown]>([
	["texts", ["One.", "Two.", "Three."], "One.\n\nTwo.\n\nThree."],
	["texts and parts", ["One.", [{ type: "text", text: "Two." }], "Three."], ["One.", "Two.", "Three."]],
	["an answer without a text", ["One.", null, null], "One."],
])(
	"chat completions: answers in a row become one, in the forms that they have: %s",
	(_, contents, expected) => {
		const { body, pass } = projectBody(smallProjector(500), chat(contents), "/v1/chat/completions");
		expect(pass).toBeDefined();
		const messages: readonly Said[] = JSON.parse(body.toString()).messages;
		// The line that says so stands in the user message: strict servers want roles in turn.
		expect(messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool"]);
		expect(textsOf(messages[1])).toEqual(expected);
		expect(textsOf(messages[0])).toEqual([
			"Go.",
			expect.stringMatching(/^\[expl "[\w-]+", evicted in part\]$/),
		]);
	},
);

test.each([
	["behind it", { role: "user", content: "Go." }, [{ type: "text", text: "And?" }]],
	["in front of it", { role: "assistant", content: "Hello." }, "And?"],
])("chat completions: a line joins the user message %s, whose text stays as it is", (_, first, asked) => {
	const { messages } = chat(["a", "b", "c"]) as { readonly messages: readonly object[] };
	const [, ...work] = messages;
	const left = work.slice(0, 4);
	const stays = work.slice(4);
	const end = [{ role: "user", content: asked }, ...stays];
	const session = { model: "m", messages: [first, ...left, ...end] };
	const { body, pass } = projectBody(smallProjector(500), session, "/v1/chat/completions");
	expect(pass).toBeDefined();
	const sent: readonly Said[] = JSON.parse(body.toString()).messages;
	const roles = sent.map(({ role }) => role);
	expect(roles.filter((role, at) => role !== "tool" && role === roles[at - 1])).toEqual([]);
	expect(JSON.stringify(sent)).toContain("evicted");
	expect(sent.flatMap((message) => textsOf(message))).toEqual(expect.arrayContaining(["And?"]));
});

function textsOf(message: Said | undefined): unknown {
	const content = message?.content;
	return Array.isArray(content) ? content.map(({ text }) => text) : content;
}

test("answers that an agent sent in a row stay as they are", () => {
	const { messages } = chat(["a", "b", "c"]) as { readonly messages: readonly object[] };
	const end = [
		{ role: "assistant", content: "One." },
		{ role: "assistant", content: "Two." },
		{ role: "user", content: "And?" },
	];
	const session = { model: "m", messages: [...messages, ...end] };
	const { body, pass } = projectBody(smallProjector(500), session, "/v1/chat/completions");
	expect(pass).toBeDefined();
	expect(JSON.parse(body.toString()).messages.slice(-3)).toEqual(end);
});
