import { expect, test } from "vitest";
import { measureHealth } from "../health/health.ts";
import { viewOfLog } from "../log/view.ts";
import { cwl } from "../planning/policies/cwl.ts";
import { previewPass } from "../planning/preview.ts";
import { build, person } from "../test-support/message-builders.ts";
import { planInput } from "../test-support/simulation.ts";
import { testTools } from "../test-support/tools.ts";
import { createLiveFold, createWholeFold, foldTranscript } from "./fold.ts";

const settings = { budget: 1_000, fixed: { system: 0, tools: 0 } };
const view = viewOfLog([]);

test("health and previews take the whole graph, and the compiler rejects the live one", () => {
	const live = planInput(createLiveFold(testTools).read(), view, settings);
	// @ts-expect-error Records of evicted episodes have no tokens to compare.
	expect(measureHealth(live, []).compressionRatio).toBe(1);
	// @ts-expect-error A preview of a released episode could differ from the pass.
	expect(previewPass(cwl, live).pass).toBeUndefined();
	const whole = planInput(createWholeFold(testTools).read(), view, settings);
	expect(measureHealth(whole, []).compressionRatio).toBe(1);
	expect(previewPass(cwl, whole).pass).toBeUndefined();
});

test("a graph says how much of the session it holds", () => {
	expect(createLiveFold(testTools).read().extent).toBe("live");
	expect(createWholeFold(testTools).read().extent).toBe("whole");
	expect(foldTranscript(build([person()]), testTools).extent).toBe("whole");
});
