/** A `fetch` that keeps the requests of any SDK below a token budget. */
import { CwlError } from "#core";
import { createEngine, type Engine, type PassEvent } from "./engine.ts";
import { findEndpoint } from "./formats/formats.ts";
import type { Status } from "./status.ts";
import { verdictOf } from "./status.ts";
import { createUsageReader } from "./usage.ts";

export interface LifecycleOptions {
	/** Tokens of a whole request, as the provider counts them. With `auto`, the default, the model's list prices decide, up to 160k. */
	readonly budget?: "auto" | number;
	/** Where passes are kept, so that a restarted process sends the bytes that it sent before; in memory if absent. */
	readonly folder?: string;
	/** The `fetch` that sends the requests; the global one if absent. */
	readonly fetch?: typeof fetch;
	/** Counts the tokens of a text; OpenAI's o200k encoding if absent. Answers correct it by what the provider counted. */
	readonly countTokens?: (text: string) => number;
	/** The day whose list prices count, such as `2026-11-28`; the newest prices if absent. */
	readonly date?: string;
	/** Takes each pass before the request that it changes is sent. */
	readonly onPass?: (event: PassEvent) => void;
	/** Takes one line about a request that is sent unchanged because it is not understood, or about a folder that fails. */
	readonly onWarning?: (line: string) => void;
}

/** A tool to offer to the model. Its answer is a short note; the wrapper puts the real answer into the next request. */
export interface LifecycleTool {
	readonly name: string;
	readonly description: string;
	/** JSON Schema. */
	readonly parameters: {
		readonly type: "object";
		readonly properties: object;
		readonly required: readonly string[];
	};
	/** The result of each call. */
	readonly answer: string;
}

export interface LifecycleFetch {
	(input: string | URL | Request, init?: RequestInit): Promise<Response>;
	/** What was evicted so far and what that saves: a sentence, and the figures by conversation. */
	explain(): { readonly verdict: string; readonly status: Status | undefined };
	/** A page of evicted content, from the most recent conversation or the one with a name of `explain()`; undefined before any request. */
	recall(
		query: string,
		options?: { readonly page?: number; readonly conversation?: string },
	): string | undefined;
	/** `cwl_delimiter` and `cwl_recall`, with which a model marks its work and asks for what was evicted. Offer both, one or none. */
	tools(): Promise<readonly LifecycleTool[]>;
}

/** Later than every list price. */
const NEWEST = "9999-12-31";

/** Creates the wrapper. One serves any number of conversations at once. @throws CwlError `bad-option` */
export function withLifecycle(options: LifecycleOptions = {}): LifecycleFetch {
	const { budget = "auto", onWarning = () => {} } = options;
	if (budget !== "auto" && !(budget > 0))
		throw new CwlError(
			"bad-option",
			`budget is ${String(budget)}: use "auto" or a number of tokens above 0.`,
		);
	let engine: Engine | undefined;
	let starting: Promise<Engine> | undefined;
	/** The tokenizer is large: it is loaded with the first request. */
	async function start(): Promise<Engine> {
		const { automaticBudget, loadHost } = await import("./host.ts");
		engine = createEngine({
			...(await loadHost(options.countTokens)),
			mode: "enforce",
			budget: budget === "auto" ? automaticBudget() : budget,
			isAuto: budget === "auto",
			folder: options.folder,
			today: () => options.date ?? NEWEST,
			warn: onWarning,
			...(options.onPass && { onPass: options.onPass }),
		});
		return engine;
	}
	const send: typeof fetch = (input, init) => (options.fetch ?? fetch)(input, init);

	async function lifecycleFetch(input: string | URL | Request, init?: RequestInit): Promise<Response> {
		const request = await readRequest(input, init);
		if (!request) return await send(input, init);
		starting ??= start();
		const { read } = await starting;
		const { body, refusal, onUsage } = await read(request.endpoint, request.path, request.body);
		if (refusal) return Response.json(refusal.body, { status: refusal.status });
		const answer = await (body ? send(input, withBody(input, init, body)) : send(input, init));
		return onUsage ? watched(answer, onUsage) : answer;
	}

	return Object.assign(lifecycleFetch, {
		explain() {
			const status = engine?.status();
			return { verdict: status ? verdictOf(status) : "No requests yet.", status };
		},
		recall: (query: string, { page = 1, conversation }: { page?: number; conversation?: string } = {}) =>
			engine?.recall(query, page, conversation),
		tools: async () => (await import("./host.ts")).ownTools(),
	});
}

/** A request to an endpoint that is known; undefined for every other one, which is sent as it is. */
async function readRequest(input: string | URL | Request, init: RequestInit | undefined) {
	const isRequest = input instanceof Request;
	const method = init?.method ?? (isRequest ? input.method : "GET");
	if (method.toUpperCase() !== "POST") return undefined;
	const path = pathOf(isRequest ? input.url : String(input));
	const endpoint = findEndpoint(path);
	if (!endpoint) return undefined;
	const headers = new Headers(init?.headers ?? (isRequest ? input.headers : undefined));
	const given = init?.body ?? (isRequest ? await input.clone().arrayBuffer() : undefined);
	const bytes = (headers.get("content-encoding") ?? "identity") === "identity" ? bytesOf(given) : undefined;
	return { endpoint, path, body: bytes };
}

function pathOf(url: string): string {
	return URL.canParse(url) ? new URL(url).pathname : (url.split("?")[0] ?? "");
}

/** Undefined for a body that can be read only once, or is no text. */
function bytesOf(body: unknown): Buffer | undefined {
	if (typeof body === "string") return Buffer.from(body);
	if (body instanceof ArrayBuffer) return Buffer.from(body);
	if (ArrayBuffer.isView(body)) return Buffer.from(body.buffer, body.byteOffset, body.byteLength);
	return undefined;
}

/** The same request with another body. */
function withBody(input: string | URL | Request, init: RequestInit | undefined, body: Buffer): RequestInit {
	const headers = new Headers(init?.headers ?? (input instanceof Request ? input.headers : undefined));
	headers.delete("content-length");
	return { ...init, headers, body: body.toString() };
}

/** The same answer, whose usage is taken before the caller has all of it. */
function watched(answer: Response, onUsage: Parameters<typeof createUsageReader>[1]): Response {
	const { status, statusText, headers, body, url } = answer;
	const type = headers.get("content-type") ?? undefined;
	const length = headers.has("content-encoding") ? undefined : (headers.get("content-length") ?? undefined);
	const reader = createUsageReader({ status, type, length }, onUsage);
	if (!reader || !body) return answer;
	const stream = body.pipeThrough(
		new TransformStream<Uint8Array, Uint8Array>({
			transform(part, controller) {
				reader.read(part);
				controller.enqueue(part);
			},
			flush: reader.end,
		}),
	);
	return Object.defineProperty(new Response(stream, { status, statusText, headers }), "url", { value: url });
}
