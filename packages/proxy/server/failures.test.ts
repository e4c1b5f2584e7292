import { once } from "node:events";
import { connect } from "node:net";
import { describe, expect, test } from "vitest";
import * as upstream from "../test-support/upstream.ts";
import { startProxy } from "./proxy.ts";

const { bytesOf, sendRaw, startProxyTo, startRelay, startSockets, startUpstream } = upstream;
const MESSAGES = "/anthropic/v1/messages";

describe("a provider", () => {
	test("that breaks off in the middle of a stream leaves no complete answer", async () => {
		const url = await startUpstream((_, response) => {
			response.writeHead(200, { "content-type": "text/event-stream" });
			response.write("data: half\n\n", () => response.socket?.resetAndDestroy());
		});
		const { url: proxy } = await startProxyTo(url);
		const answer = await sendRaw(proxy + MESSAGES, { body: "{}" });
		await expect(bytesOf(answer)).rejects.toMatchObject({ code: "ECONNRESET" });
	});

	test("that resets before its answer resets the agent's connection", async () => {
		const url = await startUpstream((_, response) => response.socket?.resetAndDestroy());
		const { url: proxy } = await startProxyTo(url);
		await expect(sendRaw(proxy + MESSAGES, { body: "{}" })).rejects.toMatchObject({ code: "ECONNRESET" });
	});

	test("that cannot be reached is named in a 502", async () => {
		const warnings: string[] = [];
		const gone = await startProxyTo("http://127.0.0.1:1", { warn: (line) => warnings.push(line) });
		const answer = await sendRaw(gone.url + MESSAGES, { body: "{}" });
		expect(answer.statusCode).toBe(502);
		expect(JSON.parse((await bytesOf(answer)).toString())).toEqual({
			type: "error",
			error: {
				type: "proxy_error",
				message: "cwl proxy: http://127.0.0.1:1 cannot be reached (ECONNREFUSED).",
			},
		});
		expect(warnings).toEqual(["http://127.0.0.1:1 cannot be reached (ECONNREFUSED)"]);
	});

	test.each([
		[
			"switches to another protocol",
			"101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket",
			502,
		],
		["has a status outside of HTTP", "099 Odd\r\nContent-Length: 2", "ECONNRESET"],
		["has a reason that cannot be passed on", "200 O\u0001K\r\nContent-Length: 2", "ECONNRESET"],
		["announces trailers behind a length", "200 OK\r\nTrailer: X-End\r\nContent-Length: 2", 200],
	])("whose answer %s ends that request and nothing else", async (_, head, outcome) => {
		const url = await startSockets((socket) => {
			socket.once("data", () => socket.write(`HTTP/1.1 ${head}\r\n\r\n{}`));
		});
		const { url: proxy } = await startProxyTo(url);
		const ends = (answer: string) =>
			sendRaw(proxy + answer, { body: "{}" }).then(
				({ statusCode }) => statusCode,
				({ code }) => code,
			);
		expect(await ends(MESSAGES)).toBe(outcome);
		expect(await ends("/nobody")).toBe(404);
	});

	test("that hangs keeps the agent waiting, and learns when the agent gives up", async () => {
		const agent = new AbortController();
		let hasLearnt = false;
		const url = await startUpstream((incoming, response) => {
			incoming.resume();
			response.on("close", () => {
				hasLearnt = true;
			});
			agent.abort();
		});
		const { url: proxy } = await startProxyTo(url);
		const sent = { method: "POST", body: "{}", signal: agent.signal };
		await expect(fetch(proxy + MESSAGES, sent)).rejects.toThrow();
		await expect.poll(() => hasLearnt).toBe(true);
	});
});

test("a connection that the provider closed while it was idle loses no request", async () => {
	let connections = 0;
	let answered = 0;
	// Closes the second request's connection unread, as a server does whose idle time has just ended.
	const url = await startSockets((socket) => {
		connections += 1;
		let requests = 0;
		socket.on("data", () => {
			requests += 1;
			if (requests > 1) return socket.resetAndDestroy();
			answered += 1;
			return socket.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}");
		});
	});
	const reader = { mode: "observe", read: () => Promise.resolve({}) } as const;
	const { url: proxy } = await startProxyTo(url, { reader });
	for (const body of ["one", "two"]) {
		const answer = await sendRaw(proxy + MESSAGES, { body });
		expect((await bytesOf(answer)).toString()).toBe("{}");
	}
	expect([answered, connections]).toEqual([2, 2]);
});

test("a port in use is named", async () => {
	const { port } = await startRelay();
	await expect(startProxy({ port })).rejects.toMatchObject({ code: "EADDRINUSE", port });
});

test("what is no HTTP/1.1 is answered with an error, and the proxy goes on", async () => {
	const { proxy, port } = await startRelay();
	const socket = connect(port, "127.0.0.1");
	socket.write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
	expect(String(await once(socket, "data"))).toMatch(/^HTTP\/1\.1 400 /);
	expect((await sendRaw(proxy + MESSAGES, { body: "{}" })).statusCode).toBe(200);
});
