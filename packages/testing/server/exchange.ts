/** The part of the server that knows no sockets: request text in, record and answer out. */
import { fieldsOf, sum, textOf } from "#basics";
import type { ModelReply, ScriptedModel } from "../model.ts";
import { createPromptCache, totalTokens } from "../prompt-cache.ts";
import { applyRules, badRequest, type Refusal } from "../refusal.ts";
import { responseToken } from "../seal.ts";
import { checkPrefix, sealAnswer } from "../thinking/stale.ts";
import { countTokens } from "../tokens.ts";
import type { Api, ApiName, FaultStatus, Usage } from "../wire/api.ts";
import { createThreads } from "./threads.ts";

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
	/** The parsed body, with the messages that its thread holds, if the server keeps bodies. */
	readonly body?: unknown;
	/** Continues a message thread: it was sent without the messages before its new ones. */
	readonly isContinued: boolean;
	/** Characters of the body as it was sent. */
	readonly sentLength: number;
	/** The prompt starts with the whole prompt of the model's previous request, cache markers aside. */
	readonly extendsPrevious: boolean;
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
	/** In tokens, 200,000 by default; longer prompts are refused as the real provider refuses them. */
	readonly contextWindow?: number;
	/** Adds thinking to replies that have none, where the request allows it, so that every session tests the check. */
	readonly addsThinking?: boolean;
	/** Clock in ms, by which cache entries expire. */
	readonly now?: () => number;
}

interface IncomingRequest {
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

/** The answer that goes back over the wire, as one JSON body or in the frames of a stream. */
export interface Answer {
	readonly status: number;
	readonly frames: readonly string[];
	readonly isStream: boolean;
	/** The fault that breaks the answer off in its middle. */
	readonly cut?: "reset" | "stall" | undefined;
}

export const jsonAnswer = (status: number, body: unknown): Answer => ({
	status,
	frames: [JSON.stringify(body)],
	isStream: false,
});

/** Undefined for a text that is no JSON. */
function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

/** A short thought for a reply that came without one. The same reply always gets the same. */
function inventThinking({ text = "", calls = [] }: ModelReply): string {
	const steps = calls.map((call) => `${call.name} ${JSON.stringify(call.arguments)}`);
	return `The next step follows from what I have seen: ${[text, ...steps].filter(Boolean).join("; ").slice(0, 400)}`;
}

/** Tokens of a reply: its thinking alone, and all of it. */
function replyTokens({ thinking, text, calls }: Required<ModelReply>): Pick<Usage, "thinking" | "output"> {
	const thought = countTokens(thinking);
	const said = [text, ...calls.flatMap((call) => [call.name, JSON.stringify(call.arguments)])];
	return { thinking: thought, output: thought + sum(said, countTokens) };
}

/** The usage that is reported under a fault; scaled columns still add up. */
function reportedUsage({ output, thinking, ...input }: Usage, fault: Fault | undefined): Usage {
	const scale = (tokens: number) =>
		fault?.type === "usage-scaled" ? Math.floor(tokens * fault.factor) : tokens;
	const prompt = scale(input.prompt);
	const read = scale(input.read);
	return { output, thinking, prompt, read, written: scale(input.written), written1h: scale(input.written1h) };
}

/**
 * Creates the part of the server that knows no sockets: request text in, record and answer out. Providers cache prompts;
 * models remember nothing. A request that only counts tokens costs nothing and has no record. Throws what the scripted model
 * throws.
 */
export function createExchange(options: ExchangeOptions) {
	const { model: script, contextWindow = 200_000, now = Date.now, addsThinking = false } = options;
	/** Requests repeat those before them, so each text is counted once. */
	const counts = new Map<string, number>();
	const count = (text: string): number => {
		const tokens = counts.get(text) ?? countTokens(text);
		counts.set(text, tokens);
		return tokens;
	};
	const cache = createPromptCache(now);
	const openThread = createThreads(now);
	return (incoming: IncomingRequest): { readonly record?: RequestRecord; readonly answer: Answer } => {
		const { api, text, betas, index, fault, onlyCounts } = incoming;
		const parsed = parseJson(text);
		const threaded = openThread(fieldsOf(parsed), betas);
		const sent = parsed === undefined ? undefined : threaded.body;
		const checked = checkPrefix(api.sealing, fieldsOf(sent), betas);
		const { body, stale, keepsStale, transformations } = checked;
		const { request, thinking: allowsThinking, segments, breakpoints } = api.read(body, count);
		const model = textOf(body.model);
		const prompt = { model, segments, ...(breakpoints && { breakpoints }) };
		const promptTokens = totalTokens(segments);

		/** The reason to refuse the request, in the order in which providers check: load, rules, thinking, length. */
		const findRefusal = (): Refusal | undefined => {
			if (fault?.type === "status") return { status: fault.status, ...api.faults[fault.status] };
			if (sent === undefined) return badRequest("We could not parse the JSON body of your request.");
			if (threaded.refusal) return threaded.refusal;
			// Counting applies the same rules as answering, but needs no output limit.
			const broken = applyRules(api.rules, onlyCounts ? { max_tokens: 1, ...fieldsOf(sent) } : sent);
			if (broken ?? checked.refusal) return broken ?? checked.refusal;
			if (fault?.type === "overflow") return api.overflow(contextWindow + 1, contextWindow);
			return promptTokens > contextWindow ? api.overflow(promptTokens, contextWindow) : undefined;
		};
		const refusal = findRefusal();
		const refused = refusal && jsonAnswer(refusal.status, api.errorBody(refusal));
		if (onlyCounts) return { answer: refused ?? jsonAnswer(200, { input_tokens: promptTokens }) };

		const head = {
			index,
			api: api.name,
			model,
			promptTokens,
			staleThinking: stale.length,
			droppedThinking: keepsStale || checked.refusal ? 0 : stale.length,
			body: sent,
			isContinued: fieldsOf(fieldsOf(parsed).thread).type === "continue",
			sentLength: text.length,
			extendsPrevious: cache.extendsPrevious(api.name, prompt),
		};
		if (refusal && refused) {
			const record = { ...head, cachedTokens: 0, writtenTokens: 0, outputTokens: 0, refused: refusal };
			return { record, answer: refused };
		}

		const said = script(request);
		const thought = said.thinking ?? (addsThinking ? inventThinking(said) : "");
		const reply = { text: "", calls: [], ...said, thinking: allowsThinking ? thought : "" };
		const use = cache.process(api.name, prompt);
		const usage = { prompt: promptTokens, ...use, ...replyTokens(reply) };
		const response = responseToken(index, text);
		const composed = api.compose(reply, response);
		const turn = {
			body,
			response,
			reply,
			transformations,
			created: Math.floor(now() / 1000),
			content: api.sealing ? sealAnswer(api.sealing, body, composed, keepsStale) : composed,
			usage: reportedUsage(usage, fault),
		};
		threaded.hold?.(`msg_${response}`, turn.content);
		const isStream = body.stream === true;
		const answer = isStream
			? { status: 200, frames: api.stream(turn), isStream }
			: jsonAnswer(200, api.whole(turn));
		const cut = fault?.type === "reset" || fault?.type === "stall" ? fault.type : undefined;
		return {
			record: {
				...head,
				cachedTokens: use.read,
				writtenTokens: use.written,
				outputTokens: usage.output,
			},
			answer: { ...answer, cut },
		};
	};
}
