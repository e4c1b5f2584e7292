/** Recognizes by name the models that bind thinking to the conversation in front of it (preserved-thinking guide, 2026-11). */
import { fieldsOf, isRecord } from "#basics";

/** The first versions that check; later ones do too. */
const CLAUDE_FLOORS: Readonly<Record<string, string>> = {
	fable: "5.1",
	mythos: "5.1",
	opus: "5.5",
	sonnet: "5.5",
	haiku: "5.5",
};
/** From this one on reasoning behind a changed prefix is removed without an error (keep-prefix-unchanged guide). */
const GPT_FLOOR = "6.2";

/** Makers of which no such check is known. */
const UNBOUND =
	/gemini|gemma|deepseek|qwen|glm|kimi|minimax|grok|mistral|devstral|codestral|llama|nova|gpt-oss|\bo[134]\b/;

/**
 * Returns true if a model refuses, drops or removes thinking whose prefix changed. A Claude or GPT without a readable
 * version counts as a new one; so does a model of an unknown maker behind one of their APIs.
 */
export function bindsThinking({ id, api = "" }: Readonly<{ id: string; api?: string | undefined }>): boolean {
	const name = id.toLowerCase();
	if (UNBOUND.test(name)) return false;
	if (/claude|fable|mythos|opus|sonnet|haiku/.test(name)) return isCheckingClaude(name);
	if (/gpt/.test(name)) return isCheckingGpt(name);
	return /^(anthropic|bedrock|openai-responses|openai-codex|azure-openai)/.test(api);
}

/**
 * Returns true if a request asks for thinking with a token budget (`thinking.type` is `enabled`): Anthropic then refuses
 * an answer in progress without the thinking that it began with (extended-thinking guide, 2026-11). Bedrock sends the
 * same field inside of its own.
 */
export function isManualThinking(payload: unknown): boolean {
	const { thinking, additionalModelRequestFields: bedrock } = fieldsOf(payload);
	return fieldsOf(isRecord(bedrock) ? bedrock.thinking : thinking).type === "enabled";
}

function isCheckingClaude(name: string): boolean {
	if (/claude-(?:instant|v?[123](?!\d))/.test(name)) return false;
	// A date such as 20250514 is no minor version.
	const [, family = "", major, minor] =
		/(fable|mythos|opus|sonnet|haiku)[-. ]?(\d{1,2})(?!\d)(?:[-.](\d{1,2})(?!\d))?/.exec(name) ?? [];
	const floor = CLAUDE_FLOORS[family];
	return !floor || isAtLeast(`${major}.${minor ?? 0}`, floor);
}

function isCheckingGpt(name: string): boolean {
	const [, major, minor] = /gpt-?(\d{1,2})(?!\d)(?:\.(\d{1,2}))?/.exec(name) ?? [];
	return major === undefined || isAtLeast(`${major}.${minor ?? 0}`, GPT_FLOOR);
}

function isAtLeast(version: string, floor: string): boolean {
	return version.localeCompare(floor, "en", { numeric: true }) >= 0;
}
