import { type ModelPrices, requestCost } from "#core/prices";
import { createProviderCache, type PromptUse, type ProviderCache } from "../cache/provider-cache.ts";
import { createSegmenter, type Segmenter, totalTokens } from "../cache/segment.ts";
import type { ModelReply, ScriptedModel } from "../script/scripted-model.ts";
import { withoutOldThinking } from "../thinking/old-thinking.ts";
import { type AccountAge, checkPrefix, type PrefixCheckResult } from "../thinking/prefix-check.ts";
import { sealAnswer } from "../thinking/sealing.ts";
import { responseToken } from "../wire/ids.ts";
import { type Fields, fieldsOf } from "../wire/json.ts";
import type { Reading } from "../wire/reading.ts";
import { badRequest, type Refusal } from "../wire/refusal.ts";
import type { Api } from "./apis.ts";
import { type Fault, overflowRefusal, reportedUsage, statusFault } from "./faults.ts";
import type { RequestRecord } from "./records.ts";
import { createThreads, type OpenedRequest, type Threads } from "./threads.ts";
import { completeReply, replyTokens, type Turn, type Usage } from "./turn.ts";

export interface ExchangeOptions {
	readonly model: ScriptedModel;
	/** In tokens; longer prompts are refused. */
	readonly contextWindow: number;
	/** Clock in ms. */
	readonly now: () => number;
	/** Decides on models whose prefix check does not bind older accounts. */
	readonly account: AccountAge;
	/** Replies that come without thinking get some, where the request allows it. */
	readonly addsThinking: boolean;
	/** Prices of a model by its id, in US dollars per token. */
	readonly pricesOf: (model: string) => ModelPrices | undefined;
}

/** The answer that goes back over the wire. */
export type Answer =
	| { readonly type: "refused"; readonly refusal: Refusal }
	| { readonly type: "counted"; readonly tokens: number }
	| { readonly type: "turn"; readonly turn: Turn; readonly stream: boolean };

export interface Exchanged {
	/** Missing for a request that only counts tokens, which costs nothing. */
	readonly record?: RequestRecord;
	readonly answer: Answer;
}

export interface IncomingRequest {
	readonly api: Api;
	/** The body as it arrived. */
	readonly text: string;
	/** The names in the `anthropic-beta` header. */
	readonly betas: ReadonlySet<string>;
	readonly index: number;
	readonly fault: Fault | undefined;
}

/** The server's state between requests: providers cache prompts and hold threads; models remember nothing. */
interface Memory {
	readonly segment: Segmenter;
	readonly cache: ProviderCache;
	readonly threads: Threads;
}

/** A request on its way to the model. */
interface Understood {
	/** The body as it was sent; undefined if it was no JSON. */
	readonly sent: unknown;
	readonly opened: OpenedRequest;
	readonly checked: PrefixCheckResult;
	readonly reading: Reading;
	readonly promptTokens: number;
}

function parseBody(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

function understand(memory: Memory, account: AccountAge, incoming: IncomingRequest): Understood {
	const { api, betas } = incoming;
	const sent = parseBody(incoming.text);
	const isAnthropic = api.name === "anthropic";
	const opened = isAnthropic ? memory.threads.open(fieldsOf(sent), betas) : { body: fieldsOf(sent) };
	const unchecked = {
		body: opened.body,
		transformations: undefined,
		stale: [],
		dropped: 0,
		keepsStale: true,
	};
	const checked = api.sealing ? checkPrefix(api.sealing.format, opened.body, betas, account) : unchecked;
	const billed = isAnthropic ? withoutOldThinking(checked.body) : checked.body;
	const reading = api.read(billed, memory.segment);
	return { sent, opened, checked, reading, promptTokens: totalTokens(reading.segments) };
}

/** The reason to refuse a request, in the order in which providers check: load, rules, thinking, length. */
function findRefusal(
	{ api, fault }: IncomingRequest,
	{ sent, opened, checked, promptTokens }: Understood,
	contextWindow: number,
): Refusal | undefined {
	if (fault?.type === "status") return statusFault(api.name, fault.status);
	if (sent === undefined) return badRequest("We could not parse the JSON body of your request.");
	const refusal = opened.refusal ?? api.check(opened.body) ?? checked.refusal;
	if (refusal) return refusal;
	if (fault?.type === "overflow") return overflowRefusal(api.name, contextWindow + 1, contextWindow);
	return promptTokens > contextWindow ? overflowRefusal(api.name, promptTokens, contextWindow) : undefined;
}

/** A reply in the API's own blocks, its thinking bound to the conversation that the model saw. */
function sealReply(
	{ sealing }: Api,
	reply: Required<ModelReply>,
	response: string,
	{ body, keepsStale }: PrefixCheckResult,
): readonly Fields[] {
	if (!sealing) return [];
	const sealed = sealAnswer(sealing.format, body, sealing.compose(reply, response), { keepsStale });
	return sealing.present(sealed, body);
}

/** The model's reply to a request that was not refused, and its real usage. */
function makeTurn(
	{ model, now, addsThinking }: ExchangeOptions,
	incoming: IncomingRequest,
	{ reading, checked, promptTokens }: Understood,
	{ read, written, written1h }: PromptUse,
): { readonly turn: Turn; readonly usage: Usage } {
	const reply = completeReply(model(reading.request), { allowsThinking: reading.thinking, addsThinking });
	const usage = { prompt: promptTokens, read, written, written1h, ...replyTokens(reply) };
	const response = responseToken(incoming.index, incoming.text);
	const turn = {
		response,
		model: reading.model,
		created: Math.floor(now() / 1000),
		reply,
		content: sealReply(incoming.api, reply, response, checked),
		transformations: checked.transformations,
		usage: reportedUsage(usage, incoming.fault),
		streamUsage: reading.streamUsage,
	};
	return { turn, usage };
}

/** US dollars for an answered request; undefined for a model without prices. */
function costOf({ pricesOf }: ExchangeOptions, model: string, usage: Usage): number | undefined {
	const prices = pricesOf(model);
	return (
		prices &&
		requestCost(prices, {
			fresh: usage.prompt - usage.read - usage.written,
			cached: usage.read,
			written: usage.written - usage.written1h,
			longWritten: usage.written1h,
			output: usage.output,
		})
	);
}

/** The columns of a record that are known before the model answers. */
function recordHead(memory: Memory, { api, index }: IncomingRequest, understood: Understood) {
	const { sent, opened, checked, reading, promptTokens } = understood;
	return {
		index,
		api: api.name,
		model: reading.model,
		promptTokens,
		staleThinking: checked.stale.length,
		droppedThinking: checked.dropped,
		...(opened.thread ? { thread: opened.thread } : {}),
		body: sent,
		extendsPrevious: memory.cache.extendsPrevious(api.name, reading),
	};
}

const NO_USE = { cachedTokens: 0, writtenTokens: 0, longWrittenTokens: 0, outputTokens: 0, prefixTokens: 0 };

/** Lets the model answer, stores the prompt in the cache and the conversation in its thread. */
function answer(
	options: ExchangeOptions,
	memory: Memory,
	incoming: IncomingRequest,
	understood: Understood,
): Exchanged {
	const { sent, opened, reading } = understood;
	const head = recordHead(memory, incoming, understood);
	const use = memory.cache.measure(incoming.api.name, reading);
	const { turn, usage } = makeTurn(options, incoming, understood, use);
	memory.cache.write(incoming.api.name, reading);
	memory.threads.keep(fieldsOf(sent), opened, `msg_${turn.response}`, turn.content);
	const cost = costOf(options, reading.model, usage);
	const record = {
		...head,
		cachedTokens: use.read,
		writtenTokens: use.written,
		longWrittenTokens: use.written1h,
		outputTokens: usage.output,
		prefixTokens: use.prefix,
		...(cost === undefined ? {} : { cost }),
	};
	return { record, answer: { type: "turn", turn, stream: reading.stream } };
}

/**
 * Creates the part of the server that knows no sockets: request text in, record and answer out. Throws what the
 * scripted model throws.
 */
export function createExchange(options: ExchangeOptions): (incoming: IncomingRequest) => Exchanged {
	const { account, contextWindow, now } = options;
	const memory = { segment: createSegmenter(), cache: createProviderCache(now), threads: createThreads(now) };
	return (incoming) => {
		const understood = understand(memory, account, incoming);
		const refusal = findRefusal(incoming, understood, contextWindow);
		if (incoming.api.onlyCounts) {
			const counted = { type: "counted", tokens: understood.promptTokens } as const;
			return { answer: refusal ? { type: "refused", refusal } : counted };
		}
		if (!refusal) return answer(options, memory, incoming, understood);
		const record = { ...recordHead(memory, incoming, understood), ...NO_USE, refused: refusal };
		return { record, answer: { type: "refused", refusal } };
	};
}
