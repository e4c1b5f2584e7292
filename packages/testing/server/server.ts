import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { badRequest } from "../refusal.ts";
import { ANTHROPIC } from "../wire/anthropic.ts";
import type { Api } from "../wire/api.ts";
import { COMPLETIONS } from "../wire/completions.ts";
import { RESPONSES } from "../wire/responses.ts";
import {
	type Answer,
	createExchange,
	type ExchangeOptions,
	type Fault,
	jsonAnswer,
	type RequestRecord,
} from "./exchange.ts";

export interface LoopbackOptions extends ExchangeOptions {
	/** Keep the request bodies in the records: all, or that many of the most recent. */
	readonly keepBodies?: boolean | number;
	/** Called with each record before its answer goes out. */
	readonly onRequest?: (record: RequestRecord) => void;
	/** The fault for the request with an index, if any. */
	readonly fault?: (index: number) => Fault | undefined;
}

export type Loopback = Awaited<ReturnType<typeof startLoopback>>;

/** Sends an answer. A reset breaks off in the middle, and a stalled answer falls silent there. */
function send(response: ServerResponse, { status, frames, isStream, cut }: Answer): void {
	response.writeHead(
		status,
		isStream
			? { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-cache" }
			: { "content-type": "application/json" },
	);
	if (!cut) return void response.end(frames.join(""));
	const half = frames.slice(0, Math.ceil(frames.length / 2)).join("");
	response.write(half, () => void (cut === "reset" && response.socket?.resetAndDestroy()));
}

/** The names in a comma-separated `anthropic-beta` header. */
function betasOf({ headers }: IncomingMessage): ReadonlySet<string> {
	const header = [headers["anthropic-beta"] ?? []].flat().join(",");
	return new Set(header.split(",").map((name) => name.trim()));
}

/** The endpoint that only counts tokens. */
const COUNT_PATH = `${ANTHROPIC.path}/count_tokens`;

const APIS = [COMPLETIONS, RESPONSES, ANTHROPIC];
const findApi = (path: string): Api | undefined =>
	path === COUNT_PATH ? ANTHROPIC : APIS.find((api) => api.path === path);

/**
 * Starts a model server on 127.0.0.1 that speaks chat completions, responses and messages, accepts any key, and
 * answers with a scripted model, one request after the other as they arrive in full.
 */
export async function startLoopback(options: LoopbackOptions) {
	const exchange = createExchange(options);
	const { keepBodies = false } = options;
	const kept = keepBodies === true ? Number.POSITIVE_INFINITY : Number(keepBodies);
	const records: RequestRecord[] = [];
	let requests = 0;

	function keep(record: RequestRecord): void {
		records.push(record);
		const last = records.length - 1 - kept;
		const { body: _body, ...bare } = records[last] ?? record;
		if (last >= 0) records[last] = bare;
		options.onRequest?.(record);
	}

	async function handle(api: Api, path: string, request: IncomingMessage): Promise<Answer> {
		const chunks: Buffer[] = [];
		for await (const chunk of request) chunks.push(Buffer.from(chunk));
		const index = requests++;
		const { record, answer } = exchange({
			api,
			index,
			text: Buffer.concat(chunks).toString("utf8"),
			betas: betasOf(request),
			fault: options.fault?.(index),
			onlyCounts: path === COUNT_PATH,
		});
		if (record) keep(record);
		return answer;
	}

	const server = createServer(async (request, response) => {
		const { method, url = "" } = request;
		const [path = ""] = url.split("?");
		const api = method === "POST" ? findApi(path) : undefined;
		if (!api) {
			const refusal = badRequest(`Invalid URL (${method} ${url})`);
			return send(response, jsonAnswer(404, COMPLETIONS.errorBody(refusal)));
		}
		const answer = await handle(api, path, request).catch((error: unknown) => {
			// A script or callback that throws is a fault of the test that wrote it, so the answer says so.
			const message = `the scripted model or a callback failed: ${String(error)}`;
			return jsonAnswer(500, api.errorBody({ status: 500, type: "api_error", message }));
		});
		send(response, answer);
	});
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	const address = server.address();
	const port = typeof address === "object" && address ? address.port : 0;
	return {
		/** Without `/v1`. */
		url: `http://127.0.0.1:${port}`,
		/** Every request so far, oldest first. */
		records: (): readonly RequestRecord[] => [...records],
		/** Stops listening and cuts open connections. */
		close: () =>
			new Promise<void>((resolve, reject) => {
				server.close((error) => (error ? reject(error) : resolve()));
				server.closeAllConnections();
			}),
	};
}
