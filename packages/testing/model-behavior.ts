/** Minor versions have at most two digits, so that a release date such as 20250514 is none. */
const CLAUDE = /claude-([a-z]+)-(\d{1,2})(?:[.-](\d{1,2}))?(?!\d)/;
const GPT = /(gpt)-(\d{1,2})(?:\.(\d{1,2}))?(?!\d)/;

/**
 * The maker, the family and the version of ids such as `claude-opus-5-5`, `anthropic/claude-opus-5.5` and `gpt-6.2-sol`, whose
 * family is `gpt`; undefined for all others. Versions compare as numbers: 5.2 is 502.
 */
export function parseModelId(id: string) {
	const claude = CLAUDE.exec(id);
	const [, family, major, minor = 0] = claude ?? GPT.exec(id) ?? [];
	if (family === undefined) return undefined;
	const version = Number(major) * 100 + Number(minor);
	return { maker: claude ? "anthropic" : "openai", family, version } as const;
}

/** The rules in which models of one API differ. */
export interface ModelBehavior {
	/**
	 * The provider's reaction to thinking whose conversation changed after the model produced it: none, an error unless the
	 * request asks to drop it, or its removal, which the response reports.
	 */
	readonly prefixCheck: "none" | "refuses" | "removes";
	/** Accepts messages of the role `system` inside the conversation. */
	readonly acceptsSystemMessages: boolean;
	/** Accepts `thinking: {type: "enabled"}` with a budget. */
	readonly acceptsThinkingBudget: boolean;
	/** Returns thinking without its text unless the request asks for a summary. */
	readonly omitsThinkingText: boolean;
}

/**
 * The rules of a model by its id; ids that name no Claude and no GPT get the mildest. Models that are not released yet count as
 * the newest. Accounts count as new ones, which are held to the prefix check of more models.
 */
export function behaviorOf(modelId: string): ModelBehavior {
	const { maker, family = "", version = 0 } = parseModelId(modelId) ?? {};
	const claude = maker === "anthropic" ? version : 0;
	const isNewLine = family === "fable" || family === "mythos";
	const removes = maker === "openai" && version >= 602;
	return {
		// platform.claude.com "preserved thinking" and "what's new in Fable 5.2"; developers.openai.com "keep the prefix unchanged".
		prefixCheck: claude >= (isNewLine ? 501 : 505) ? "refuses" : removes ? "removes" : "none",
		// Guide to mid-conversation system messages.
		acceptsSystemMessages: claude >= (isNewLine ? 500 : family === "opus" ? 408 : 505),
		// Thinking guide: models from 4.7 on think adaptively and refuse a budget.
		acceptsThinkingBudget: claude < 407,
		// Thinking guide: the 5.x models omit the text by default.
		omitsThinkingText: claude >= 500,
	};
}
