import type { Api, AssistantMessage, Context, Model } from "@mariozechner/pi-ai";
import { streamSimple } from "@mariozechner/pi-ai";
import { LOOPBACK_PROVIDER, modelEntry } from "../pi-driver/agent-directory.ts";
import type { ApiName } from "../wire/api.ts";

export const API_NAMES: readonly ApiName[] = ["completions", "responses", "anthropic"];

/** The model of pi-ai that leads to a loopback server. */
export const piModel = (api: ApiName, url: string): Model<Api> => ({
	...{ ...modelEntry(api, { url }), provider: LOOPBACK_PROVIDER },
});

/** One request through the real pi-ai, with thinking on; failures come back as a message with `stopReason: "error"`. */
export function ask(model: Model<Api>, context: Context): Promise<AssistantMessage> {
	return streamSimple(model, context, { apiKey: "any", reasoning: "medium", maxRetries: 0 }).result();
}
