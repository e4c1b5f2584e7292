import { once } from "node:events";
import { connect } from "node:net";
import { describe, expect, test } from "vitest";
import { bytesOf, sendRaw, startRelay } from "../test-support/upstream.ts";

const MESSAGES = "/anthropic/v1/messages";

test.each(["POST", "OPTIONS"])(
	"a request of a web page (%s) is refused and never reaches the provider",
	async (method) => {
		const { seen, proxy } = await startRelay();
		const headers = ["Origin", "https://evil.example", "Access-Control-Request-Method", "POST"];
		const answer = await sendRaw(proxy + MESSAGES, { method, headers });
		expect(answer.statusCode).toBe(403);
		expect(answer.headers["access-control-allow-origin"]).toBeUndefined();
		expect((await bytesOf(answer)).toString()).toMatch(/cwl proxy: refused: /);
		expect(seen).toEqual([]);
	},
);

test("an address that names no provider is answered with those that do", async () => {
	const { proxy } = await startRelay();
	const answer = await sendRaw(`${proxy}/v1/messages`, { body: "{}" });
	expect(answer.statusCode).toBe(404);
	expect((await bytesOf(answer)).toString()).toContain(`${proxy}/anthropic, ${proxy}/openai`);
});

test("only this machine's own address is listened on", async () => {
	const { port } = await startRelay();
	const [error] = await once(connect(port, "127.0.0.2"), "error");
	expect(String(error)).toMatch(/ECONNREFUSED/);
});

describe("a WebSocket", () => {
	const handshake = ["Connection", "Upgrade", "Upgrade", "websocket"];

	test.each([
		["is refused in a way that makes agents use HTTP", [], 426],
		["of another page is refused as its requests are", ["Origin", "https://evil.example"], 403],
	])("%s", async (_, headers, status) => {
		const { seen, proxy } = await startRelay();
		const request = { method: "GET", headers: [...handshake, ...headers] };
		const answer = await sendRaw(`${proxy}/openai/v1/responses`, request);
		expect(answer.statusCode).toBe(status);
		expect((await bytesOf(answer)).toString()).toMatch(/cwl proxy: .*refused/);
		expect(seen).toEqual([]);
	});

	test("that is cut off before its refusal arrives ends nothing", async () => {
		const { proxy, port } = await startRelay();
		const cutOff = () =>
			new Promise<void>((resolve) => {
				const socket = connect(port, "127.0.0.1");
				socket.on("close", () => resolve()).on("error", () => {});
				const lines = ["GET /openai/v1/responses HTTP/1.1", "Upgrade: websocket", "Connection: Upgrade"];
				socket.write(`${lines.join("\r\n")}\r\n\r\n`, () => socket.resetAndDestroy());
			});
		await Promise.all(Array.from({ length: 200 }, cutOff));
		expect((await sendRaw(proxy + MESSAGES, { body: "{}" })).statusCode).toBe(200);
	});
});
