import { expect, test } from "vitest";
import { extensionSettings, parseConditions, repairOf } from "./conditions.ts";

const names = (list: string, ...budgets: readonly number[]) =>
	parseConditions(list, budgets).map(({ name, mode, manager }) => `${name} ${mode} ${manager}`);

test("each policy comes once per budget, and a policy without a budget comes once", () => {
	expect(names("isolated,cwl,masking,compaction", 80_000, 20_000)).toEqual([
		"isolated isolated cwl",
		"cwl-80k single cwl",
		"cwl-20k single cwl",
		"masking single replay",
		"compaction-80k single pi",
		"compaction-20k single pi",
	]);
});

test("the summaries of compaction and the settings of our policy are conditions of their own", () => {
	expect(
		names("compaction-lossy,compaction-inventing,cwl-economy,context-folding,paper-without-recall", 80_000),
	).toEqual([
		"compaction-lossy-80k single pi",
		"compaction-inventing-80k single pi",
		"cwl-economy-80k single cwl",
		"context-folding single replay",
		"paper-without-recall-80k single cwl",
	]);
});

test("a worker that recalls runs the same policy, and the others read again", () => {
	const [recalls, reads] = parseConditions("cwl-by-recall,cwl", [20_000]);
	if (!recalls || !reads) throw new Error("no condition");
	expect([recalls.name, repairOf(recalls), repairOf(reads)]).toEqual([
		"cwl-by-recall-20k",
		"recall",
		"reading",
	]);
	expect(extensionSettings(recalls)).toEqual(extensionSettings(reads));
});

test("a repeated policy runs once", () => {
	expect(names("cwl, cwl", 80_000)).toEqual(["cwl-80k single cwl"]);
});

test("an unknown policy names the known ones", () => {
	expect(() => names("oracle", 80_000)).toThrow(/use one or more of none, recency/);
});
