/** The request bodies that four providers would get: pi's own conversion, stopped just before the request is sent. */
import type { Api, Context, Message, Model, StreamOptions } from "@mariozechner/pi-ai";
import type { Rule } from "#loopback";
import { anthropicRules, completionsRules, googleRules, responsesRules } from "#loopback/provider-rules";
import { loadStreams } from "../pi-host.ts";

export type WireName = "anthropic" | "responses" | "completions" | "google";

/** The model that answers; its own earlier messages are sent back with their signatures. */
export interface Sender {
	readonly provider: string;
	readonly model: string;
}

export interface Wire {
	readonly name: WireName;
	readonly api: Api;
	/** The sender if the caller names none. */
	readonly sender: Sender;
	readonly rules: readonly Rule[];
	/** The request body. Throws what pi's conversion throws. */
	body(messages: readonly Message[], sender?: Sender): unknown;
}

const providers: Readonly<Record<WireName, string>> = {
	anthropic: "anthropic",
	responses: "openai",
	completions: "local",
	google: "google",
};

const streams = await loadStreams();

export const wires: readonly [Wire, ...Wire[]] = [
	makeWire("anthropic", "anthropic-messages", "claude-sonnet-4-5", anthropicRules, (model, context, stop) =>
		streams["anthropic-messages"](model, context, {
			...stop,
			thinkingEnabled: true,
			thinkingBudgetTokens: 2_048,
		}),
	),
	makeWire("responses", "openai-responses", "gpt-5", responsesRules, (model, context, stop) =>
		streams["openai-responses"](model, context, { ...stop, reasoningEffort: "medium" }),
	),
	makeWire(
		"completions",
		"openai-completions",
		"local-model",
		completionsRules,
		streams["openai-completions"],
	),
	makeWire("google", "google-generative-ai", "gemini-3-pro-preview", googleRules, (model, context, stop) =>
		streams["google-generative-ai"](model, context, { ...stop, thinking: { enabled: true, level: "LOW" } }),
	),
];

type Start<A extends Api> = (model: Model<A>, context: Context, stop: StreamOptions) => unknown;

function makeWire<A extends Api>(
	name: WireName,
	api: A,
	model: string,
	rules: readonly Rule[],
	start: Start<A>,
): Wire {
	const sender = { provider: providers[name], model };
	return {
		name,
		api,
		sender,
		rules,
		body: (messages, by = sender) => capture(start, describeModel(api, by), [...messages]),
	};
}

function describeModel<A extends Api>(api: A, { provider, model }: Sender): Model<A> {
	return {
		id: model,
		name: model,
		api,
		provider,
		baseUrl: "http://127.0.0.1",
		reasoning: true,
		input: ["text", "image"],
		cost: { input: 1, output: 1, cacheRead: 1, cacheWrite: 1 },
		contextWindow: 1_000_000,
		maxTokens: 32_000,
	};
}

const captured = new Error("the request body was captured; nothing is sent");

/** pi hands the body over before it waits for anything, so nothing is ever sent. */
function capture<A extends Api>(start: Start<A>, model: Model<A>, messages: Message[]): unknown {
	let body: unknown;
	const stop: StreamOptions = {
		apiKey: "none",
		onPayload(payload) {
			body = payload;
			throw captured;
		},
	};
	start(model, { systemPrompt: "Be brief.", messages }, stop);
	if (body === undefined) throw new Error(`pi could not convert the messages for ${model.api}.`);
	return body;
}
