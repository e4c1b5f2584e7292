/** A model's family and version, read from its id. Versions compare as numbers: 5.2 is 502. */
export interface ModelVersion {
	readonly maker: "anthropic" | "openai";
	/** Such as `opus`; `gpt` for every OpenAI model. */
	readonly family: string;
	readonly version: number;
}

/** Minor versions have at most two digits, so that a release date such as 20250514 is none. */
const CLAUDE = /claude-([a-z]+)-(\d{1,2})(?:[.-](\d{1,2}))?(?!\d)/;
const GPT = /gpt-(\d{1,2})(?:\.(\d{1,2}))?(?!\d)/;

/** The version number that `major.minor` compares as. */
export function version(major: number, minor: number): number {
	return major * 100 + minor;
}

/** Reads ids such as `claude-opus-5-5`, `anthropic/claude-opus-5.5` and `gpt-6.2-sol`; undefined for all others. */
export function parseModelId(id: string): ModelVersion | undefined {
	const claude = CLAUDE.exec(id);
	if (claude?.[1]) {
		const number = version(Number(claude[2]), Number(claude[3] ?? 0));
		return { maker: "anthropic", family: claude[1], version: number };
	}
	const gpt = GPT.exec(id);
	if (!gpt) return undefined;
	return { maker: "openai", family: "gpt", version: version(Number(gpt[1]), Number(gpt[2] ?? 0)) };
}
