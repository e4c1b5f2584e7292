import { expect, test } from "vitest";
import { averageArms, formatArms, type TrialFigures } from "./arms.ts";

const trial = (solved: boolean, cost: number, largest: number): TrialFigures => ({
	task: "task-001-bug",
	solved,
	cost,
	tokens: 1_000,
	cached: 500,
	largest,
	requests: 10,
	summaries: 1,
	refused: 0,
	seconds: 30,
	calls: { reads: 3, rereads: 2, recalls: 1 },
});

const arms = [
	{ name: "cwl-1k", trials: [trial(true, 1, 500), trial(true, 2, 400)] },
	{ name: "none", trials: [trial(true, 9, 900), trial(true, 9, 950)] },
	{ name: "cwl-1k", trials: [trial(false, 3, 700), trial(true, 2, 300)] },
];

test("arms of one name become a row of means, with the largest request and how much they differ", () => {
	const { "cwl-1k": row, none } = averageArms(arms);
	expect(row).toMatchObject({
		tasks: 2,
		solved: 1.5,
		cost: 4,
		costLow: 3,
		costHigh: 5,
		seeds: 2,
		largest: 700,
	});
	expect(row).toMatchObject({ calls: 20, minutes: 1, tokens: 2_000, cached: 0.5, readAgain: 4, recalls: 2 });
	expect(row?.solvedSpread).toBeCloseTo(Math.SQRT1_2);
	expect(none).toMatchObject({ solved: 2, solvedSpread: 0, seeds: 1, largest: 950 });
});

test("a table has a row for each condition", () => {
	const table = formatArms(arms).join("\n");
	expect(table).toMatch(/^\| condition +\| +solved \|/m);
	expect(table).toMatch(/^\| cwl-1k +\| 1\.5 ± 0\.7 of 2 \| +\$4\.00 \|/m);
});
