import { expect, test } from "vitest";
import { countTokens } from "../tokens.ts";
import { withLongerAnswers } from "./answer-length.ts";

const request = { system: "", tools: [], messages: [] };
const lengthsOf = (mean: number) =>
	Array.from({ length: 2_000 }, (_, index) => {
		const own = `Step ${index}: a look.`;
		const reply = withLongerAnswers(() => ({ text: own }), mean)(request);
		expect(reply.text?.startsWith(own)).toBe(true);
		return countTokens(reply.text ?? "") - countTokens(own);
	});
const meanOf = (lengths: readonly number[]) => lengths.reduce((sum, each) => sum + each, 0) / lengths.length;

test.each([300, 1_000])("answers are %i tokens longer on average, most of them less", (mean) => {
	const lengths = lengthsOf(mean);
	expect(meanOf(lengths) / mean).toBeGreaterThan(0.9);
	expect(meanOf(lengths) / mean).toBeLessThan(1.1);
	const short = lengths.filter((each) => each < mean / 2);
	expect(short.length / lengths.length).toBeCloseTo(0.55, 1);
});

test("the same answer has the same length, and nothing is added for 0", () => {
	expect(lengthsOf(300)).toEqual(lengthsOf(300));
	const model = () => ({ text: "as it is" });
	expect(withLongerAnswers(model, 0)).toBe(model);
});
