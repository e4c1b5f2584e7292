import { expect, test } from "vitest";
import { bindsThinking, isManualThinking } from "./thinking-binding.ts";
import examples from "./thinking-binding-examples.json" with { type: "json" };

test.each(examples.models)("$id: thinking bound to its prefix is $binds", ({ id, binds }) => {
	expect(bindsThinking({ id })).toBe(binds);
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
