import { readdirSync, readFileSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { expect, onTestFinished, test, vi } from "vitest";
import { recordsOf } from "#basics";
import { type Loopback, startLoopback } from "#testing/server";
import { readingSession } from "../wire/test-support/small-requests.ts";
import { entries, startManaged, startRecorded } from "./test-support/managed.ts";

const KEY = "sk-ant-api03-secret";

/** A provider whose model thinks and reads a file with every answer. */
async function startThinker(): Promise<Loopback> {
	let files = 0;
	const loopback = await startLoopback({
		keepBodies: true,
		model: () => {
			files += 1;
			return {
				thinking: `I need file ${files}.`,
				calls: [{ name: "read", arguments: { path: `src/${files}.ts` } }],
			};
		},
	});
	onTestFinished(loopback.close);
	return loopback;
}

/** Works like an agent: it keeps all answers and sends them back with their results. */
async function converse(url: string, model: string, exchanges: number, meddle: Meddle = (_, body) => body) {
	const messages: object[] = [{ role: "user", content: "Fix the tests." }];
	for (let n = 1; n <= exchanges; n += 1) {
		const body = meddle(n, { model, max_tokens: 9_000, thinking: { type: "adaptive" }, messages });
		const headers = { "x-api-key": KEY };
		const answer = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
		const { content, error } = await answer.json().then((value) => Object(value));
		if (error) throw new Error(`request ${n} was refused: ${JSON.stringify(error)}`);
		const results = recordsOf(content).flatMap(({ type, id }) =>
			type === "tool_use" ? [{ type: "tool_result", tool_use_id: id, content: `line ${n} `.repeat(50) }] : [],
		);
		messages.push({ role: "assistant", content }, { role: "user", content: results });
	}
}

test.each(entries)(
	"a model that refuses thinking with a changed beginning refuses none of many evictions of the %s",
	async (entry) => {
		const provider = await startThinker();
		const { url, status, warnings } = await startManaged(provider.url, { entry });
		await converse(`${url}/p/v1/messages`, "claude-fable-5-2", 60);
		expect(status().passes).toBeGreaterThan(5);
		expect(provider.records().map(({ staleThinking }) => staleThinking)).toEqual(
			provider.records().map(() => 0),
		);
		const breaks = provider.records().filter(({ extendsPrevious }) => !extendsPrevious).length;
		expect(breaks).toBe(status().passes);
		expect(warnings).toEqual([]);
	},
);

/** Changes what an agent sent before its request `n`. */
type Meddle = (
	n: number,
	body: { readonly messages: readonly object[]; readonly [key: string]: unknown },
) => object;

test.each<[string, Meddle]>([
	[
		"a tool that connects late",
		(n, body) => ({ ...body, tools: [{ name: "a" }, ...(n > 4 ? [{ name: "b" }] : [])] }),
	],
	["another system prompt", (n, body) => ({ ...body, system: n > 4 ? "Later." : "Early." })],
	[
		"an early message in other words",
		(n, body) => ({
			...body,
			messages: body.messages.map((message, index) =>
				n > 4 && index === 2 ? { ...message, content: cutResults(Object(message).content) } : message,
			),
		}),
	],
	["a compaction that keeps the last answers", (n, body) => compact(body, n > 4 ? 5 : 0)],
	["one compaction after another", (n, body) => compact(body, n > 7 ? 9 : n > 4 ? 3 : 0)],
])(
	"%s costs the thinking behind it, no request is refused, and the wrapper sends what the proxy sends",
	async (_, meddle) => {
		const sent = entries.map(async (entry) => {
			const provider = await startThinker();
			const { url } = await startManaged(provider.url, { budget: 100_000, entry });
			await converse(`${url}/p/v1/messages`, "claude-fable-5-2", 10, meddle);
			const records = provider.records();
			expect(records.filter(({ refused, staleThinking }) => refused || staleThinking > 0)).toEqual([]);
			return records.map(({ body }) => JSON.stringify(body));
		});
		const [proxied, wrapped] = await Promise.all(sent);
		expect(wrapped?.length).toBe(10);
		expect(wrapped).toEqual(proxied);
	},
);

/** The body with a summary in place of the first so many messages. */
const compact: (body: Parameters<Meddle>[1], count: number) => object = (body, count) => {
	if (count === 0) return body;
	const summary = { role: "user", content: `Summary of ${count} messages.` };
	return { ...body, messages: [summary, ...body.messages.slice(count)] };
};

const cutResults = (content: unknown) =>
	recordsOf(content).map((block) => ({ ...block, content: "[cleared]" }));

test.each(entries)(
	"neither credentials nor what people and tools said is stored by the %s",
	async (entry) => {
		const provider = await startThinker();
		const { url, folder, status } = await startManaged(provider.url, { entry });
		await converse(`${url}/p/v1/messages`, "claude-fable-5-2", 20);
		const stored = readdirSync(folder).map((file) => readFileSync(join(folder, file), "utf8"));
		expect(stored.join("")).toContain("strips");
		for (const secret of [KEY, "Fix the tests.", "line 1 ", "I need file"]) {
			expect(stored.join("")).not.toContain(secret);
			expect(JSON.stringify(status())).not.toContain(secret);
		}
	},
);

test.each(entries)(
	"a store that is emptied under a running %s takes new passes, and the old ones hold",
	async (entry) => {
		const emptied = await startRecorded(undefined, { entry });
		const whole = await startRecorded(undefined, { entry });
		for (let exchanges = 10; exchanges < 40; exchanges += 1) {
			for (const { send } of [emptied, whole]) await send(readingSession(exchanges));
			expect(emptied.seen.at(-1)?.body).toEqual(whole.seen.at(-1)?.body);
			if (exchanges === 20)
				for (const file of readdirSync(emptied.folder)) truncateSync(join(emptied.folder, file), 9);
		}
		expect(emptied.warnings).toEqual([expect.stringContaining("has a damaged line")]);
	},
);

test.each<[string, (body: string) => Buffer]>([
	["gzip", gzipSync],
	["br", brotliCompressSync],
])("an edited body is sent without its compression and trailers: %s", async (encoding, compress) => {
	const { seen, send } = await startRecorded();
	const framing = ["Content-Encoding", encoding, "Transfer-Encoding", "chunked", "Trailer", "X-End"];
	await send(compress(JSON.stringify(readingSession(12))), { headers: [...framing, "X-Api-Key", KEY] });
	const { rawHeaders = [], body: sent = Buffer.alloc(0) } = seen[0] ?? {};
	expect(rawHeaders.map((text) => text.toLowerCase())).not.toContain("content-encoding");
	expect(rawHeaders).toContain(KEY);
	expect(rawHeaders[rawHeaders.indexOf("Content-Length") + 1]).toBe(String(sent.length));
	expect(recordsOf(JSON.parse(sent.toString()).messages).length).toBeLessThan(25);
});

test("a body that is no JSON passes as it is each time, with one line", async () => {
	const { seen, warnings, send } = await startRecorded();
	const body = Buffer.from([0x7b, 0xff, 0xfe]);
	for (let n = 0; n < 2; n += 1) await send(body);
	expect(seen.map((one) => one.body)).toEqual([body, body]);
	expect(warnings).toEqual(["a request to /v1/messages passes unread: the body is no JSON object."]);
});

test.each(entries)(
	"a request that the provider refuses for now is sent again with the same bytes: %s",
	async (entry) => {
		const statuses = [529, 429, 500, 200];
		const left = statuses.values();
		const { seen, send, status } = await startRecorded(
			(response) => response.writeHead(left.next().value ?? 200, { "retry-after": "0" }).end("{}"),
			{ entry },
		);
		for (const expected of statuses) expect((await send(readingSession(12))).statusCode).toBe(expected);
		expect(new Set(seen.map((one) => one.body.toString())).size).toBe(1);
		expect(seen[0]?.body.length).toBeLessThan(JSON.stringify(readingSession(12)).length);
		expect(status().passes).toBe(1);
	},
);

test.each(entries)(
	"an agent that stops reading a stream ends the request to the provider, and the next request is managed: %s",
	async (entry) => {
		const closed: boolean[] = [];
		const { url, seen, send, status } = await startRecorded(
			(response) => {
				response.on("close", () => closed.push(response.writableEnded));
				response.writeHead(200, { "content-type": "text/event-stream" });
				// The answer never ends.
				response.write("event: ping\ndata: {}\n\n");
			},
			{ entry },
		);
		const stop = new AbortController();
		const body = JSON.stringify(readingSession(12));
		const answer = await fetch(`${url}/p/v1/messages`, { method: "POST", body, signal: stop.signal });
		const reader = answer.body?.getReader();
		expect(new TextDecoder().decode((await reader?.read())?.value)).toContain("ping");
		stop.abort();
		await expect(reader?.read()).rejects.toMatchObject({ name: "AbortError" });
		await vi.waitUntil(() => closed.length === 1);
		expect(closed).toEqual([false]);
		(await send(readingSession(12))).destroy();
		expect(seen[1]?.body).toEqual(seen[0]?.body);
		expect(status().passes).toBe(1);
	},
);

const THREADS = { "anthropic-beta": "message-threads-2026-08-12" };

/** Posts a request of the Messages API with a thread; returns its status and the code of its error. */
async function postThread(url: string, thread: object) {
	const body = JSON.stringify({ ...readingSession(2), thread });
	const answer = await fetch(url, { method: "POST", headers: THREADS, body });
	const { error } = await answer.json().then((value) => Object(value));
	return [answer.status, error?.details?.error_code];
}

test.each([{ type: "create" }, { type: "continue", previous_message_id: "msg_1" }])(
	"a message thread is refused as the API refuses what it cannot thread, and the page says so: %o",
	async (thread) => {
		const { url, seen, status } = await startRecorded();
		expect(await postThread(`${url}/p/v1/messages`, thread)).toEqual([400, "thread_unsupported_request"]);
		expect([seen.length, status().threads]).toEqual([0, 1]);
		const page = await fetch(`${url}/health`).then((answer) => answer.text());
		expect(page).toContain("Message threads refused: 1.");
	},
);

test("a proxy that watches passes message threads on, reads the request that begins one, and says that it cannot read the others", async () => {
	const { url, seen, status } = await startRecorded(undefined, { mode: "observe" });
	await postThread(`${url}/p/v1/messages`, { type: "create" });
	await postThread(`${url}/p/v1/messages`, { type: "continue", previous_message_id: "msg_1" });
	await vi.waitUntil(() => status().requests === 2);
	expect(seen.length).toBe(2);
	expect(status().unread).toEqual({ "the provider holds its messages (message thread)": 1 });
});
