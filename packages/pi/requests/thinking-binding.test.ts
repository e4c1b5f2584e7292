import { expect, test } from "vitest";
import { bindsThinking, isManualThinking } from "./thinking-binding.ts";

test.each([
	["claude-fable-5-1", true],
	["claude-fable-5", false],
	["claude-opus-5-5", true],
	["anthropic/claude-opus-5.5", true],
	["claude-sonnet-5-5-20260922", true],
	["us.anthropic.claude-opus-4-6-v1:0", false],
	["claude-3-5-haiku-20241022", false],
	["claude-next", true],
	["gpt-6.2-sol", true],
	["gpt-6.1-sol", false],
	["gpt-oss-120b", false],
	["o3", false],
	["gemini-4-argon", false],
])("%s: thinking bound to its prefix is %s", (id, expected) => {
	expect(bindsThinking({ id })).toBe(expected);
});

test("a model of an unknown maker is taken to check behind an API whose makers do", () => {
	expect(bindsThinking({ id: "mystery-1", api: "anthropic-messages" })).toBe(true);
	expect(bindsThinking({ id: "mystery-1", api: "openai-responses" })).toBe(true);
	expect(bindsThinking({ id: "mystery-1", api: "openai-completions" })).toBe(false);
});

test.each([
	[{ thinking: { type: "enabled", budget_tokens: 1_024 } }, true],
	[{ additionalModelRequestFields: { thinking: { type: "enabled" } } }, true],
	[{ thinking: { type: "adaptive" } }, false],
	[{ thinking: { type: "disabled" } }, false],
	[{ reasoning: { effort: "high" } }, false],
	[{ thinking: "enabled" }, false],
	[undefined, false],
])("%j asks for thinking with a token budget: %j", (payload, isManual) => {
	expect(isManualThinking(payload)).toBe(isManual);
});
