/** The proxy's HTTP server, on 127.0.0.1 only. */

import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { UnknownRecord } from "#basics";
import { type Engine, findEndpoint } from "#wire";
import { decodeBody, readBody, watchUsage } from "./bodies.ts";
import { findForeign } from "./foreign.ts";
import { answerError, answerJson, type Exchange, forward } from "./forward.ts";
import {
	createUpstreamClient,
	defaultUpstreams,
	findRoute,
	type UpstreamClient,
	type Upstreams,
} from "./upstream.ts";

/** Pages of the proxy's own, by their path. */
export type Pages = Readonly<Record<string, () => { readonly type: string; readonly text: string }>>;

export interface ProxyOptions {
	/** 0 for a free one. */
	readonly port: number;
	/** Those of Anthropic and OpenAI if absent. */
	readonly upstreams?: Upstreams | undefined;
	/** Reads requests: `observe` after their answers, so that it costs no time; `enforce` before they are sent. */
	readonly reader?: Pick<Engine, "mode" | "read">;
	readonly pages?: Pages;
	/** Takes one line for the user about a request that failed on our side. */
	readonly warn?: (line: string) => void;
}

export interface RunningProxy {
	readonly port: number;
	/** Such as `http://127.0.0.1:4141`. */
	readonly url: string;
	/** Stops listening and cuts all connections. */
	close(): Promise<void>;
}

/** Agents keep connections open between requests; one that the proxy closes would lose the next request. */
const KEEP_ALIVE_MS = 15 * 60_000;
/** A sender that writes the head of a request byte by byte holds a connection no longer than this. */
const HEADERS_MS = 60_000;

/** Starts to listen. @throws Error of `listen`, such as `EADDRINUSE` */
export async function startProxy(options: ProxyOptions): Promise<RunningProxy> {
	const client = createUpstreamClient();
	const server = createServer({
		keepAliveTimeout: KEEP_ALIVE_MS,
		headersTimeout: HEADERS_MS,
		requestTimeout: 0,
		noDelay: true,
	});
	server.listen(options.port, "127.0.0.1");
	await once(server, "listening");
	server.on("error", ({ message }) => options.warn?.(`a connection cannot be taken (${message})`));
	const address = server.address();
	const port = typeof address === "object" && address ? address.port : options.port;
	const context: Context = { ...options, client, port, upstreams: options.upstreams ?? defaultUpstreams };
	server.on("request", (_, response) => void serve(context, response));
	const close = async () => {
		client.close();
		server.closeAllConnections();
		await new Promise((resolve) => server.close(resolve));
	};
	return { port, url: `http://127.0.0.1:${port}`, close };
}

interface Context extends ProxyOptions {
	readonly client: UpstreamClient;
	readonly upstreams: Upstreams;
}

async function serve(context: Context, response: ServerResponse) {
	const { port, pages = {}, upstreams, warn = () => {} } = context;
	const request = response.req;
	const { headers, method, url = "/" } = request;
	const foreign = findForeign(headers, port);
	if (foreign !== undefined) return answerError(response, 403, `cwl proxy: refused: ${foreign}`);
	const page = Object.hasOwn(pages, url) ? pages[url]?.() : undefined;
	if (page) {
		response.writeHead(200, { "content-type": page.type, "cache-control": "no-store" });
		response.end(page.text);
		return;
	}
	const route = findRoute(url, upstreams);
	if (!route) return answerError(response, 404, unknownAddress(upstreams, port, url));
	// Agents then use HTTP. Nothing in a WebSocket could be read or kept below the budget.
	if (method === "GET" && /\bwebsocket\b/i.test(headers.upgrade ?? ""))
		return answerError(response, 426, "cwl proxy: WebSockets are refused: use HTTP.");
	await exchange(context, { request, response, route, warn });
}

function unknownAddress(upstreams: Upstreams, port: number, url: string): string {
	const bases = [...upstreams.keys()].map((name) => `http://127.0.0.1:${port}/${name}`);
	return `cwl proxy: ${JSON.stringify(url)} names no provider. Use one of these as the agent's base URL: ${bases.join(", ")}.`;
}

async function exchange({ reader, client }: Context, exchange: Exchange) {
	const { request, response, route } = exchange;
	const path = route.path.split("?")[0] ?? "";
	const endpoint = findEndpoint(path);
	if (!reader || !endpoint || request.method !== "POST")
		return await forward(client, exchange, { type: "stream" });
	const body = await readBody(request).catch(() => undefined);
	if (!body) return;
	const encoding = request.headers["content-encoding"];
	const read = async () => {
		const bytes = body.type === "whole" ? await decodeBody(body.bytes, encoding) : undefined;
		return await reader.read(endpoint, path, bytes);
	};
	if (reader.mode === "observe") {
		let reported: UnknownRecord | undefined;
		const watch = (usage: UnknownRecord) => {
			reported = usage;
		};
		if (!(await forward(client, exchange, body, (answer) => watchUsage(answer, watch)))) return;
		const { onUsage } = await read();
		if (reported) onUsage?.(reported);
		return;
	}
	const { body: edited, onUsage, refusal } = await read();
	if (response.destroyed) return;
	if (refusal) return answerJson(response, refusal.status, refusal.body);
	const sent = edited ? ({ type: "edited", bytes: edited } as const) : body;
	await forward(client, exchange, sent, onUsage && ((answer) => watchUsage(answer, onUsage)));
}
