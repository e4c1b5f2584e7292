/** A provider whose tokenizer counts more than ours: its own count keeps to the budget, in each form of an answer. */
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { readingSession } from "../wire/test-support/small-requests.ts";
import { entries, startManaged, startRecorded } from "./test-support/managed.ts";
import { bytesOf, type Seen, sendRaw } from "./test-support/upstream.ts";

const BUDGET = 4_000;

/** The provider counts a token for three characters, where the proxy counts one for four. */
const countOf = ({ body }: Seen) => Math.ceil(body.length / 3);

type Answer = (response: ServerResponse, tokens: number) => void;

const event = (data: object) => `event: e\ndata: ${JSON.stringify(data)}\n\n`;
const streamed = { "content-type": "text/event-stream; charset=utf-8" };
const messageStart = (tokens: number) => {
	const usage = { input_tokens: 10, cache_creation_input_tokens: 90, cache_read_input_tokens: tokens - 100 };
	return event({ type: "message_start", message: { role: "assistant", usage } });
};

const anObject: Answer = (response, tokens) =>
	void response.end(JSON.stringify({ usage: { input_tokens: tokens } }));

const forms: Readonly<Record<string, Answer>> = {
	"an object": anObject,
	"an object of unknown length": (response, tokens) => {
		response.write('{"usage":');
		response.end(`{"input_tokens":${tokens}}}`);
	},
	"sums over the steps of an answer, in which the provider asked another model": (response, tokens) => {
		const step = (type: string, input: number) => ({ type, input_tokens: input, cache_read_input_tokens: 0 });
		const iterations = [
			step("message", tokens),
			step("advisor_message", tokens),
			step("message", tokens + 60),
		];
		response.end(JSON.stringify({ usage: { input_tokens: 2 * tokens + 60, iterations } }));
	},
	"a stream of events": (response, tokens) => {
		response.writeHead(200, streamed);
		const text = messageStart(tokens);
		// The event arrives in two parts.
		response.write(text.slice(0, 50));
		setImmediate(() => response.end(text.slice(50) + event({ type: "message_stop" })));
	},
};

/** Sends a session that grows, and returns what the provider received. */
async function grow(answer: Answer, requests = 50, entry = entries[0]) {
	const options = { budget: BUDGET, ...(entry && { entry }) };
	const proxy = await startRecorded((response, one) => answer(response, countOf(one)), options);
	const send = async (exchanges: number) => {
		await bytesOf(await proxy.send(readingSession(exchanges), { headers: ["Accept-Encoding", "gzip"] }));
		return proxy.seen.at(-1)?.body;
	};
	for (let n = 1; n <= requests; n += 1) await send(n);
	return { ...proxy, send, counts: proxy.seen.map(countOf) };
}

test.each(Object.entries(forms))(
	"the budget is the provider's, as told by %s, and the wrapper sends what the proxy sends",
	async (_, answer) => {
		const { counts, seen, status, warnings } = await grow(answer);
		expect(counts.filter((count) => count > BUDGET)).toEqual([]);
		expect(Math.max(...counts)).toBeGreaterThan(0.9 * BUDGET);
		expect(seen[0]?.rawHeaders.slice(2, 4)).toEqual(["Accept-Encoding", "identity"]);
		expect(status().conversations[0]?.projected).toBeCloseTo(counts.at(-1) ?? 0, -2);
		expect(warnings).toEqual([]);
		const wrapped = await grow(answer, 50, "wrapper");
		expect(wrapped.seen.map(({ body }) => body)).toEqual(seen.map(({ body }) => body));
	},
);

test("text and sealed thinking have a factor each, so that a pass that takes text alone keeps the budget too", async () => {
	// A token of text for two characters, and of a signature for ten, where the proxy counts four and three.
	const sizeOf = (value: unknown, characters: number) => JSON.stringify(value ?? "").length / characters;
	const countSealed = ({ body }: Seen): number => {
		let signatures = 0;
		const { messages } = JSON.parse(body.toString(), (key, value: unknown) => {
			if (key !== "signature") return value;
			signatures += sizeOf(value, 10);
			return "";
		});
		return Math.ceil(signatures + sizeOf(messages, 2));
	};
	const budget = 30_000;
	const proxy = await startRecorded(
		(response, one) =>
			void response.end(JSON.stringify({ usage: { input_tokens: countSealed(one), output_tokens: 5 } })),
		{ budget },
	);
	for (let n = 1; n <= 60; n += 1) await bytesOf(await proxy.send(thinkingSession(n)));
	const counts = proxy.seen.map(countSealed);
	expect(proxy.seen.at(-1)?.body.length).toBeLessThan(JSON.stringify(thinkingSession(60)).length / 2);
	expect(counts.filter((count) => count > budget)).toEqual([]);
	expect(Math.max(...counts)).toBeGreaterThan(0.9 * budget);
	expect(proxy.status().conversations[0]?.projected).toBeCloseTo(counts.at(-1) ?? 0, -3);
});

/** A session of reads in which every third answer thinks for long, without a text. */
function thinkingSession(exchanges: number): object {
	const read = (n: number): readonly object[] => {
		const call = { type: "tool_use", id: `toolu_${n}`, name: "read", input: { path: `src/part${n}.ts` } };
		const thinking = { type: "thinking", thinking: "", signature: `${n}`.padEnd(9_000, "s") };
		return [
			{ role: "assistant", content: n % 3 === 0 ? [thinking, call] : [call] },
			{
				role: "user",
				content: [{ type: "tool_result", tool_use_id: call.id, content: `${n} `.repeat(800) }],
			},
		];
	};
	const reads = Array.from({ length: exchanges }, (_, n) => read(n + 1)).flat();
	return { model: "claude-fable-5-2", messages: [{ role: "user", content: "Fix the tests." }, ...reads] };
}

const silent: Readonly<Record<string, Answer>> = {
	"no usage": (response) => response.end("{}"),
	"a usage that cannot be true": (response) => response.end('{"usage":{"input_tokens":9000000}}'),
	"the usage of a request that the provider summarized first": (response, tokens) => {
		const iterations = [
			{ type: "compaction", input_tokens: 900 },
			{ type: "message", input_tokens: tokens },
		];
		response.end(JSON.stringify({ usage: { input_tokens: tokens, iterations } }));
	},
	"an error": (response, tokens) => {
		response.writeHead(529);
		response.end(JSON.stringify({ usage: { input_tokens: tokens } }));
	},
	"an answer that is compressed nevertheless": (response, tokens) => {
		response.writeHead(200, { ...streamed, "content-encoding": "gzip" });
		response.end(gzipSync(messageStart(tokens)));
	},
};

test.each(Object.entries(silent))("%s leaves the proxy with its own count", async (_, answer) => {
	const { counts } = await grow(answer);
	expect(Math.max(...counts)).toBeGreaterThan(1.1 * BUDGET);
	expect(Math.max(...counts)).toBeLessThan(2 * BUDGET);
});

test("an agent has no part of a stream before its usage is stored", async () => {
	const { send, folder } = await startRecorded(
		(response) => {
			response.writeHead(200, streamed);
			// The answer never ends.
			response.write(messageStart(5_000));
		},
		{ budget: BUDGET },
	);
	const answer = await send(readingSession(0, 0, "word ".repeat(2_500)));
	await once(answer, "data");
	expect(storedIn(folder)).toEqual([expect.stringMatching(/reported.{3}5000/)]);
	answer.destroy();
});

const storedIn = (folder: string) =>
	readdirSync(folder).map((file) => readFileSync(join(folder, file), "utf8"));

test("a request that is sent again is the same, before and after a new start of the proxy", async () => {
	const { send, seen, folder, provider, counts } = await grow(anObject, 43);
	const sent = seen.at(-1)?.body;
	expect(await send(43)).toEqual(sent);
	const again = await startManaged(provider, { budget: BUDGET, folder });
	for (const exchanges of [43, 44]) {
		const body = JSON.stringify(readingSession(exchanges));
		await bytesOf(await sendRaw(`${again.url}/p/v1/messages`, { body }));
		if (exchanges === 43) expect(seen.at(-1)?.body).toEqual(sent);
	}
	const restarted = seen.at(-1)?.body;
	expect(await send(44)).toEqual(restarted);
	expect(Math.max(...counts)).toBeLessThanOrEqual(BUDGET);
});
