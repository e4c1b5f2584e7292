/** The part of the server that knows no sockets: request text in, record and answer out. */

import { type Fields, fieldsOf, parseJson } from "../json.ts";
import type { ModelReply, ScriptedModel } from "../model.ts";
import { createPromptCache, createSegmenter, totalTokens } from "../prompt-cache.ts";
import { applyRules, badRequest, type Refusal } from "../refusal.ts";
import { responseToken } from "../seal.ts";
import { checkPrefix, type PrefixCheckResult, sealAnswer } from "../thinking/stale.ts";
import { countTokens } from "../tokens.ts";
import type { Api, ApiName, FaultStatus, Turn, Usage } from "../wire/api.ts";

/** One request, answered or refused. All counts are in tokens, as the server counted them. */
export interface RequestRecord {
	/** Position among all requests of the server, from 0. */
	readonly index: number;
	readonly api: ApiName;
	readonly model: string;
	readonly promptTokens: number;
	readonly cachedTokens: number;
	/** Written to the cache at a premium; Anthropic only. */
	readonly writtenTokens: number;
	readonly outputTokens: number;
	/** Thinking blocks or reasoning items that a checking provider rejects, also when this model does not check. */
	readonly staleThinking: number;
	/** Thinking blocks or reasoning items that the provider removed from the request. */
	readonly droppedThinking: number;
	readonly refused?: Refusal;
	/** The parsed body as it was sent, if the server keeps bodies. */
	readonly body?: unknown;
	/** The prompt starts with the whole prompt of the model's previous request, cache markers aside. */
	readonly extendsPrevious: boolean;
}

/** Sums over records. Tokens leave out refused requests, which providers do not bill. */
export function totalRecords(records: readonly RequestRecord[]) {
	const answered = records.filter((record) => !record.refused);
	const sum = (of: (record: RequestRecord) => number): number =>
		answered.reduce((total, record) => total + of(record), 0);
	return {
		requests: records.length,
		refused: records.length - answered.length,
		/** Requests other than a model's first that did not extend the one before. */
		breaks: records.filter((record) => !record.extendsPrevious).length,
		promptTokens: sum((record) => record.promptTokens),
		cachedTokens: sum((record) => record.cachedTokens),
		/** Refused requests included. */
		staleThinking: records.reduce((total, record) => total + record.staleThinking, 0),
	};
}

/** A fault that the server simulates. */
export type Fault =
	/** The request is refused before its body is read. */
	| { readonly type: "status"; readonly status: FaultStatus }
	/** The request is refused as longer than the context window. */
	| { readonly type: "overflow" }
	/** The connection is reset in the middle of the answer. */
	| { readonly type: "reset" }
	/** The answer stops in the middle and the connection stays open. */
	| { readonly type: "stall" }
	/** Every input column of the reported usage is multiplied. */
	| { readonly type: "usage-scaled"; readonly factor: number };

export interface ExchangeOptions {
	readonly model: ScriptedModel;
	/** In tokens; longer prompts are refused. */
	readonly contextWindow: number;
	/** Clock in ms. */
	readonly now: () => number;
	/** Replies that come without thinking get some, where the request allows it. */
	readonly addsThinking: boolean;
}

export interface IncomingRequest {
	readonly api: Api;
	/** The body as it arrived. */
	readonly text: string;
	/** The names in the `anthropic-beta` header. */
	readonly betas: ReadonlySet<string>;
	readonly index: number;
	readonly fault: Fault | undefined;
	/** The endpoint only counts the request's tokens, and no model answers. */
	readonly onlyCounts: boolean;
}

export interface Exchanged {
	/** Missing for a request that only counts tokens, which costs nothing. */
	readonly record?: RequestRecord;
	/** The answer that goes back over the wire. */
	readonly answer:
		| { readonly type: "refused"; readonly refusal: Refusal }
		| { readonly type: "counted"; readonly tokens: number }
		| { readonly type: "turn"; readonly turn: Turn; readonly stream: boolean };
}

/** The reason to refuse a request, in the order in which providers check: load, rules, thinking, length. */
function findRefusal(
	{ api, fault, onlyCounts }: IncomingRequest,
	sent: unknown,
	checked: PrefixCheckResult,
	{ tokens, contextWindow }: { readonly tokens: number; readonly contextWindow: number },
): Refusal | undefined {
	if (fault?.type === "status") return { status: fault.status, ...api.faults[fault.status] };
	if (sent === undefined) return badRequest("We could not parse the JSON body of your request.");
	// Counting applies the same rules as answering, but needs no output limit.
	const body = onlyCounts ? { max_tokens: 1, ...fieldsOf(sent) } : sent;
	const refusal = applyRules(api.rules, body) ?? checked.refusal;
	if (refusal) return refusal;
	if (fault?.type === "overflow") return api.overflow(contextWindow + 1, contextWindow);
	return tokens > contextWindow ? api.overflow(tokens, contextWindow) : undefined;
}

/** A short thought for a reply that came without one. The same reply always gets the same. */
function inventThinking({ text = "", calls = [] }: ModelReply): string {
	const steps = calls.map((call) => `${call.name} ${JSON.stringify(call.arguments)}`);
	return `The next step follows from what I have seen: ${[text, ...steps].filter(Boolean).join("; ").slice(0, 400)}`;
}

/** Fills in what a reply leaves out, and drops thinking where the caller did not allow it. */
function completeReply(
	reply: ModelReply,
	allowsThinking: boolean,
	addsThinking: boolean,
): Required<ModelReply> {
	const { thinking = addsThinking ? inventThinking(reply) : "", text = "", calls = [] } = reply;
	return { thinking: allowsThinking ? thinking : "", text, calls };
}

/** Tokens of a reply: its thinking alone, and all of it. */
function replyTokens(reply: Required<ModelReply>): Pick<Usage, "thinking" | "output"> {
	const thinking = countTokens(reply.thinking);
	const calls = reply.calls.flatMap((call) => [call.name, JSON.stringify(call.arguments)]);
	const output = [reply.text, ...calls].reduce((total, text) => total + countTokens(text), thinking);
	return { thinking, output };
}

/** A reply in the API's own blocks, its thinking bound to the conversation that the model saw. */
function sealReply(
	{ sealing }: Api,
	reply: Required<ModelReply>,
	response: string,
	{ body, keepsStale }: PrefixCheckResult,
): readonly Fields[] {
	if (!sealing) return [];
	const sealed = sealAnswer(sealing.format, body, sealing.compose(reply, response), keepsStale);
	return sealing.present(sealed, body);
}

/** The usage that is reported under a fault; scaled columns still add up. */
function reportedUsage(usage: Usage, fault: Fault | undefined): Usage {
	if (fault?.type !== "usage-scaled") return usage;
	const scale = (tokens: number): number => Math.floor(tokens * fault.factor);
	const { prompt, read, written, written1h } = usage;
	return {
		...usage,
		...{ prompt: scale(prompt), read: scale(read), written: scale(written), written1h: scale(written1h) },
	};
}

/**
 * Creates the part of the server that knows no sockets: request text in, record and answer out. Providers cache prompts;
 * models remember nothing. Throws what the scripted model throws.
 */
export function createExchange(options: ExchangeOptions): (incoming: IncomingRequest) => Exchanged {
	const { model, contextWindow, now, addsThinking } = options;
	const segment = createSegmenter();
	const cache = createPromptCache(now);
	return (incoming) => {
		const { api, text, betas, index, fault, onlyCounts } = incoming;
		const sent = parseJson(text);
		const body = fieldsOf(sent);
		const checked: PrefixCheckResult = api.sealing
			? checkPrefix(api.sealing.format, body, betas)
			: { body, transformations: undefined, stale: [], keepsStale: true };
		const reading = api.read(checked.body, segment);
		const promptTokens = totalTokens(reading.segments);
		const refusal = findRefusal(incoming, sent, checked, { tokens: promptTokens, contextWindow });
		if (onlyCounts) {
			return { answer: refusal ? { type: "refused", refusal } : { type: "counted", tokens: promptTokens } };
		}
		const head = {
			index,
			api: api.name,
			model: reading.model,
			promptTokens,
			staleThinking: checked.stale.length,
			droppedThinking: checked.keepsStale || checked.refusal ? 0 : checked.stale.length,
			body: sent,
			extendsPrevious: cache.extendsPrevious(api.name, reading),
		};
		if (refusal) {
			const record = { ...head, cachedTokens: 0, writtenTokens: 0, outputTokens: 0 };
			return { record: { ...record, refused: refusal }, answer: { type: "refused", refusal } };
		}
		const reply = completeReply(model(reading.request), reading.thinking, addsThinking);
		const use = cache.process(api.name, reading);
		const usage = { prompt: promptTokens, ...use, ...replyTokens(reply) };
		const response = responseToken(index, text);
		const turn = {
			response,
			model: reading.model,
			created: Math.floor(now() / 1000),
			reply,
			content: sealReply(api, reply, response, checked),
			transformations: checked.transformations,
			usage: reportedUsage(usage, fault),
			streamUsage: reading.streamUsage,
		};
		const record = {
			...head,
			cachedTokens: use.read,
			writtenTokens: use.written,
			outputTokens: usage.output,
		};
		return { record, answer: { type: "turn", turn, stream: reading.stream } };
	};
}
