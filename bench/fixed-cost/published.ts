/** Published figures of other agents before the first word of a task. Their tokenizers and ways of counting differ. */

export interface PublishedFigure {
	readonly agent: string;
	readonly tokens: number;
	/** The subject of the count. */
	readonly counted: string;
	readonly source: string;
}

export const published: readonly PublishedFigure[] = [
	{
		agent: "pi-cwl, the paper's own implementation",
		tokens: 2892,
		counted: "o200k; system prompt 1,008 and 13 tool definitions 1,884, counted in its source",
		source: "https://github.com/Kiz8-Team/pi-cwl at cd2ea3f",
	},
	{
		agent: "OpenCode 1.1.20",
		tokens: 11408,
		counted: "input of the first request to a Gemini model, an empty folder",
		source: "https://github.com/anomalyco/opencode/issues/8984",
	},
	{
		agent: "Copilot Chat 0.52, agent mode",
		tokens: 13900,
		counted: "system prompt and tool schemas, about, counted in its bundle",
		source: "https://github.com/microsoft/vscode/issues/321299",
	},
	{
		agent: "Codex CLI, March 2026",
		tokens: 18080,
		counted: "input of the first turn, a message of five words",
		source: "https://github.com/openai/codex/issues/16212",
	},
	{
		agent: "Claude Code, March 2026",
		tokens: 21000,
		counted: "system prompt and tools, about",
		source: "https://github.com/anthropics/claude-code/issues/30103",
	},
	{
		agent: "Qwen Code, July 2026",
		tokens: 22287,
		counted: "input of a one-word message, with a role of 489 tokens that its user gave it",
		source: "https://github.com/QwenLM/qwen-code/issues/6097",
	},
];
