/** Connections that leave HTTP, such as the WebSockets of the Responses API: both ends are joined, and nobody reads. */
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { RawHeaders } from "./headers.ts";
import type { Route } from "./route.ts";
import type { UpstreamClient } from "./upstream.ts";

/** Joins a connection that asks for another protocol to the provider. Whichever end breaks off ends the other. */
export function tunnel(
	client: UpstreamClient,
	{ method = "GET", rawHeaders }: IncomingMessage,
	socket: Duplex,
	route: Route,
) {
	const upstream = client.open(method, route, replaceHost(rawHeaders, route.base.host));
	upstream.on("upgrade", (answer: IncomingMessage, other: Duplex, begun: Buffer) => {
		socket.write(headOf(answer));
		if (begun.length > 0) socket.write(begun);
		join(socket, other);
	});
	upstream.on("response", (answer) => {
		socket.write(headOf(answer));
		answer.pipe(socket);
	});
	upstream.on("error", () => socket.destroy());
	socket.on("error", () => socket.destroy()).on("close", () => upstream.destroy());
	upstream.end();
}

/** Refuses a connection with a status and one line of text. Its sender may be gone before the text arrives. */
export function refuseTunnel(socket: Duplex, status: string, message: string) {
	socket.on("error", () => socket.destroy());
	socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Type: text/plain\r\n\r\n${message}\n`);
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

function headOf({ statusCode, statusMessage, rawHeaders }: IncomingMessage): string {
	const lines = rawHeaders.map((text, at) => (at % 2 === 0 ? `${text}: ` : `${text}\r\n`)).join("");
	return `HTTP/1.1 ${statusCode} ${statusMessage}\r\n${lines}\r\n`;
}
