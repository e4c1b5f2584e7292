import { gunzipSync, gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { bytesOf, sendRaw, startProxyTo, startRelay, startUpstream } from "../test-support/upstream.ts";

/** Oddly spaced, with a number that no parser gives back, an escape that few writers use, and unknown fields. */
const ODD_JSON =
	'{ "model":"m" ,"max_tokens": 1e2,\n"x":12345678901234567890, "messages":[{"role":"user","content":"\\u00e9 \\/ é"}],"new":{"a":[ ]} }';

describe("a request", () => {
	test("reaches the provider byte for byte, at the provider's own path", async () => {
		const { seen, proxy } = await startRelay();
		await sendRaw(`${proxy}/anthropic/v1/messages?beta=true&x=%2F`, { body: ODD_JSON });
		expect(seen).toMatchObject([{ method: "POST", url: "/v1/messages?beta=true&x=%2F" }]);
		expect(seen[0]?.body.toString()).toBe(ODD_JSON);
	});

	test("keeps its headers: spelling, order, repetitions and credentials; only the host is the provider's", async () => {
		const { url, seen, proxy } = await startRelay();
		const body = gzipSync(ODD_JSON);
		const headers = [
			...["X-Api-Key", "sk-ant-secret", "anthropic-BETA", "one", "anthropic-BETA", "two"],
			...["X-Stainless-Lang", "js", "Content-Encoding", "gzip", "Content-Length", String(body.length)],
		];
		await sendRaw(`${proxy}/anthropic/v1/messages`, { headers, body });
		const { rawHeaders = [], body: sent } = seen[0] ?? {};
		expect(rawHeaders.slice(0, 14)).toEqual(["Host", new URL(url).host, ...headers]);
		expect(sent).toEqual(body);
	});

	test("does not carry headers of the agent's connection to the provider's", async () => {
		const { seen, proxy } = await startRelay();
		const headers = ["Connection", "close, X-Hop", "X-Hop", "1", "X-End", "2"];
		await sendRaw(`${proxy}/openai/v1/models`, { method: "GET", headers });
		expect(seen[0]?.rawHeaders).not.toContain("X-Hop");
		expect(seen[0]?.rawHeaders).toContain("X-End");
	});

	test.each(["h2c", "TLS/1.0", "websocket"])(
		"that offers %s is plain HTTP with its whole body",
		async (protocol) => {
			const { seen, proxy } = await startRelay();
			const body = "x".repeat(1_000_000);
			const offer = [
				"Connection",
				"Upgrade, HTTP2-Settings",
				"Upgrade",
				protocol,
				"HTTP2-Settings",
				"AAMAAABk",
			];
			for (const sent of [body, "{}"]) {
				const headers = [...offer, "Content-Length", String(sent.length)];
				const answer = await sendRaw(`${proxy}/anthropic/v1/messages`, { headers, body: sent });
				expect((await bytesOf(answer)).toString()).toBe("{}");
			}
			expect(seen.map((one) => one.body.toString())).toEqual([body, "{}"]);
			expect(seen[0]?.rawHeaders.join()).not.toMatch(/upgrade|http2/i);
		},
	);

	test("that waits for permission to send its body gets it", async () => {
		const { seen, proxy } = await startRelay();
		await sendRaw(`${proxy}/anthropic/v1/messages`, { headers: ["Expect", "100-continue"], body: "{}" });
		expect(seen[0]?.body.toString()).toBe("{}");
	});
});

describe("an answer", () => {
	test("comes back byte for byte, with its status, reason and headers", async () => {
		const headers = ["Request-Id", "r1", "Set-Cookie", "a", "Set-Cookie", "b", "Date", "then"];
		const { proxy } = await startRelay((response) => {
			response.writeHead(299, "Odd", headers);
			response.end(gzipSync(ODD_JSON));
		});
		const answer = await sendRaw(`${proxy}/anthropic/v1/messages`, { body: "{}" });
		expect([answer.statusCode, answer.statusMessage]).toEqual([299, "Odd"]);
		expect(answer.rawHeaders.slice(0, headers.length)).toEqual(headers);
		expect(gunzipSync(await bytesOf(answer)).toString()).toBe(ODD_JSON);
	});

	test("is never held back: headers and events arrive as they are written", async () => {
		const events: (() => void)[] = [];
		const url = await startUpstream((_, response) => {
			response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
			events.push(
				() => response.write("data: one\n\n"),
				() => response.end("data: two\n\n"),
			);
		});
		const { url: proxy } = await startProxyTo(url);
		// The provider has written nothing but headers yet.
		const answer = await sendRaw(`${proxy}/openai/v1/responses`, { body: "{}" });
		const read = async () => String((await answer[Symbol.asyncIterator]().next()).value);
		events[0]?.();
		const chunk = new Promise((resolve) => answer.once("data", (data) => resolve(String(data))));
		expect(await chunk).toBe("data: one\n\n");
		answer.pause();
		events[1]?.();
		expect(await read()).toBe("data: two\n\n");
	});
});
