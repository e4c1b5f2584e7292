/** A `fetch` that keeps the requests of any SDK below a token budget. */
import { CwlError } from "#basics";
import type { Engine } from "./engine.ts";
import type { PassEvent, Status } from "./figures.ts";
import type { AnswerHead, UsageReader } from "./usage.ts";

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
	/** Says how much was evicted so far and what that saves, in a sentence and by conversation. */
	explain(): { readonly verdict: string; readonly status: Status | undefined };
	/** A page of evicted content, from the most recent conversation or the one with a name of `explain()`; undefined before any request. */
	recall(
		query: string,
		options?: { readonly page?: number; readonly conversation?: string },
	): string | undefined;
	/** `cwl_delimiter` and `cwl_recall`, with which a model marks its work and asks for what was evicted. Offer both, one or none. */
	tools(): Promise<readonly LifecycleTool[]>;
}

interface Running {
	readonly wire: typeof import("./runtime.ts");
	readonly engine: Engine;
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
	let starting: Promise<Running> | undefined;
	let running: Running | undefined;
	/** The engine and its tokenizer are loaded with the first request: the import of an SDK's client stays quick. */
	async function start(): Promise<Running> {
		const wire = await import("./runtime.ts");
		const engine = wire.createEngine({
			...(await wire.loadHost(options.countTokens)),
			mode: "enforce",
			budget: budget === "auto" ? wire.automaticBudget() : budget,
			isAuto: budget === "auto",
			folder: options.folder,
			today: () => options.date ?? NEWEST,
			warn: onWarning,
			onPass: options.onPass,
		});
		running = { wire, engine };
		return running;
	}
	const send: typeof fetch = (input, init) => (options.fetch ?? fetch)(input, init);

	async function lifecycleFetch(input: string | URL | Request, init?: RequestInit): Promise<Response> {
		const request = input instanceof Request ? input : undefined;
		const method = init?.method ?? request?.method ?? "GET";
		if (method.toUpperCase() !== "POST") return await send(input, init);
		starting ??= start();
		const { engine, wire } = await starting;
		const path = pathOf(request?.url ?? String(input));
		const endpoint = wire.findEndpoint(path);
		if (!endpoint) return await send(input, init);
		const { body, refusal, onUsage } = await engine.read(endpoint, path, await readBody(request, init));
		if (refusal) return Response.json(refusal.body, { status: refusal.status });
		const answer = await (body ? send(input, withBody(request, init, body)) : send(input, init));
		return onUsage ? watched(answer, (head) => wire.createUsageReader(head, onUsage)) : answer;
	}

	return Object.assign(lifecycleFetch, {
		explain() {
			const status = running?.engine.status();
			const verdict = running && status ? running.wire.verdictOf(status) : "No requests yet.";
			return { verdict, status };
		},
		recall: (query: string, { page = 1, conversation }: { page?: number; conversation?: string } = {}) =>
			running?.engine.recall(query, page, conversation),
		tools: async () => (await import("./runtime.ts")).ownTools(),
	});
}

/** The bytes of a request; undefined for a body that is compressed, can be read only once, or is no text. */
async function readBody(request: Request | undefined, init: RequestInit | undefined) {
	const headers = new Headers(init?.headers ?? request?.headers);
	if ((headers.get("content-encoding") ?? "identity") !== "identity") return undefined;
	const body: unknown = init?.body ?? (await request?.clone().arrayBuffer());
	if (typeof body === "string") return Buffer.from(body);
	if (body instanceof ArrayBuffer) return Buffer.from(body);
	return ArrayBuffer.isView(body) ? Buffer.from(body.buffer, body.byteOffset, body.byteLength) : undefined;
}

function pathOf(url: string): string {
	return URL.canParse(url) ? new URL(url).pathname : (url.split("?")[0] ?? "");
}

/** The same request with another body. */
function withBody(request: Request | undefined, init: RequestInit | undefined, body: Buffer): RequestInit {
	const headers = new Headers(init?.headers ?? request?.headers);
	headers.delete("content-length");
	return { ...init, headers, body: body.toString() };
}

/** The same answer, whose usage is taken before the caller has all of it. */
function watched(answer: Response, createReader: (head: AnswerHead) => UsageReader | undefined): Response {
	const { status, statusText, headers, body, url } = answer;
	const type = headers.get("content-type") ?? undefined;
	const length = headers.has("content-encoding") ? undefined : (headers.get("content-length") ?? undefined);
	const reader = createReader({ status, type, length });
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
