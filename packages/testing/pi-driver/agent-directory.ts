import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { findListPrice } from "#core/prices";
import { behaviorOf, parseModelId } from "../model-behavior.ts";
import type { ApiName } from "../wire/api.ts";

/** The provider of a written agent directory: `loopback/completions`, `/responses`, `/anthropic`, and named models. */
export const LOOPBACK_PROVIDER = "loopback";

/** US dollars per million tokens. */
type Prices = Readonly<Record<"input" | "output" | "cacheRead" | "cacheWrite", number>>;

export interface AgentDirectoryOptions {
	/** The server's address without `/v1`. */
	readonly url: string;
	/** In tokens, 200,000 by default; should be the server's. */
	readonly contextWindow?: number;
	/** The model that a pi without `--model` starts with; no settings file is written without it. */
	readonly api?: ApiName;
	/** Further contents of settings.json, such as `{ compaction: { enabled: false } }`. */
	readonly settings?: Readonly<Record<string, unknown>>;
	/** Real models to offer as well, such as `claude-opus-5-5` or `gpt-6.2-sol`, with their rules and list prices. */
	readonly models?: readonly string[];
}

/** List prices of a mid-size model of each vendor, so that the footer's cost looks like a real one. */
export const LIST_PRICES: Record<ApiName, Prices> = {
	completions: { input: 1.25, output: 10, cacheRead: 0.125, cacheWrite: 0 },
	responses: { input: 1.25, output: 10, cacheRead: 0.125, cacheWrite: 0 },
	anthropic: { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 },
};

const IMAGES: ("text" | "image")[] = ["text", "image"];

/** The names that pi gives the APIs. Anthropic's SDK expects a base address without `/v1`. */
const WIRES: Readonly<Record<ApiName, { readonly api: string; readonly path: string }>> = {
	completions: { api: "openai-completions", path: "/v1" },
	responses: { api: "openai-responses", path: "/v1" },
	anthropic: { api: "anthropic-messages", path: "" },
};

/** The model of an API, as a models.json of pi describes it. */
export function modelEntry(name: ApiName, { url, contextWindow = 200_000 }: AgentDirectoryOptions) {
	const { api, path } = WIRES[name];
	return {
		id: name,
		name: `Loopback ${name}`,
		api,
		baseUrl: url + path,
		contextWindow,
		reasoning: true,
		input: IMAGES,
		maxTokens: 32_000,
		cost: LIST_PRICES[name],
	};
}

/** The cost that a models.json of pi has for a model whose price is unknown. */
const UNKNOWN_PRICE: Prices = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

function piPrices({ input, output, cacheRead, cacheWrite }: Prices): Prices {
	return { input, output, cacheRead, cacheWrite };
}

function namedEntry(id: string, options: AgentDirectoryOptions): unknown {
	const isClaude = parseModelId(id)?.maker === "anthropic";
	const entry = modelEntry(isClaude ? "anthropic" : "responses", options);
	const { acceptsThinkingBudget, acceptsSystemMessages, prefixCheck } = behaviorOf(id);
	/** The switches that pi's own model table sets for a Claude model; versions of pi that lack one ignore it. */
	const compat = {
		supportsMessageThreads: true,
		forceAdaptiveThinking: !acceptsThinkingBudget,
		supportsMidConvoEffort: prefixCheck === "refuses",
		supportsMidConvoSystemMessages: acceptsSystemMessages,
		supportsMidConvoToolChanges: acceptsSystemMessages,
	};
	const listed = findListPrice(id, new Date().toISOString().slice(0, 10));
	const tiers = listed?.tiers?.map((tier) => ({
		...piPrices(tier),
		inputTokensAbove: tier.inputTokensAbove,
	}));
	const cost = { ...piPrices(listed ?? UNKNOWN_PRICE), tiers };
	return { ...entry, id, name: `Loopback ${id}`, cost, ...(isClaude && { compat }) };
}

/** The contents of a models.json for pi. */
function loopbackModels(options: AgentDirectoryOptions): unknown {
	const apis = ["completions", "responses", "anthropic"] as const;
	const named = (options.models ?? []).map((id) => namedEntry(id, options));
	const threads = { compat: { supportsMessageThreads: true } };
	const plain = apis.map((api) => ({ ...modelEntry(api, options), ...(api === "anthropic" && threads) }));
	const models = [...plain, ...named];
	const provider = { baseUrl: `${options.url}/v1`, api: "openai-completions", apiKey: "loopback", models };
	return { providers: { [LOOPBACK_PROVIDER]: provider } };
}

/**
 * Writes the models.json, and settings.json when `api` or `settings` is given, with which an unmodified pi talks to
 * a loopback server: run it with PI_CODING_AGENT_DIR set to the directory.
 */
export async function writeAgentDirectory(dir: string, options: AgentDirectoryOptions): Promise<void> {
	const writeJson = (name: string, value: unknown): Promise<void> =>
		writeFile(join(dir, name), `${JSON.stringify(value, undefined, "\t")}\n`);
	await mkdir(dir, { recursive: true });
	await writeJson("models.json", loopbackModels(options));
	if (!options.api && !options.settings) return;
	const defaults = options.api ? { defaultProvider: LOOPBACK_PROVIDER, defaultModel: options.api } : {};
	await writeJson("settings.json", { ...defaults, ...options.settings });
}
