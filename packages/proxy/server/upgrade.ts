/** Connections whose agent asks for another protocol: WebSockets are joined to the provider, all others stay HTTP. */
import { type IncomingMessage, type Server, ServerResponse } from "node:http";
import { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { answerFailure, type Exchange, passAnswer } from "./forward.ts";
import type { RawHeaders, UpstreamClient } from "./upstream.ts";

/** A WebSocket handshake, with the connection that it arrived on. */
export interface Handshake {
	/** Answers the handshake over HTTP, and ends the connection. */
	readonly response: ServerResponse;
	readonly socket: Socket;
	/** Bytes that the agent sent behind its handshake. */
	readonly begun: Buffer;
}

/** Takes the WebSocket handshakes of a server. Its other requests arrive as if they had not asked for another protocol. */
export function onHandshake(server: Server, take: (handshake: Handshake) => void) {
	server.on("upgrade", (request: IncomingMessage, socket: Duplex, begun: Buffer) => {
		if (!(socket instanceof Socket)) return socket.destroy();
		if (!isHandshake(request)) return readAgain(server, request, socket, begun);
		socket.on("error", () => socket.destroy());
		const response = new ServerResponse(request);
		response.shouldKeepAlive = false;
		response.assignSocket(socket);
		response.on("finish", () => socket.end());
		take({ response, socket, begun });
	});
}

function isHandshake({ method, headers }: IncomingMessage): boolean {
	const hasBody = Number(headers["content-length"] ?? 0) !== 0 || headers["transfer-encoding"] !== undefined;
	return method === "GET" && !hasBody && /\bwebsocket\b/i.test(headers.upgrade ?? "");
}

/** Node has stopped to read HTTP from the connection: it begins again with the same request. */
function readAgain(server: Server, request: IncomingMessage, socket: Socket, begun: Buffer) {
	const { method, url, httpVersion, rawHeaders } = request;
	const headers = rawHeaders.filter((_, at) => rawHeaders[at - (at % 2)]?.toLowerCase() !== "upgrade");
	const head = `${method} ${url} HTTP/${httpVersion}\r\n${linesOf(headers)}\r\n`;
	socket.unshift(Buffer.concat([Buffer.from(head, "latin1"), begun]));
	server.emit("connection", socket);
	socket.resume();
}

/** Joins a WebSocket to the provider. Whichever end breaks off ends the other. */
export function tunnel(client: UpstreamClient, exchange: Exchange, { socket, begun }: Handshake) {
	const { request, response, route } = exchange;
	const upstream = client.open("GET", route, replaceHost(request.rawHeaders, route.base.host));
	let answer: IncomingMessage | undefined;
	const fail = (error: Error) => answerFailure(exchange, answer, error);
	upstream.on("upgrade", (accepted: IncomingMessage, other: Duplex, early: Buffer) => {
		response.detachSocket(socket);
		const { statusCode, statusMessage, rawHeaders } = accepted;
		socket.write(`HTTP/1.1 ${statusCode} ${statusMessage}\r\n${linesOf(rawHeaders)}\r\n`, "latin1");
		socket.write(early);
		other.write(begun);
		join(socket, other);
	});
	upstream.on("response", (refusal) => {
		answer = refusal;
		refusal.on("error", fail);
		passAnswer(refusal, response, undefined);
	});
	upstream.on("error", fail);
	socket.on("close", () => upstream.destroy());
	upstream.end();
}

function join(one: Duplex, other: Duplex) {
	one.pipe(other).pipe(one);
	one.on("close", () => other.destroy());
	other.on("close", () => one.destroy());
	other.on("error", () => one.destroy());
}

function replaceHost(raw: RawHeaders, host: string): string[] {
	return raw.map((text, at) => (at % 2 === 1 && raw[at - 1]?.toLowerCase() === "host" ? host : text));
}

function linesOf(raw: RawHeaders): string {
	return raw.map((text, at) => (at % 2 === 0 ? `${text}: ` : `${text}\r\n`)).join("");
}
