/** A model's family and version, read from its id. Versions compare as numbers: 5.2 is 502. */
interface ModelVersion {
	readonly maker: "anthropic" | "openai";
	/** Such as `opus`; `gpt` for every OpenAI model. */
	readonly family: string;
	readonly version: number;
}

/** Minor versions have at most two digits, so that a release date such as 20250514 is none. */
const CLAUDE = /claude-([a-z]+)-(\d{1,2})(?:[.-](\d{1,2}))?(?!\d)/;
const GPT = /(gpt)-(\d{1,2})(?:\.(\d{1,2}))?(?!\d)/;

/** Reads ids such as `claude-opus-5-5`, `anthropic/claude-opus-5.5` and `gpt-6.2-sol`; undefined for all others. */
export function parseModelId(id: string): ModelVersion | undefined {
	const claude = CLAUDE.exec(id);
	const [, family, major, minor = 0] = claude ?? GPT.exec(id) ?? [];
	if (family === undefined) return undefined;
	const version = Number(major) * 100 + Number(minor);
	return { maker: claude ? "anthropic" : "openai", family, version };
}

/** The rules in which models of one API differ. */
export interface ModelBehavior {
	/**
	 * The provider's reaction to thinking whose conversation changed after the model produced it: none, an error unless the
	 * request asks to drop it, or its removal, which the response reports.
	 */
	readonly prefixCheck: "none" | "refuses" | "removes";
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
	readonly families: readonly string[];
	readonly since: number;
	readonly value: T;
}

const claude = <T>(value: T, since: number, ...families: readonly string[]): Floor<T> => ({
	...{ maker: "anthropic", families, since, value },
});

const gpt = <T>(value: T, since: number): Floor<T> => ({ maker: "openai", families: [], since, value });

/**
 * The rules of a model by its id; ids that name no Claude and no GPT get the mildest. Floors make models that are not
 * released yet count as the newest. Accounts count as new ones, which are held to the prefix check of more models.
 */
export function behaviorOf(modelId: string): ModelBehavior {
	const model = parseModelId(modelId);
	/** The value of the first row that covers the model, so rows for newer versions stand first. */
	const find = <T>(otherwise: T, ...rows: readonly Floor<T>[]): T => {
		const row = rows.find(
			({ maker, families, since }) =>
				model?.maker === maker &&
				model.version >= since &&
				(families.length === 0 || families.includes(model.family)),
		);
		return row ? row.value : otherwise;
	};
	return {
		// platform.claude.com "preserved thinking" and "what's new in Fable 5.2"; developers.openai.com "keep the prefix unchanged".
		prefixCheck: find<ModelBehavior["prefixCheck"]>(
			"none",
			claude("refuses", 501, "fable", "mythos"),
			claude("refuses", 505),
			gpt("removes", 602),
		),
		// Prompt-caching guide and OpenRouter's page on prompt caching (November 2026).
		minimumCachedPrefix: find(
			1024,
			claude(512, 505),
			claude(512, 500, "fable", "mythos", "opus"),
			claude(1024, 408, "opus", "sonnet"),
			claude(2048, 407, "opus"),
			claude(4096, 405, "opus", "haiku"),
		),
		// Guide to mid-conversation system messages.
		acceptsSystemMessages: find(
			false,
			claude(true, 505),
			claude(true, 500, "fable", "mythos"),
			claude(true, 408, "opus"),
		),
		// Thinking guide: models from 4.7 on think adaptively and refuse a budget.
		acceptsThinkingBudget: find(true, claude(false, 407)),
		// Thinking guide: the 5.x models omit the text by default.
		omitsThinkingText: find(false, claude(true, 500)),
		// Thinking guide, "billing": Opus from 4.5, Sonnet from 4.6, Fable, Mythos and Haiku after 4.5 keep all thinking.
		keepsOldThinking: find(true, claude(true, 406), claude(true, 405, "opus"), claude(false, 0)),
		// OpenAI's prompt-caching guide: GPT-5.6 and later.
		billsCacheWrites: find(false, gpt(true, 506)),
	};
}
