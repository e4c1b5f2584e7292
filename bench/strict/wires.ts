/** The request bodies that four providers would get: pi's own conversion, stopped just before the request is sent. */

import type { Api, Message, Model, StreamOptions } from "@mariozechner/pi-ai";
import { fieldsOf, textOf } from "#basics";
import { behaviorOf, type Rule } from "#testing";
import { anthropicRules, completionsRules, googleRules, responsesRules } from "#testing/provider-rules";
import { loadStream, type Stream, type StreamApi } from "../pi-host.ts";

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

interface Description extends Omit<Wire, "body" | "sender">, Sender {
	readonly api: StreamApi;
	/** The options with which the model thinks. */
	readonly options: object;
}

export const wires: readonly [Wire, ...Wire[]] = [
	await makeWire({
		name: "anthropic",
		api: "anthropic-messages",
		provider: "anthropic",
		model: "claude-sonnet-4-5",
		rules: anthropicRules,
		options: { thinkingEnabled: true, thinkingBudgetTokens: 2_048 },
	}),
	await makeWire({
		name: "responses",
		api: "openai-responses",
		provider: "openai",
		model: "gpt-5",
		rules: responsesRules,
		options: { reasoningEffort: "medium" },
	}),
	await makeWire({
		name: "completions",
		api: "openai-completions",
		provider: "local",
		model: "local-model",
		rules: completionsRules,
		options: {},
	}),
	await makeWire({
		name: "google",
		api: "google-generative-ai",
		provider: "google",
		model: "gemini-3-pro-preview",
		rules: googleRules,
		options: { thinking: { enabled: true, level: "LOW" } },
	}),
];

async function makeWire({ name, api, rules, options, provider, model }: Description): Promise<Wire> {
	const sender = { provider, model };
	const stream = await loadStream(api);
	const start: Stream = (by, context, stop) => stream(by, context, { ...stop, ...options });
	return {
		name,
		api,
		sender,
		rules,
		body: (messages, by = sender) => adaptThinking(capture(start, describeModel(api, by), [...messages])),
	};
}

/** pi 0.73.1 asks every model for a number of thinking tokens, which Claude models since 4.7 refuse. */
function adaptThinking(body: unknown): unknown {
	const { thinking, ...rest } = fieldsOf(body);
	if (fieldsOf(thinking).type !== "enabled" || behaviorOf(textOf(rest.model)).acceptsThinkingBudget)
		return body;
	return { ...rest, thinking: { type: "adaptive" } };
}

function describeModel(api: Api, { provider, model }: Sender): Model<Api> {
	return {
		id: model,
		name: model,
		api,
		provider,
		baseUrl: "http://127.0.0.1",
		reasoning: true,
		input: ["text", "image"],
		contextWindow: 1_000_000,
		maxTokens: 32_000,
		cost: { input: 1, output: 1, cacheRead: 1, cacheWrite: 1 },
	};
}

const captured = new Error("the request body was captured; nothing is sent");

/** pi hands the body over before it waits for anything, so nothing is ever sent. */
function capture(start: Stream, model: Model<Api>, messages: Message[]): unknown {
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
