/** The proxy's HTTP server, on 127.0.0.1 only. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { copyBody, decodeBody, readBody, type Usage, watchUsage } from "./bodies.ts";
import { findForeign } from "./foreign.ts";
import { answerError, type Exchange, forward, type Outcome, type SentBody } from "./forward.ts";
import { onHandshake, tunnel } from "./upgrade.ts";
import {
	createUpstreamClient,
	defaultUpstreams,
	findRoute,
	type Route,
	type UpstreamClient,
	type Upstreams,
} from "./upstream.ts";

/** Reads the requests of endpoints that it knows. */
export interface RequestReader {
	/** `observe` reads a request after its answer, so that it costs no time; `enforce` before it is sent. */
	readonly mode: "observe" | "enforce";
	/** Returns true for the path of an endpoint whose requests are to be read. */
	reads(path: string): boolean;
	/**
	 * Reads a request to a path at the provider, without the query. `body` has no compression; it is undefined if it cannot
	 * be decoded or is too large. Never rejects.
	 */
	read(path: string, body: Buffer | undefined): Promise<ReadResult>;
}

export interface ReadResult {
	/** The body to send instead, which only `enforce` uses. */
	readonly body?: Buffer;
	/** Takes the usage that the answer reports, before the agent has all of that answer. Never throws. */
	readonly onUsage?: (usage: Usage) => void;
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
	server.on("request", (request, response) => {
		void serve(context, request, response, (each) => exchange(context, each));
	});
	onHandshake(server, (handshake) => {
		const { request, response } = handshake;
		void serve(context, request, response, (each) => tunnel(client, each, handshake));
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

type Admitted =
	| { readonly type: "refused"; readonly message: string }
	| { readonly type: "page"; readonly page: NonNullable<Pages[string]> }
	| { readonly type: "route"; readonly route: Route }
	| { readonly type: "unknown" };

function admit({ port, pages = {}, upstreams }: Context, { headers, url = "/" }: IncomingMessage): Admitted {
	const foreign = findForeign(headers, port);
	if (foreign !== undefined) return { type: "refused", message: `cwl proxy: refused: ${foreign}` };
	const page = Object.hasOwn(pages, url) ? pages[url] : undefined;
	if (page) return { type: "page", page };
	const route = findRoute(url, upstreams);
	return route ? { type: "route", route } : { type: "unknown" };
}

async function serve(
	context: Context,
	request: IncomingMessage,
	response: ServerResponse,
	pass: (exchange: Exchange) => Promise<Outcome>,
) {
	const admitted = admit(context, request);
	switch (admitted.type) {
		case "refused":
			return answerError(response, 403, admitted.message);
		case "page": {
			const { type, text } = admitted.page();
			response.writeHead(200, { "content-type": type, "cache-control": "no-store" });
			response.end(text);
			return;
		}
		case "unknown":
			return answerError(response, 404, unknownAddress(context, request.url ?? "/"));
		case "route": {
			const outcome = await pass({ request, response, route: admitted.route });
			if (outcome.type === "unreachable") context.warn?.(outcome.reason);
			return;
		}
		default:
			return admitted satisfies never;
	}
}

function unknownAddress({ upstreams, port }: Context, url: string): string {
	const bases = [...upstreams.keys()].map((name) => `http://127.0.0.1:${port}/${name}`);
	return `cwl proxy: ${JSON.stringify(url)} names no provider. Use one of these as the agent's base URL: ${bases.join(", ")}.`;
}

async function exchange(context: Context, exchange: Exchange): Promise<Outcome> {
	const { reader, client } = context;
	const path = exchange.route.path.split("?")[0] ?? "";
	if (!reader || exchange.request.method !== "POST" || !reader.reads(path)) {
		return await forward(client, exchange, { type: "stream" });
	}
	return reader.mode === "enforce"
		? await exchangeEnforced(client, reader, exchange, path)
		: await exchangeObserved(client, reader, exchange, path);
}

/** The request is read after its answer, so that reading it delays nothing. */
async function exchangeObserved(
	client: UpstreamClient,
	reader: RequestReader,
	exchange: Exchange,
	path: string,
): Promise<Outcome> {
	const { request } = exchange;
	const copy = copyBody(request);
	let reported: Usage | undefined;
	const watch = (answer: IncomingMessage) =>
		watchUsage(answer, (usage) => {
			reported = usage;
		});
	const outcome = await forward(client, exchange, { type: "stream", copy }, watch);
	if (outcome.type === "answered") {
		const read = await reader.read(path, await decoded(request, copy()));
		if (reported) read.onUsage?.(reported);
	}
	return outcome;
}

async function exchangeEnforced(
	client: UpstreamClient,
	reader: RequestReader,
	exchange: Exchange,
	path: string,
): Promise<Outcome> {
	const { request } = exchange;
	const body = await readBody(request).catch(() => undefined);
	if (!body) return { type: "left" };
	if (body.type === "too large") {
		void reader.read(path, undefined);
		return await forward(client, exchange, { type: "stream", begun: body.begun });
	}
	const read = await reader.read(path, await decoded(request, body.bytes));
	if (exchange.response.destroyed) return { type: "left" };
	const sent: SentBody = read.body
		? { type: "edited", bytes: read.body }
		: { type: "whole", bytes: body.bytes };
	const { onUsage } = read;
	return await forward(client, exchange, sent, onUsage && ((answer) => watchUsage(answer, onUsage)));
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
