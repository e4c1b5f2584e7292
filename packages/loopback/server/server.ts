import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { ScriptedModel } from "../model.ts";
import { badRequest } from "../refusal.ts";
import { ANTHROPIC } from "../wire/anthropic.ts";
import { type Api, openaiErrorBody } from "../wire/api.ts";
import { COMPLETIONS } from "../wire/completions.ts";
import { RESPONSES } from "../wire/responses.ts";
import { createExchange, type Exchanged, type Fault, type RequestRecord } from "./exchange.ts";

export interface LoopbackOptions {
	readonly model: ScriptedModel;
	/** In tokens, 200,000 by default; longer prompts are refused as the real provider refuses them. */
	readonly contextWindow?: number;
	/** Adds thinking to replies that have none, where the request allows it, so that every session tests the check. */
	readonly addsThinking?: boolean;
	/** Clock in ms, by which cache entries expire. */
	readonly now?: () => number;
	/** Keep the request bodies in the records: all, or that many of the most recent. */
	readonly keepBodies?: boolean | number;
	/** Called with each record before its answer goes out. */
	readonly onRequest?: (record: RequestRecord) => void;
	/** The fault for the request with an index, if any. */
	readonly fault?: (index: number) => Fault | undefined;
}

export interface Loopback {
	/** Such as `http://127.0.0.1:4711`, without `/v1`. */
	readonly url: string;
	/** Every request so far, oldest first. */
	readonly records: () => readonly RequestRecord[];
	/** Stops listening and cuts open connections. */
	readonly close: () => Promise<void>;
}

async function readText(request: IncomingMessage): Promise<string> {
	const chunks: Buffer[] = [];
	for await (const chunk of request) chunks.push(Buffer.from(chunk));
	return Buffer.concat(chunks).toString("utf8");
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
	response.writeHead(status, { "content-type": "application/json" });
	response.end(JSON.stringify(body));
}

/** Sends an answer. Under a fault a reset breaks off in the middle, and a stalled answer falls silent there. */
function send(
	response: ServerResponse,
	api: Api,
	answer: Exchanged["answer"],
	fault: Fault | undefined,
): void {
	if (answer.type === "refused") sendJson(response, answer.refusal.status, api.errorBody(answer.refusal));
	if (answer.type === "counted") sendJson(response, 200, { input_tokens: answer.tokens });
	if (answer.type !== "turn") return;
	const reset = () => void (fault?.type === "reset" && response.socket?.resetAndDestroy());
	const isCut = fault?.type === "reset" || fault?.type === "stall";
	if (!answer.stream) {
		if (isCut) reset();
		else sendJson(response, 200, api.whole(answer.turn));
		return;
	}
	const frames = api.stream(answer.turn);
	response.writeHead(200, {
		"content-type": "text/event-stream; charset=utf-8",
		"cache-control": "no-cache",
	});
	if (isCut) response.write(frames.slice(0, Math.ceil(frames.length / 2)).join(""), reset);
	else response.end(frames.join(""));
}

/** The names in a comma-separated `anthropic-beta` header. */
function betasOf({ headers }: IncomingMessage): ReadonlySet<string> {
	const header = [headers["anthropic-beta"] ?? []].flat().join(",");
	return new Set(header.split(",").map((name) => name.trim()));
}

/** The endpoint that only counts tokens. */
const COUNT_PATH = `${ANTHROPIC.path}/count_tokens`;

/** The API that answers a request line, whatever its query. */
function findApi(method: string | undefined, path: string): Api | undefined {
	if (method !== "POST") return undefined;
	return path === COUNT_PATH
		? ANTHROPIC
		: [COMPLETIONS, RESPONSES, ANTHROPIC].find((api) => api.path === path);
}

/**
 * Starts a model server on 127.0.0.1 that speaks chat completions, responses and messages, accepts any key, and
 * answers with a scripted model, one request after the other as they arrive in full.
 */
export async function startLoopback(options: LoopbackOptions): Promise<Loopback> {
	const {
		model,
		contextWindow = 200_000,
		now = Date.now,
		addsThinking = false,
		keepBodies = false,
	} = options;
	const exchange = createExchange({ model, contextWindow, now, addsThinking });
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

	async function handle(api: Api, path: string, request: IncomingMessage, response: ServerResponse) {
		const text = await readText(request);
		const index = requests++;
		const fault = options.fault?.(index);
		const onlyCounts = path === COUNT_PATH;
		const { record, answer } = exchange({ api, text, betas: betasOf(request), index, fault, onlyCounts });
		if (record) keep(record);
		send(response, api, answer, fault);
	}

	const server = createServer((request, response) => {
		const { method, url = "" } = request;
		const [path = ""] = url.split("?");
		const api = findApi(method, path);
		if (api) {
			handle(api, path, request, response).catch((error: unknown) => {
				// A script or callback that throws is a fault of the test that wrote it, so the answer says so.
				const message = `the scripted model or a callback failed: ${String(error)}`;
				sendJson(response, 500, api.errorBody({ status: 500, type: "api_error", message }));
			});
		} else {
			const refusal = { ...badRequest(`Invalid URL (${method} ${url})`), status: 404 };
			sendJson(response, 404, openaiErrorBody(refusal));
		}
	});
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	const address = server.address();
	const port = typeof address === "object" && address ? address.port : 0;
	return {
		url: `http://127.0.0.1:${port}`,
		records: () => [...records],
		close: () =>
			new Promise((resolve, reject) => {
				server.close((error) => (error ? reject(error) : resolve()));
				server.closeAllConnections();
			}),
	};
}
