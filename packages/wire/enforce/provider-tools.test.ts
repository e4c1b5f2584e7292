/** Tools that the provider runs itself, and tools that a search loads: what a pass takes of them keeps the rest of the request valid. */
import { expect, test } from "vitest";
import type { HostMessage } from "#pi/codec";
import { calls, inOrder, reply, result, says, thinks, user } from "../../pi/test-support/host-messages.ts";
import { sendSession } from "../test-support/sent-session.ts";
import { projectBody, smallProjector } from "../test-support/small-requests.ts";
import examples from "./provider-tools-examples.json" with { type: "json" };

/** A session that thinks, says and reads in each answer, with a question of the user's in between. */
function session(): readonly HostMessage[] {
	const exchanges = Array.from({ length: 90 }, (_, n) => [
		...(n % 20 === 19 ? [reply("So far."), user(`Question ${n}?`)] : []),
		reply([thinks(`thought ${n}`), says(`Step ${n}.`), calls(`c${n}`, "read", { path: `src/${n}.ts` })]),
		result(`c${n}`, `line ${n} `.repeat(60)),
	]);
	return inOrder(user("Fix the tests."), ...exchanges.flat());
}

test.each([
	["anthropic", "claude-fable-5-2"],
	["responses", "gpt-6.2-sol"],
] as const)(
	"%s: no request is refused when the provider searches the web and a search loads the tool",
	(api, model) => {
		for (const isUnsteady of [false, true]) {
			const { passes, ...sent } = sendSession(api, model, session(), 2_500, { searches: true, isUnsteady });
			expect(passes).toBeGreaterThan(3);
			expect(sent).toMatchObject({ refusals: [], prefixBreaks: 0 });
		}
	},
);

const use = (id: string, name = "read") => ({ type: "tool_use", id, name, input: {} });
const answer = (...content: object[]) => ({ role: "assistant", content });
const answered = (id: string, content: unknown = "x".repeat(3_000)) => ({
	role: "user",
	content: [{ type: "tool_result", tool_use_id: id, content }],
});
const ending = Array.from({ length: 6 }, (_, n) => [answer(use(`end_${n}`)), answered(`end_${n}`)]).flat();

/** The request that is sent of a session that is over the budget. */
function sentOf(...messages: object[]): string {
	const body = { model: "m", messages: [{ role: "user", content: "Go." }, ...messages, ...ending] };
	const { body: sent, pass } = projectBody(smallProjector(1_000), body);
	expect(pass).toBeDefined();
	return sent.toString();
}

test.each(examples.calls)("$what leaves together with its result, or not at all", ({ call, type }) => {
	const found = {
		type,
		tool_use_id: "s1",
		content: [{ type: "web_search_result", encrypted_content: "e".repeat(9_000) }],
	};
	const sent = sentOf(answer(call, found, use("a")), answered("a"));
	expect(sent.includes('"id":"s1"')).toBe(sent.includes('"tool_use_id":"s1"'));
	expect(sent).not.toContain('"tool_use_id":"a"');
});

test("a call of the provider's whose result comes in a later answer stays, and so does what its code called", () => {
	const code = { type: "server_tool_use", id: "s1", name: "code_execution", input: {} };
	const called = { ...use("a"), caller: { type: "code_execution_20260120", tool_id: "s1" } };
	const done = { type: "code_execution_tool_result", tool_use_id: "s1", content: {} };
	const sent = sentOf(answer(code, called), answered("a"), answer(done, use("b")), answered("b"));
	for (const id of ['"id":"s1"', '"id":"a"', '"tool_use_id":"a"', '"tool_use_id":"s1"'])
		expect(sent).toContain(id);
	expect(sent).not.toContain('"tool_use_id":"b"');
});

test("a search that loaded a tool stays with its result, and the calls next to it may leave", () => {
	const reference = [{ type: "tool_reference", tool_name: "query" }];
	const results = [...answered("search", reference).content, ...answered("a").content];
	const sent = sentOf(
		answer(use("search", "ToolSearch"), use("a")),
		{ role: "user", content: results },
		answer(use("b", "query")),
		answered("b"),
	);
	expect(sent).toContain('"tool_name":"query"');
	expect(sent).toContain('"id":"search"');
	expect(sent).not.toContain('"tool_use_id":"a"');
});

test("answers of the Messages API that follow each other after a pass become one, with their bytes", () => {
	const said = (n: number) => ({ type: "text", text: `Step ${n}: \\u00e9.` });
	const work = [1, 2, 3].flatMap((n) => [answer(said(n), use(`w${n}`)), answered(`w${n}`)]);
	const sent = JSON.parse(sentOf(...work));
	const roles = sent.messages.map(({ role }: { readonly role: string }) => role);
	expect(roles.filter((role: string, at: number) => role === "assistant" && roles[at - 1] === role)).toEqual(
		[],
	);
	const texts = JSON.stringify(sent.messages);
	for (const n of [1, 2, 3]) expect(texts).toContain(JSON.stringify(said(n)));
});

const reasoning = (n: number) => ({
	type: "reasoning",
	id: `rs_${n}`,
	summary: [],
	encrypted_content: `e${n}`,
});

test.each(examples.items)(
	"responses: an item $type keeps no id once its reasoning left",
	({ type, fields }) => {
		const items = Array.from({ length: 14 }, (_, n) => [
			reasoning(n),
			...(n === 3 ? [{ type, id: "item_3", ...fields }] : []),
			{ type: "function_call", id: `fc_${n}`, call_id: `call_${n}`, name: "read", arguments: "{}" },
			{ type: "function_call_output", call_id: `call_${n}`, output: "x".repeat(900) },
		]);
		const input = [{ role: "user", content: "Go." }, ...items.flat()];
		const { body, pass } = projectBody(smallProjector(2_000), { model: "gpt-5", input }, "/v1/responses");
		expect(pass).toBeDefined();
		const sent = body.toString();
		expect(sent.includes('"item_3"')).toBe(sent.includes('"rs_3"'));
	},
);
