/** One exchange with a provider: bytes pass as they are in both directions, and failures pass as what they are. */
import type { ClientRequest, IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { Body } from "./bodies.ts";
import { passHeaders, type Route, type UpstreamClient } from "./upstream.ts";

export interface Exchange {
	readonly request: IncomingMessage;
	readonly response: ServerResponse;
	readonly route: Route;
	/** Takes one line for the user about a provider that cannot be reached. */
	readonly warn: (line: string) => void;
}

/**
 * Sends a request on and its answer back. Resolves when both are done, with true if the agent has all of the answer. Never
 * rejects. `watch` may return a stream that hands the bytes of the answer on.
 */
export function forward(
	client: UpstreamClient,
	exchange: Exchange,
	body: Body,
	watch?: (answer: IncomingMessage) => Duplex | undefined,
): Promise<boolean> {
	const { request, response, route } = exchange;
	return new Promise((resolve) => {
		const upstream = client.open(
			request.method ?? "GET",
			route,
			headersFor(exchange, body, watch !== undefined),
		);
		let answer: IncomingMessage | undefined;
		let isOver = false;

		function end(isAnswered: boolean) {
			isOver = true;
			resolve(isAnswered);
		}
		function fail(error: NodeJS.ErrnoException) {
			if (isOver) return;
			if (!answer && body.type !== "stream" && wasLost(upstream, error)) {
				isOver = true;
				resolve(forward(client, exchange, body, watch));
				return;
			}
			end(false);
			answerFailure(exchange, answer, error);
		}
		upstream.on("error", fail);
		upstream.on("upgrade", (_, socket) => {
			socket.destroy();
			fail(new Error("it answered in another protocol"));
		});
		upstream.on("response", (incoming) => {
			answer = incoming;
			incoming.on("error", fail);
			passAnswer(incoming, response, watch?.(incoming));
		});
		response.on("finish", () => end(true));
		response.on("close", () => {
			if (isOver) return;
			end(false);
			upstream.destroy();
		});
		if (body.type === "stream") {
			if (body.begun) upstream.write(body.begun);
			request.pipe(upstream);
		} else upstream.end(body.bytes);
	});
}

/** An answer that is watched is asked for without compression. */
function headersFor({ request, route }: Exchange, body: Body, isWatched: boolean): string[] {
	const changes = { host: route.base.host, ...(isWatched && { "accept-encoding": "identity" }) };
	if (body.type !== "edited") return passHeaders(request.rawHeaders, changes);
	const framing = {
		"content-length": undefined,
		"content-encoding": undefined,
		"transfer-encoding": undefined,
	};
	const headers = passHeaders(request.rawHeaders, { ...changes, ...framing });
	return [...headers, "Content-Length", String(body.bytes.length)];
}

/** Passes the provider's answer on, through a stream that watches it if there is one. One that Node cannot write is broken off. */
function passAnswer(incoming: IncomingMessage, response: ServerResponse, watching: Duplex | undefined) {
	// The provider's own Date is passed on.
	response.sendDate = false;
	try {
		response.writeHead(incoming.statusCode ?? 502, incoming.statusMessage, passHeaders(incoming.rawHeaders));
	} catch (error) {
		incoming.destroy(error instanceof Error ? error : undefined);
		return;
	}
	// The headers of a stream arrive before its first event.
	response.flushHeaders();
	(watching ? incoming.pipe(watching) : incoming).pipe(response);
}

/**
 * Returns true if a provider closed an idle connection while a request was on its way into it, which an agent with a
 * connection of its own would not have met.
 */
function wasLost(upstream: ClientRequest, { code }: NodeJS.ErrnoException): boolean {
	return upstream.reusedSocket && (code === "ECONNRESET" || code === "EPIPE");
}

/** A provider that broke off is passed on as a connection that breaks off: nothing may look like a complete answer. */
function answerFailure(
	{ response, route, warn }: Exchange,
	answer: IncomingMessage | undefined,
	{ code, message }: NodeJS.ErrnoException,
) {
	if (answer) response.destroy();
	else if (code === "ECONNRESET" || code === "EPIPE") response.socket?.resetAndDestroy();
	else {
		const reason = `${route.base.origin} cannot be reached (${code ?? message})`;
		answerError(response, 502, `cwl proxy: ${reason}.`);
		warn(reason);
	}
}

/** Answers with an error of our own, in the shape that the APIs of Anthropic and OpenAI share. */
export function answerError(response: ServerResponse, status: number, message: string) {
	answerJson(response, status, { type: "error", error: { type: "proxy_error", message } });
}

export function answerJson(response: ServerResponse, status: number, body: unknown) {
	response.writeHead(status, { "content-type": "application/json" });
	response.end(JSON.stringify(body));
}
