import { describe, expect, test } from "vitest";
import { behaviorOf, parseModelId } from "./model-behavior.ts";

describe("a model id", () => {
	test.each([
		["claude-opus-5-5", "opus", 505, "refuses"],
		["anthropic/claude-opus-5.5", "opus", 505, "refuses"],
		["claude-fable-5-2", "fable", 502, "refuses"],
		["claude-mythos-5-1", "mythos", 501, "refuses"],
		["claude-unheard-7", "unheard", 700, "refuses"],
		["claude-opus-5", "opus", 500, "none"],
		["claude-fable-5", "fable", 500, "none"],
		["us.anthropic.claude-haiku-4-5-20251001-v1:0", "haiku", 405, "none"],
		["claude-sonnet-4-20250514", "sonnet", 400, "none"],
		["gpt-6.2-astra", "gpt", 602, "removes"],
		["gpt-6.1-sol", "gpt", 601, "none"],
		["openai/gpt-6-astra", "gpt", 600, "none"],
		["gpt-5.3-codex", "gpt", 503, "none"],
	])("%s is %s, version %i, whose prefix check %s", (id, family, version, prefixCheck) => {
		expect(parseModelId(id)).toMatchObject({ family, version });
		expect(behaviorOf(id)).toMatchObject({ prefixCheck });
	});

	test.each(["", "anthropic", "claude", "claude-3-5-sonnet-20241022", "gemini-3-pro", "deepseek-v4"])(
		"%j names no model with rules of its own",
		(id) => {
			expect(behaviorOf(id).prefixCheck).toBe("none");
		},
	);
});
