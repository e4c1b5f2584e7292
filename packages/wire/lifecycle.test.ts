/** The wrapper without any SDK: what it sends, keeps and answers. */
import { readdirSync } from "node:fs";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readSession } from "#replay/readers";
import { echo } from "#testing";
import { type Loopback, startLoopback } from "#testing/server";
import { createScratch } from "../workspace/test-support/scratch.ts";
import type { PassEvent } from "./figures.ts";
import { loadHost } from "./host.ts";
import { type LifecycleOptions, withLifecycle } from "./lifecycle.ts";
import { sendSession } from "./test-support/sent-session.ts";
import { quarters, readingSession } from "./test-support/small-requests.ts";
import { createWireAgent } from "./test-support/wire-agent.ts";
import type { WireApi } from "./test-support/wire-answers.ts";

let loopback: Loopback;
let sent: string[];

beforeEach(async () => {
	sent = [];
	loopback = await startLoopback({ model: echo, keepBodies: true });
});

afterEach(() => loopback.close());

const BUDGET = 1_500;

/** A wrapper that counts a token for four characters and keeps the bodies that it sends. */
function wrap(options: LifecycleOptions = {}) {
	return withLifecycle({
		budget: BUDGET,
		countTokens: quarters.countTokens,
		date: "2026-11-28",
		fetch: (input, init) => {
			sent.push(String(init?.body));
			return fetch(input, init);
		},
		...options,
	});
}

const post = (send: typeof fetch, body: object, more: RequestInit = {}) =>
	send(`${loopback.url}/v1/messages`, { method: "POST", body: JSON.stringify(body), ...more });

const session = (exchanges: number, opening?: string) => readingSession(exchanges, 400, opening);

test("below the budget a request keeps its bytes, above it content leaves, and later requests begin alike", async () => {
	const passes: PassEvent[] = [];
	const send = wrap({ onPass: (event) => passes.push(event) });
	for (let n = 1; n <= 40; n += 1) {
		expect((await post(send, session(n))).status).toBe(200);
		if (passes.length === 0) expect(sent.at(-1)).toBe(JSON.stringify(session(n)));
	}
	expect(passes.length).toBeGreaterThan(1);
	expect(loopback.records().filter(({ extendsPrevious }) => !extendsPrevious).length).toBe(passes.length);
	const { verdict, status } = send.explain();
	expect(verdict).toContain(`40 requests with ${passes.length} eviction passes`);
	expect(status?.conversations).toMatchObject([{ requests: 40, passes: passes.length }]);
	expect(send.recall("src/part1.ts")).toContain("1 1 1 1");
});

test("a request that is sent again is the same, and a process that starts again with the folder sends what it sent before", async () => {
	const folder = createScratch();
	const send = wrap({ folder });
	for (let n = 1; n <= 30; n += 1) await post(send, session(n));
	const before = sent.at(-1);
	await post(send, session(30));
	expect(sent.at(-1)).toBe(before);
	expect(readdirSync(folder).length).toBe(1);
	await post(wrap({ folder }), session(30));
	expect(sent.at(-1)).toBe(before);
});

test.each<[WireApi, string]>([
	["anthropic", "claude-fable-5-2"],
	["responses", "gpt-6.2-sol"],
	["completions", "deepseek-v4"],
])("a recorded session in the form of %s is sent as the proxy's engine sends it", async (api, model) => {
	const { messages } = await readSession("docs/sample.jsonl");
	const pairs: (readonly [asked: Buffer, sent: Buffer])[] = [];
	const habits = { isUnsteady: true, searches: true, host: await loadHost(quarters.countTokens) };
	sendSession(api, model, messages, 20_000, { ...habits, onRequest: (...pair) => pairs.push(pair) });
	const answer = async (_: unknown, init?: RequestInit) => {
		sent.push(String(init?.body));
		return new Response("{}");
	};
	const send = wrap({ budget: 20_000, fetch: answer });
	const { path } = createWireAgent(api, model);
	for (const [body] of pairs) await send(`http://provider${path}`, { method: "POST", body });
	expect(sent.filter((body, index) => body !== String(pairs[index]?.[1]))).toEqual([]);
	expect(pairs.filter(([asked, changed]) => asked !== changed).length).toBeGreaterThan(10);
});

test("conversations at the same time do not meet", async () => {
	const bodiesOf = async (openings: readonly string[]) => {
		const send = wrap();
		sent = [];
		for (let n = 1; n <= 25; n += 1)
			await Promise.all(openings.map((opening) => post(send, session(n, opening))));
		expect(send.explain().status?.conversations.length).toBe(openings.length);
		return sent;
	};
	const openings = ["Fix the tests.", "Write the docs.", "Draw the logo."];
	const together = await bodiesOf(openings);
	for (const opening of openings)
		expect(together.filter((body) => body.includes(opening))).toEqual(await bodiesOf([opening]));
});

test("aborting works as without the wrapper", async () => {
	const aborted = new AbortController();
	aborted.abort();
	await expect(post(wrap(), session(2), { signal: aborted.signal })).rejects.toMatchObject({
		name: "AbortError",
	});
});

test("a request in any form is read: a Request, bytes, an address as a URL", async () => {
	const send = wrap();
	const body = JSON.stringify(session(20));
	const url = `${loopback.url}/v1/messages`;
	await send(new Request(url, { method: "POST", body }));
	await send(new URL(url), { method: "POST", body: new TextEncoder().encode(body) });
	const [first, second] = loopback.records();
	expect(first?.sentLength).toBeLessThan(body.length);
	expect(second?.body).toEqual(first?.body);
});

test("other requests pass as they are, and one that is not understood says so", async () => {
	const lines: string[] = [];
	const send = wrap({ onWarning: (line) => lines.push(line) });
	expect((await send(`${loopback.url}/v1/models`)).status).toBe(404);
	expect((await send(`${loopback.url}/v1/messages`, { method: "POST", body: "{" })).status).toBe(400);
	expect(lines).toEqual(["a request to /v1/messages passes unread: the body is no JSON object."]);
});

test("a message thread is refused as Anthropic refuses it", async () => {
	const answer = await post(wrap(), { ...session(2), thread: { type: "create" } });
	expect([answer.status, sent]).toEqual([400, []]);
	expect(await answer.json()).toMatchObject({
		error: { details: { error_code: "thread_unsupported_request" } },
	});
});

test("a budget that is none is named", () => {
	expect(() => withLifecycle({ budget: 0 })).toThrow(
		'budget is 0: use "auto" or a number of tokens above 0.',
	);
});

test("the tools have a name, a schema and a note as their answer", async () => {
	const tools = await wrap().tools();
	expect(tools.map(({ name }) => name)).toEqual(["cwl_delimiter", "cwl_recall"]);
	expect(tools[1]).toMatchObject({
		parameters: { type: "object", required: ["query"] },
		answer: expect.any(String),
	});
});
