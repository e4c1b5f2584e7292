import type { Api } from "./apis.ts";
import { type AutomaticCache, createAutomaticCache } from "./cache/automatic.ts";
import { type BreakpointCache, type CacheUse, createBreakpointCache } from "./cache/breakpoints.ts";
import {
	createSegmenter,
	extendsSegments,
	type Segment,
	type Segmenter,
	totalTokens,
} from "./cache/segment.ts";
import { type Fault, overflowRefusal, reportedUsage, statusFault } from "./faults.ts";
import { responseToken } from "./ids.ts";
import { fieldsOf } from "./json.ts";
import type { ScriptedModel } from "./model.ts";
import type { Reading } from "./reading.ts";
import type { RequestRecord } from "./records.ts";
import { badRequest, type Refusal } from "./refusal.ts";
import { completeReply, replyTokens, type Turn, type Usage } from "./turn.ts";

export interface ExchangeOptions {
	readonly model: ScriptedModel;
	/** In tokens; longer prompts are refused. */
	readonly contextWindow: number;
	/** Clock in ms. */
	readonly now: () => number;
}

/** What goes back over the wire. */
export type Answer =
	| { readonly type: "refused"; readonly refusal: Refusal }
	| { readonly type: "turn"; readonly turn: Turn; readonly stream: boolean };

export interface Exchanged {
	readonly record: RequestRecord;
	readonly answer: Answer;
}

export interface IncomingRequest {
	readonly api: Api;
	/** The body as it arrived. */
	readonly text: string;
	readonly index: number;
	readonly fault: Fault | undefined;
}

/** What the server remembers between requests: providers cache prompts, models remember nothing. */
interface Memory {
	readonly segment: Segmenter;
	readonly automatic: AutomaticCache;
	readonly marked: BreakpointCache;
	readonly previous: Map<string, readonly Segment[]>;
}

function createMemory(now: () => number): Memory {
	return {
		segment: createSegmenter(),
		automatic: createAutomaticCache(),
		marked: createBreakpointCache(now),
		previous: new Map(),
	};
}

function parseBody(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

/** `prefix`: what the automatic cache serves, which is in force for the OpenAI APIs only. */
function measureCache(memory: Memory, api: Api, reading: Reading): CacheUse & { readonly prefix: number } {
	const prefix = memory.automatic.read(`${api.name} ${reading.model}`, reading.segments);
	if (api.name !== "anthropic") return { read: prefix, written: 0, prefix };
	return { ...memory.marked.measure(reading.model, reading), prefix };
}

function writeCache(memory: Memory, api: Api, reading: Reading): void {
	if (api.name === "anthropic") memory.marked.write(reading.model, reading);
	memory.automatic.write(`${api.name} ${reading.model}`, reading.segments);
}

/** Compares with the model's previous prompt and takes its place. */
function extendsPrevious(memory: Memory, api: Api, reading: Reading): boolean {
	const key = `${api.name} ${reading.model}`;
	const previous = memory.previous.get(key) ?? [];
	memory.previous.set(key, reading.segments);
	return extendsSegments(previous, reading.segments);
}

/** The reason to refuse a request, in the order in which providers look: load, rules, length. */
function findRefusal(
	{ api, fault }: IncomingRequest,
	body: unknown,
	promptTokens: number,
	contextWindow: number,
): Refusal | undefined {
	if (fault?.type === "status") return statusFault(api.name, fault.status);
	if (body === undefined) return badRequest("We could not parse the JSON body of your request.");
	const refusal = api.check(body);
	if (refusal) return refusal;
	if (fault?.type === "overflow") return overflowRefusal(api.name, contextWindow + 1, contextWindow);
	return promptTokens > contextWindow ? overflowRefusal(api.name, promptTokens, contextWindow) : undefined;
}

/** A model's reply to a request that nothing speaks against, and what it really cost. */
function makeTurn(
	{ model, now }: ExchangeOptions,
	incoming: IncomingRequest,
	reading: Reading,
	promptUse: CacheUse & { readonly prompt: number },
): { readonly turn: Turn; readonly usage: Usage } {
	const reply = completeReply(model(reading.request), reading.thinking);
	const usage = { ...promptUse, ...replyTokens(reply) };
	const turn = {
		response: responseToken(incoming.index, incoming.text),
		model: reading.model,
		created: Math.floor(now() / 1000),
		reply,
		usage: reportedUsage(usage, incoming.fault),
		streamUsage: reading.streamUsage,
	};
	return { turn, usage };
}

/**
 * Creates the part of the server that knows no sockets: request text in, record and answer out. Throws what the
 * scripted model throws.
 */
export function createExchange(options: ExchangeOptions): (incoming: IncomingRequest) => Exchanged {
	const memory = createMemory(options.now);
	return (incoming) => {
		const { api, index } = incoming;
		const body = parseBody(incoming.text);
		const reading = api.read(fieldsOf(body), memory.segment);
		const promptTokens = totalTokens(reading.segments);
		const known = { index, api: api.name, model: reading.model, promptTokens, body };
		const head = { ...known, extendsPrevious: extendsPrevious(memory, api, reading) };
		const refusal = findRefusal(incoming, body, promptTokens, options.contextWindow);
		if (refusal) {
			const nothing = { cachedTokens: 0, writtenTokens: 0, outputTokens: 0, prefixTokens: 0 };
			const record = { ...head, ...nothing, refused: refusal };
			return { record, answer: { type: "refused", refusal } };
		}
		const { prefix: prefixTokens, ...cache } = measureCache(memory, api, reading);
		const { turn, usage } = makeTurn(options, incoming, reading, { prompt: promptTokens, ...cache });
		writeCache(memory, api, reading);
		const { read: cachedTokens, written: writtenTokens, output: outputTokens } = usage;
		const record = { ...head, cachedTokens, writtenTokens, outputTokens, prefixTokens };
		return { record, answer: { type: "turn", turn, stream: reading.stream } };
	};
}
