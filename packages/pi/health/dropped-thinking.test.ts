import { describe, expect, test } from "vitest";
import { PASS_ENTRY } from "../session/log-entries.ts";
import { countDroppedThinking, findDroppedThinking, noDroppedThinking } from "./dropped-thinking.ts";

const pass = { type: "custom", customType: PASS_ENTRY };
const compaction = { type: "compaction" };
const user = { type: "message", message: { role: "user", content: "hi" } };

/** An answer for which blocks with these reasons were reported. */
function answer(...reasons: readonly string[]) {
	const transformations = reasons.map((reason, index) => ({
		...{ type: "thinking_dropped", path: `messages.${index}.content.0`, reason },
	}));
	const diagnostics = [
		{ type: "anthropic_input_transformations", timestamp: 1, details: { transformations } },
	];
	return { type: "message", message: { role: "assistant", content: [], diagnostics } };
}

const changed = "prefix_binding_mismatch";
const foreign = "model_binding_mismatch";
const plain = { type: "message", message: { role: "assistant", content: [] } };

describe("invalid thinking", () => {
	test("of a host that reports none counts as none", () => {
		expect(countDroppedThinking([user, plain, pass, user, plain])).toEqual(noDroppedThinking);
		expect(findDroppedThinking(noDroppedThinking)).toEqual([]);
	});

	test("after a pass is ours, request by request, for as long as it is reported", () => {
		const branch = [plain, pass, answer(changed, changed), answer(changed), plain];
		expect(countDroppedThinking(branch)).toEqual({ requests: 2, afterPass: 2, lastBlocks: 0 });
		expect(findDroppedThinking(countDroppedThinking(branch))).toMatchObject([
			{ text: "the provider dropped thinking of 2 requests after a pass; this is a defect of cwl" },
		]);
	});

	test("that was there before the pass, or has another reason, is not ours", () => {
		const branch = [answer(changed), pass, answer(changed), answer(changed, foreign)];
		expect(countDroppedThinking(branch)).toEqual({ requests: 3, afterPass: 0, lastBlocks: 2 });
		expect(findDroppedThinking(countDroppedThinking(branch))).toMatchObject([
			{ grade: "notice", text: expect.stringContaining("3 requests, and no pass was the reason") },
		]);
	});

	test("after a compaction of pi's own is not ours until the next pass", () => {
		expect(countDroppedThinking([pass, plain, compaction, answer(changed)]).afterPass).toBe(0);
		expect(
			countDroppedThinking([compaction, answer(changed), pass, answer(changed, changed)]).afterPass,
		).toBe(1);
	});

	test.each([
		[null],
		["text"],
		[{ role: "assistant", diagnostics: "none" }],
		[{ role: "assistant", diagnostics: [null, { type: "anthropic_input_transformations", details: 1 }] }],
		[
			{
				role: "assistant",
				diagnostics: [{ type: "anthropic_input_transformations", details: { transformations: {} } }],
			},
		],
	])("in an entry of another shape is not counted: %j", (message) => {
		expect(countDroppedThinking([pass, { type: "message", message }])).toMatchObject({
			requests: 0,
			afterPass: 0,
		});
	});
});
