import type { Api, AssistantMessage, Context, Model } from "@mariozechner/pi-ai";
import { streamSimple } from "@mariozechner/pi-ai";
import { LIST_PRICES } from "../pi-driver/agent-directory.ts";
import type { ApiName } from "../wire/api.ts";

export const API_NAMES: readonly ApiName[] = ["completions", "responses", "anthropic"];

const WIRES: Record<ApiName, Api> = {
	completions: "openai-completions",
	responses: "openai-responses",
	anthropic: "anthropic-messages",
};

/** The model of pi-ai that leads to a loopback server. */
export function piModel(api: ApiName, url: string): Model<Api> {
	return {
		id: api,
		name: api,
		api: WIRES[api],
		provider: "loopback",
		baseUrl: api === "anthropic" ? url : `${url}/v1`,
		reasoning: true,
		input: ["text", "image"],
		cost: LIST_PRICES[api],
		contextWindow: 200_000,
		maxTokens: 32_000,
	};
}

/** One request through the real pi-ai, with thinking on; failures come back as a message with `stopReason: "error"`. */
export function ask(model: Model<Api>, context: Context): Promise<AssistantMessage> {
	return streamSimple(model, context, { apiKey: "any", reasoning: "medium", maxRetries: 0 }).result();
}
