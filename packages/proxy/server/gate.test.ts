import { type IncomingMessage, request } from "node:http";
import { connect } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { bytesOf, sendRaw, startEcho, startProxyTo, startRelay } from "../test-support/upstream.ts";

const MESSAGES = "/anthropic/v1/messages";

describe("a request from a browser", () => {
	test.each([
		["another page", ["Origin", "https://evil.example"]],
		["a file or sandboxed frame", ["Origin", "null"]],
		["another local server", ["Origin", "http://127.0.0.1:1"]],
		["an image or form of another page", ["Sec-Fetch-Site", "cross-site"]],
		["a page that rebinds its name", ["Host", "evil.example"]],
	])("that %s makes is refused and never reaches the provider", async (_, headers) => {
		const { seen, proxy } = await startRelay();
		const answer = await sendRaw(proxy + MESSAGES, { headers, body: "{}" });
		expect(answer.statusCode).toBe(403);
		expect(answer.headers["access-control-allow-origin"]).toBeUndefined();
		expect((await bytesOf(answer)).toString()).toMatch(/cwl proxy: refused: /);
		expect(seen).toEqual([]);
	});

	test("asking for permission in advance gets none", async () => {
		const { seen, proxy } = await startRelay();
		const headers = ["Origin", "https://evil.example", "Access-Control-Request-Method", "POST"];
		expect((await sendRaw(proxy + MESSAGES, { method: "OPTIONS", headers })).statusCode).toBe(403);
		expect(seen).toEqual([]);
	});
});

test("an address that names no provider is answered with those that do", async () => {
	const { proxy } = await startRelay();
	const answer = await sendRaw(`${proxy}/v1/messages`, { body: "{}" });
	expect(answer.statusCode).toBe(404);
	expect((await bytesOf(answer)).toString()).toContain(`${proxy}/anthropic, ${proxy}/openai`);
});

test("only this machine's own address is listened on", async () => {
	const { port } = await startRelay();
	const code = await new Promise((resolve) => {
		const socket = connect(port, "127.0.0.2");
		socket.on("error", ({ message }) => resolve(message));
		socket.on("connect", () => resolve("connected"));
	});
	expect(code).toMatch(/ECONNREFUSED/);
});

/** Sends a text, and returns the answer once it ends as it should. */
function readUntil(port: number, sent: string, end: RegExp): Promise<string> {
	return new Promise((resolve) => {
		const socket = connect(port, "127.0.0.1");
		let all = "";
		socket.on("data", (data) => {
			all += data;
			if (end.test(all)) resolve(all);
		});
		socket.on("close", () => resolve(all)).on("error", () => {});
		socket.write(sent);
		onTestFinished(() => void socket.destroy());
	});
}

describe("a WebSocket", () => {
	const handshake = "GET /openai/v1/responses HTTP/1.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n";

	test("is joined to the provider, both ways", async () => {
		const { port } = await startProxyTo(await startEcho());
		const socket = connect(port, "127.0.0.1");
		const text = await new Promise<string>((resolve) => {
			let all = "";
			socket.on("data", (data) => {
				all += data;
				if (all.endsWith("\r\n\r\n")) socket.write("ping");
				if (all.endsWith("ping")) resolve(all);
			});
			socket.write(`${handshake}Host: 127.0.0.1:${port}\r\n\r\n`);
		});
		socket.destroy();
		expect(text).toMatch(/^HTTP\/1\.1 101 Switching Protocols\r\n[\s\S]*ping$/);
	});

	test("loses no byte that follows its handshake at once", async () => {
		const { port } = await startProxyTo(await startEcho());
		const text = await readUntil(port, `${handshake}Host: 127.0.0.1:${port}\r\n\r\nearly`, /early$/);
		expect(text).toMatch(/^HTTP\/1\.1 101 /);
	});

	test("that the provider refuses has the provider's answer, framed as its headers say", async () => {
		const { port } = await startRelay((response) => {
			response.writeHead(429, { "content-type": "application/json", "retry-after": "3" });
			response.write('{"error":');
			response.end('"limit"}');
		});
		const answer = await new Promise<IncomingMessage>((resolve) => {
			const headers = { connection: "Upgrade", upgrade: "websocket" };
			request({ port, path: "/openai/v1/responses", headers, agent: false }, resolve).end();
		});
		expect([answer.statusCode, answer.headers["retry-after"]]).toEqual([429, "3"]);
		expect((await bytesOf(answer)).toString()).toBe('{"error":"limit"}');
	});

	test("to a provider that cannot be reached is answered", async () => {
		const { port } = await startProxyTo("http://127.0.0.1:1");
		const text = await readUntil(port, `${handshake}Host: 127.0.0.1:${port}\r\n\r\n`, /reached/);
		expect(text).toMatch(/^HTTP\/1\.1 502 /);
	});

	test("of another page is refused", async () => {
		const { port } = await startRelay();
		const text = await new Promise<string>((resolve) => {
			const socket = connect(port, "127.0.0.1");
			socket.on("data", (data) => resolve(data.toString()));
			socket.write(`${handshake}Host: 127.0.0.1:${port}\r\nOrigin: https://evil.example\r\n\r\n`);
		});
		expect(text).toMatch(/^HTTP\/1\.1 403 /);
	});

	test("of another page that is cut off before its refusal arrives ends nothing", async () => {
		const { proxy, port } = await startRelay();
		const cutOff = () =>
			new Promise<void>((resolve) => {
				const socket = connect(port, "127.0.0.1");
				socket.on("close", () => resolve()).on("error", () => {});
				socket.write(`${handshake}Host: 127.0.0.1:${port}\r\nOrigin: https://evil.example\r\n\r\n`, () =>
					socket.resetAndDestroy(),
				);
			});
		await Promise.all(Array.from({ length: 200 }, cutOff));
		expect((await sendRaw(proxy + MESSAGES, { body: "{}" })).statusCode).toBe(200);
	});
});
