import { expect, test } from "vitest";
import { reply } from "../test-support/host-messages.ts";
import { explainThinkingRefusal, readInvalidThinking } from "./thinking-reports.ts";

const refused = (errorMessage: string) => ({
	...reply(""),
	provider: "gateway",
	model: "claude-opus-5-5",
	stopReason: "error" as const,
	errorMessage,
});

test("thinking whose history changed: the provider can drop it", () => {
	const line = explainThinkingRefusal(
		refused(
			"400 messages.3.content.0: Invalid `signature` in `thinking` block. The block is bound to a different conversation.",
		),
	);
	expect(line).toContain("the history in front of it has changed");
	expect(line).toContain('"supportsMidConvoEffort": true} for gateway/claude-opus-5-5');
});

test.each([
	"400 thinking.adaptive.block_binding: Extra inputs are not permitted",
	"400 Unexpected value(s) `thinking-binding-controls-2026-08-01` for the `anthropic-beta` header",
])("a provider that does not know the setting: %s", (message) => {
	expect(explainThinkingRefusal(refused(message))).toContain('"supportsMidConvoEffort": false}');
});

test("other refusals and answers that came are not explained", () => {
	expect(explainThinkingRefusal(refused("529 Overloaded"))).toBeUndefined();
	const answered = { ...refused("bound to a different conversation"), stopReason: "stop" as const };
	expect(explainThinkingRefusal(answered)).toBeUndefined();
});

const report = (type: string, ...reasons: readonly string[]) => ({
	role: "assistant",
	diagnostics: [
		{ type, details: { transformations: reasons.map((reason) => ({ type: "reasoning", reason })) } },
	],
});

test.each([
	[
		"Anthropic",
		report("anthropic_input_transformations", "prefix_binding_mismatch", "model_binding_mismatch"),
	],
	["OpenAI", report("openai_input_transformations", "prefix_mismatch", "turn_boundary")],
])("thinking that %s dropped is counted, and the part whose history changed", (_maker, answer) => {
	expect(readInvalidThinking(answer)).toEqual({ blocks: 2, changedHistory: 1 });
});

test("reports of another type, or of another maker's reason, are no changed history", () => {
	expect(readInvalidThinking(report("toString", "prefix_mismatch"))).toEqual({
		blocks: 0,
		changedHistory: 0,
	});
	const mixed = report("openai_input_transformations", "prefix_binding_mismatch");
	expect(readInvalidThinking(mixed)).toEqual({ blocks: 1, changedHistory: 0 });
	expect(readInvalidThinking({ role: "user" })).toBeUndefined();
});
