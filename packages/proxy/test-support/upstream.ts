/** A provider that answers by hand, and a proxy in front of it; both end with the test. */
import {
	createServer,
	type IncomingMessage,
	type RequestListener,
	request,
	type ServerResponse,
} from "node:http";
import { createServer as createSocketServer, type Server, type Socket } from "node:net";
import { onTestFinished } from "vitest";
import { type ProxyOptions, type RunningProxy, startProxy } from "../server/proxy.ts";

/** Starts an HTTP server on a free port and returns its address. */
export async function startUpstream(listener: RequestListener): Promise<string> {
	return await listenWith(createServer(listener));
}

/** Starts a server whose connections are answered by hand. */
export async function startSockets(answer: (socket: Socket) => void): Promise<string> {
	return await listenWith(createSocketServer((socket) => answer(socket.on("error", () => {}))));
}

async function listenWith(server: Server): Promise<string> {
	const sockets: Socket[] = [];
	server.on("connection", (socket: Socket) => sockets.push(socket));
	await new Promise<void>((resolve) => {
		server.listen(0, "127.0.0.1", resolve);
	});
	onTestFinished(() => {
		server.close();
		for (const socket of sockets) socket.destroy();
	});
	const address = server.address();
	return `http://127.0.0.1:${typeof address === "object" ? address?.port : address}`;
}

/** Starts a proxy whose providers `anthropic` and `openai` both are the server at this address. */
export async function startProxyTo(
	upstream: string,
	options: Partial<ProxyOptions> = {},
): Promise<RunningProxy> {
	const upstreams = new Map([
		["anthropic", new URL(upstream)],
		["openai", new URL(`${upstream}/`)],
	]);
	const proxy = await startProxy({ port: 0, upstreams, ...options });
	onTestFinished(() => proxy.close());
	return proxy;
}

/** Starts a proxy in front of a server that records what it gets. */
export async function startRelay(answer?: Parameters<typeof startRecorder>[0]) {
	const { url, seen } = await startRecorder(answer);
	const { url: proxy, port } = await startProxyTo(url);
	return { url, seen, proxy, port };
}

export async function bytesOf(stream: IncomingMessage): Promise<Buffer> {
	const chunks: Buffer[] = [];
	for await (const chunk of stream) chunks.push(Buffer.from(chunk));
	return Buffer.concat(chunks);
}

export interface RawRequest {
	readonly method?: string;
	/** Names and values in turn. */
	readonly headers?: readonly string[];
	readonly body?: Buffer | string;
	/** Path and query as they are written; those of the address if absent. */
	readonly target?: string;
}

/** Sends a request without touching its headers or body. Resolves when the headers of the answer are there. */
export function sendRaw(
	url: string,
	{ method = "POST", headers = [], body, target }: RawRequest,
): Promise<IncomingMessage> {
	const { host, hostname, port, pathname, search } = new URL(url);
	const hasHost = headers.some((name, at) => at % 2 === 0 && name.toLowerCase() === "host");
	return new Promise((resolve, reject) => {
		const sent = request({
			method,
			hostname,
			port,
			path: target ?? pathname + search,
			agent: false,
			headers: [...(hasHost ? [] : ["Host", host]), ...headers],
		});
		sent.on("response", resolve).on("error", reject);
		sent.end(body);
	});
}

/** A request as a provider received it. */
export interface Seen {
	readonly method: string | undefined;
	readonly url: string | undefined;
	readonly rawHeaders: readonly string[];
	readonly body: Buffer;
}

/** Starts a server that keeps every request and gives each the same answer. */
export async function startRecorder(
	answer: (response: ServerResponse, seen: Seen) => void = (response) => response.end("{}"),
): Promise<{ readonly url: string; readonly seen: readonly Seen[] }> {
	const seen: Seen[] = [];
	const url = await startUpstream(async (incoming, response) => {
		const { method, url: target, rawHeaders } = incoming;
		const one = { method, url: target, rawHeaders, body: await bytesOf(incoming) };
		seen.push(one);
		answer(response, one);
	});
	return { url, seen };
}
