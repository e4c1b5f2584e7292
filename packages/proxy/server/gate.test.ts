import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { connect } from "node:net";
import { describe, expect, test } from "vitest";
import { bytesOf, sendRaw, startEcho, startProxyTo, startRelay, talk } from "../test-support/upstream.ts";

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
	const handshake = (port: number, ...headers: readonly string[]) =>
		[
			"GET /openai/v1/responses HTTP/1.1",
			...["Upgrade: websocket", "Connection: Upgrade", `Host: 127.0.0.1:${port}`, ...headers],
			"\r\n",
		].join("\r\n");
	const ofAnotherPage = (port: number) => handshake(port, "Origin: https://evil.example");

	test("is joined to the provider, both ways, and loses no byte that follows its handshake at once", async () => {
		const { port } = await startProxyTo(await startEcho());
		const text = await talk(port, [`${handshake(port)}early`, /early$/], ["late", /late$/]);
		expect(text).toMatch(/^HTTP\/1\.1 101 Switching Protocols\r\n[\s\S]*earlylate$/);
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
		expect(await talk(port, [handshake(port), /reached/])).toMatch(/^HTTP\/1\.1 502 /);
	});

	test("of another page is refused", async () => {
		const { port } = await startRelay();
		await talk(port, [ofAnotherPage(port), /^HTTP\/1\.1 403 /]);
	});

	test("of another page that is cut off before its refusal arrives ends nothing", async () => {
		const { proxy, port } = await startRelay();
		const cutOff = () =>
			new Promise<void>((resolve) => {
				const socket = connect(port, "127.0.0.1");
				socket.on("close", () => resolve()).on("error", () => {});
				socket.write(ofAnotherPage(port), () => socket.resetAndDestroy());
			});
		await Promise.all(Array.from({ length: 200 }, cutOff));
		expect((await sendRaw(proxy + MESSAGES, { body: "{}" })).statusCode).toBe(200);
	});
});
