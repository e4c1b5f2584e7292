import { type ModelVersion, parseModelId, version } from "./model-id.ts";

/** The provider's reaction to thinking whose conversation changed after the model produced it. */
export type PrefixCheck =
	/** The model reads stale thinking without complaint. */
	| { readonly type: "none" }
	/** Stale thinking is an error unless the request asks to drop it; for some models on new accounts only. */
	| { readonly type: "refuses"; readonly accounts: "all" | "new" }
	/** Stale reasoning is removed, and the response says so. */
	| { readonly type: "removes" };

/** The rules in which models of one API differ. */
export interface ModelBehavior {
	readonly prefixCheck: PrefixCheck;
	/** In tokens; shorter prefixes are not cached. */
	readonly minimumCachedPrefix: number;
	/** Accepts messages of the role `system` inside the conversation. */
	readonly acceptsSystemMessages: boolean;
	/** Accepts `thinking: {type: "enabled"}` with a budget. */
	readonly acceptsThinkingBudget: boolean;
	/** Returns thinking without its text unless the request asks for a summary. */
	readonly omitsThinkingText: boolean;
	/** Keeps and bills the thinking of all turns; otherwise only that of the turn in progress. */
	readonly keepsOldThinking: boolean;
	/** OpenAI: writing to the cache has a price, and hits end at breakpoints instead of steps of 128 tokens. */
	readonly billsCacheWrites: boolean;
}

/** A value that holds for the named families from a version on; without families, for all of the maker. */
interface Floor<T> {
	readonly maker: ModelVersion["maker"];
	readonly families?: readonly string[];
	readonly since: number;
	readonly value: T;
}

function claude<T>(value: T, since: number, ...families: readonly string[]): Floor<T> {
	return { maker: "anthropic", since, value, ...(families.length > 0 ? { families } : {}) };
}

function gpt<T>(value: T, since: number): Floor<T> {
	return { maker: "openai", since, value };
}

/** The value of the first row that covers a model, so rows for newer versions stand first. */
function lookUp<T>(rows: readonly Floor<T>[], model: ModelVersion | undefined, otherwise: T): T {
	const row = rows.find(
		({ maker, families, since }) =>
			model?.maker === maker && model.version >= since && (families?.includes(model.family) ?? true),
	);
	return row ? row.value : otherwise;
}

/**
 * Sources: platform.claude.com "preserved thinking" and "what's new in Fable 5.2"; developers.openai.com "keep the
 * prefix unchanged" (autumn 2026). Floors make models that are not released yet count as checking. Anthropic's pages
 * contradict each other on Mythos 5.1, which therefore counts as checking for every account.
 */
const PREFIX_CHECKS: readonly Floor<PrefixCheck>[] = [
	claude<PrefixCheck>({ type: "refuses", accounts: "all" }, version(5, 2), "fable"),
	claude<PrefixCheck>({ type: "refuses", accounts: "all" }, version(5, 1), "mythos"),
	claude<PrefixCheck>({ type: "refuses", accounts: "new" }, version(5, 1), "fable"),
	claude<PrefixCheck>({ type: "refuses", accounts: "new" }, version(5, 5)),
	gpt<PrefixCheck>({ type: "removes" }, version(6, 2)),
];

const DEFAULT_MINIMUM_PREFIX = 1024;

/** Prompt-caching guide and OpenRouter's page on prompt caching (November 2026). */
const MINIMUM_PREFIXES: readonly Floor<number>[] = [
	claude(512, version(5, 5)),
	claude(512, version(5, 0), "fable", "mythos", "opus"),
	claude(1024, version(4, 8), "opus", "sonnet"),
	claude(2048, version(4, 7), "opus"),
	claude(4096, version(4, 5), "opus", "haiku"),
];

/** Guide to mid-conversation system messages. */
const SYSTEM_MESSAGES: readonly Floor<boolean>[] = [
	claude(true, version(5, 5)),
	claude(true, version(5, 0), "fable", "mythos"),
	claude(true, version(4, 8), "opus"),
];

/** Thinking guide: models from 4.7 on think adaptively and refuse a budget. */
const THINKING_BUDGETS: readonly Floor<boolean>[] = [claude(false, version(4, 7))];

/** Thinking guide: the 5.x models omit the text by default. */
const OMITTED_TEXTS: readonly Floor<boolean>[] = [claude(true, version(5, 0))];

/** Thinking guide, "billing": Opus from 4.5, Sonnet from 4.6, Fable, Mythos and Haiku after 4.5 keep all thinking. */
const OLD_THINKING: readonly Floor<boolean>[] = [
	claude(true, version(4, 6)),
	claude(true, version(4, 5), "opus"),
	claude(false, 0),
];

/** OpenAI's prompt-caching guide: GPT-5.6 and later. */
const CACHE_WRITES: readonly Floor<boolean>[] = [gpt(true, version(5, 6))];

/** The rules of a model by its id. Ids that name no Claude and no GPT get the mildest rules. */
export function behaviorOf(modelId: string): ModelBehavior {
	const model = parseModelId(modelId);
	return {
		prefixCheck: lookUp(PREFIX_CHECKS, model, { type: "none" }),
		minimumCachedPrefix: lookUp(MINIMUM_PREFIXES, model, DEFAULT_MINIMUM_PREFIX),
		acceptsSystemMessages: lookUp(SYSTEM_MESSAGES, model, false),
		acceptsThinkingBudget: lookUp(THINKING_BUDGETS, model, true),
		omitsThinkingText: lookUp(OMITTED_TEXTS, model, false),
		keepsOldThinking: lookUp(OLD_THINKING, model, true),
		billsCacheWrites: lookUp(CACHE_WRITES, model, false),
	};
}
