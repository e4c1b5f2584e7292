import { describe, expect, test } from "vitest";
import { behaviorOf, parseModelId } from "./model-behavior.ts";
import examples from "./model-examples.json" with { type: "json" };

describe("a model id", () => {
	test.each(examples)(
		"$id is $family, version $version, whose prefix check $prefixCheck",
		({ id, family, version, prefixCheck }) => {
			expect(parseModelId(id)).toMatchObject({ family, version });
			expect(behaviorOf(id)).toMatchObject({ prefixCheck });
		},
	);

	test.each(["", "anthropic", "claude", "claude-3-5-sonnet-20241022", "gemini-3-pro", "deepseek-v4"])(
		"%j names no model with rules of its own",
		(id) => {
			expect(behaviorOf(id).prefixCheck).toBe("none");
		},
	);
});
