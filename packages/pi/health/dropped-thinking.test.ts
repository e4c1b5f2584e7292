import { describe, expect, test } from "vitest";
import { PASS_ENTRY } from "../session/log-entries.ts";
import { countDroppedThinking, findDroppedThinking, noDroppedThinking } from "./alerts.ts";

const pass = { type: "custom", customType: PASS_ENTRY };
const compaction = { type: "compaction" };
const user = { type: "message", message: { role: "user", content: "hi" } };

const type = "anthropic_input_transformations";

/** An answer for which blocks with these reasons were reported. */
function answer(...reasons: readonly string[]) {
	const transformations = reasons.map((reason, index) => ({
		...{ type: "thinking_dropped", path: `messages.${index}.content.0`, reason },
	}));
	const diagnostics = [{ type, timestamp: 1, details: { transformations } }];
	return { type: "message", message: { role: "assistant", content: [], diagnostics } };
}

const changed = "prefix_binding_mismatch";
const foreign = "model_binding_mismatch";
const plain = { type: "message", message: { role: "assistant", content: [] } };

describe("invalid thinking", () => {
	test("of a host that reports none counts as none", () => {
		expect(countDroppedThinking([user, plain, pass, user, plain])).toEqual(noDroppedThinking);
		expect(findDroppedThinking(noDroppedThinking)).toBeUndefined();
	});

	test("after a pass is ours, request by request, for as long as it is reported", () => {
		const branch = [plain, pass, answer(changed, changed), answer(changed), plain];
		expect(countDroppedThinking(branch)).toEqual({ requests: 2, afterPass: 2, lastBlocks: 0 });
		const text =
			"the provider dropped thinking of 2 requests after a pass; this is a defect of cwl unless another extension changes old messages";
		expect(findDroppedThinking(countDroppedThinking(branch))?.text).toBe(text);
	});

	test("that was there before the pass, or has another reason, is not ours", () => {
		const branch = [answer(changed), pass, answer(changed), answer(changed, foreign)];
		expect(countDroppedThinking(branch)).toEqual({ requests: 3, afterPass: 0, lastBlocks: 2 });
		const text = expect.stringContaining("3 requests, and this did not begin with a pass");
		expect(findDroppedThinking(countDroppedThinking(branch))).toMatchObject({ grade: "notice", text });
	});

	test("of a later request than that of the pass is not ours, and a refusal is no request that came through", () => {
		expect(countDroppedThinking([pass, plain, answer(changed), answer(changed)])).toMatchObject({
			requests: 2,
			afterPass: 0,
		});
		const refused = { type: "message", message: { ...plain.message, stopReason: "error" } };
		expect(countDroppedThinking([pass, refused, answer(changed)])).toMatchObject({ afterPass: 1 });
	});

	test("after a compaction of pi's own is not ours until the next pass", () => {
		expect(countDroppedThinking([pass, plain, compaction, answer(changed)]).afterPass).toBe(0);
		const later = [compaction, answer(changed), pass, answer(changed, changed)];
		expect(countDroppedThinking(later).afterPass).toBe(1);
	});

	test.each([
		[null],
		["text"],
		[{ role: "assistant", diagnostics: "none" }],
		[{ role: "assistant", diagnostics: [null, { type, details: 1 }] }],
		[{ role: "assistant", diagnostics: [{ type, details: { transformations: {} } }] }],
	])("in an entry of another shape is not counted: %j", (message) => {
		const counted = countDroppedThinking([pass, { type: "message", message }]);
		expect(counted).toMatchObject({ requests: 0, afterPass: 0 });
	});
});
