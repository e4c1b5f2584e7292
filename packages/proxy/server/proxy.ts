/** The proxy's HTTP server, on 127.0.0.1 only. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { UnknownRecord } from "#core";
import { type Endpoint, findEndpoint } from "../wire/formats.ts";
import { copyBody, decodeBody, readBody, watchUsage } from "./bodies.ts";
import { findForeign } from "./foreign.ts";
import { answerError, type Exchange, forward, type SentBody } from "./forward.ts";
import { onHandshake, tunnel } from "./upgrade.ts";
import {
	createUpstreamClient,
	defaultUpstreams,
	findRoute,
	type UpstreamClient,
	type Upstreams,
} from "./upstream.ts";

/** Reads the requests of endpoints that are known. */
export interface RequestReader {
	/** `observe` reads a request after its answer, so that it costs no time; `enforce` before it is sent. */
	readonly mode: "observe" | "enforce";
	/**
	 * Reads a request to an endpoint at a path of the provider, without the query. `body` has no compression; it is undefined if it
	 * cannot be decoded or is too large. Never rejects.
	 */
	read(endpoint: Endpoint, path: string, body: Buffer | undefined): Promise<ReadResult>;
}

export interface ReadResult {
	/** The body to send instead, which only `enforce` uses. */
	readonly body?: Buffer | undefined;
	/** Takes the usage that the answer reports, before the agent has all of that answer. Never throws. */
	readonly onUsage?: (usage: UnknownRecord) => void;
}

/** A page of the proxy's own, by its path. */
export type Pages = Readonly<Record<string, () => { readonly type: string; readonly text: string }>>;

export interface ProxyOptions {
	/** 0 for a free one. */
	readonly port: number;
	/** Those of Anthropic and OpenAI if absent. */
	readonly upstreams?: Upstreams;
	readonly reader?: RequestReader;
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

export type Started =
	| { readonly type: "started"; readonly proxy: RunningProxy }
	| { readonly type: "port in use"; readonly port: number }
	| { readonly type: "failed"; readonly reason: string };

/** Agents keep connections open between requests; one that the proxy closes would lose the next request. */
const KEEP_ALIVE_MS = 15 * 60_000;
/** A sender that writes the head of a request byte by byte holds a connection no longer than this. */
const HEADERS_MS = 60_000;

/** Starts to listen. A port that cannot be had is an answer, not an error. */
export async function startProxy(options: ProxyOptions): Promise<Started> {
	const client = createUpstreamClient();
	const server = createServer({
		...{ keepAliveTimeout: KEEP_ALIVE_MS, headersTimeout: HEADERS_MS, requestTimeout: 0 },
		noDelay: true,
	});
	const listening = await listen(server, options.port);
	if (typeof listening !== "number") return listening;
	const context: Context = {
		...options,
		client,
		port: listening,
		upstreams: options.upstreams ?? defaultUpstreams,
	};
	server.on("request", (_, response) => {
		void serve(context, response, (each) => exchange(context, each));
	});
	onHandshake(server, (handshake) => {
		void serve(context, handshake.response, (each) => tunnel(client, each, handshake));
	});
	const close = async () => {
		client.close();
		server.closeAllConnections();
		await new Promise((resolve) => server.close(resolve));
	};
	return { type: "started", proxy: { port: listening, url: `http://127.0.0.1:${listening}`, close } };
}

interface Context extends ProxyOptions {
	readonly client: UpstreamClient;
	readonly upstreams: Upstreams;
}

async function serve(
	{ port, pages = {}, upstreams, warn = () => {} }: Context,
	response: ServerResponse,
	pass: (exchange: Exchange) => unknown,
) {
	const request = response.req;
	const { headers, url = "/" } = request;
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
	return pass({ request, response, route, warn });
}

function unknownAddress(upstreams: Upstreams, port: number, url: string): string {
	const bases = [...upstreams.keys()].map((name) => `http://127.0.0.1:${port}/${name}`);
	return `cwl proxy: ${JSON.stringify(url)} names no provider. Use one of these as the agent's base URL: ${bases.join(", ")}.`;
}

async function exchange({ reader, client }: Context, exchange: Exchange) {
	const path = exchange.route.path.split("?")[0] ?? "";
	const endpoint = findEndpoint(path);
	if (!reader || !endpoint || exchange.request.method !== "POST")
		return await forward(client, exchange, { type: "stream" });
	const read = (body: Buffer | undefined) => reader.read(endpoint, path, body);
	return reader.mode === "enforce"
		? await exchangeEnforced(client, read, exchange)
		: await exchangeObserved(client, read, exchange);
}

type Read = (body: Buffer | undefined) => Promise<ReadResult>;

/** The request is read after its answer, so that reading it delays nothing. */
async function exchangeObserved(client: UpstreamClient, read: Read, exchange: Exchange) {
	const { request } = exchange;
	const copy = copyBody(request);
	let reported: UnknownRecord | undefined;
	const watch = (answer: IncomingMessage) =>
		watchUsage(answer, (usage) => {
			reported = usage;
		});
	if (!(await forward(client, exchange, { type: "stream", copy }, watch))) return;
	const { onUsage } = await read(await decoded(request, copy()));
	if (reported) onUsage?.(reported);
}

async function exchangeEnforced(client: UpstreamClient, read: Read, exchange: Exchange) {
	const { request, response } = exchange;
	const body = await readBody(request).catch(() => undefined);
	if (!body) return;
	if (body.type === "too large") {
		void read(undefined);
		await forward(client, exchange, { type: "stream", begun: body.begun });
		return;
	}
	const { body: edited, onUsage } = await read(await decoded(request, body.bytes));
	if (response.destroyed) return;
	const sent: SentBody = edited ? { type: "edited", bytes: edited } : body;
	await forward(client, exchange, sent, onUsage && ((answer) => watchUsage(answer, onUsage)));
}

async function decoded({ headers }: IncomingMessage, bytes: Buffer | undefined): Promise<Buffer | undefined> {
	return bytes && (await decodeBody(bytes, headers["content-encoding"]));
}

function listen(server: Server, port: number): Promise<number | Exclude<Started, { type: "started" }>> {
	return new Promise((resolve) => {
		server.once("error", (error: NodeJS.ErrnoException) => {
			const isTaken = error.code === "EADDRINUSE";
			resolve(isTaken ? { type: "port in use", port } : { type: "failed", reason: error.message });
		});
		server.listen(port, "127.0.0.1", () => {
			const address = server.address();
			resolve(typeof address === "object" && address ? address.port : port);
		});
	});
}
