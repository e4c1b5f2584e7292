import { describe, expect, test } from "vitest";
import { behaviorOf, parseModelId } from "./model-behavior.ts";

describe("a model id", () => {
	test.each([
		["claude-opus-5-5", "opus", 505],
		["claude-fable-5", "fable", 500],
		["anthropic/claude-opus-5.5", "opus", 505],
		["us.anthropic.claude-haiku-4-5-20251001-v1:0", "haiku", 405],
		["claude-sonnet-4-20250514", "sonnet", 400],
		["gpt-6.2-sol", "gpt", 602],
		["openai/gpt-6-astra", "gpt", 600],
		["gpt-5.3-codex", "gpt", 503],
	])("%s is %s, version %i", (id, family, version) => {
		expect(parseModelId(id)).toMatchObject({ family, version });
	});

	test.each(["", "anthropic", "claude", "claude-3-5-sonnet-20241022", "gemini-3-pro", "deepseek-v4"])(
		"%j names no model with rules of its own",
		(id) => {
			expect(behaviorOf(id).prefixCheck).toBe("none");
		},
	);
});

describe("the prefix check", () => {
	test.each([
		["claude-fable-5-2", "refuses"],
		["claude-mythos-5-1", "refuses"],
		["claude-opus-5-5", "refuses"],
		["claude-unheard-7", "refuses"],
		["claude-opus-5", "none"],
		["claude-fable-5", "none"],
		["gpt-6.2-astra", "removes"],
		["gpt-6.1-sol", "none"],
	])("of %s is %s", (id, reaction) => {
		expect(behaviorOf(id).prefixCheck).toBe(reaction);
	});
});
