import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import type { ResultsFile } from "../results-file.ts";
import { readKept } from "./command.ts";
import { drawSweep } from "./figure.ts";
import type { SessionPoint, SweepFigures, TaskPoint } from "./figures.ts";
import { formatSweepDoc } from "./page.ts";

function task(
	policy: string,
	budget: number | null,
	cost: number,
	point: Partial<TaskPoint> = {},
): TaskPoint {
	return {
		...{ policy, budget, cost, difficulty: "normal", seeds: 1, tasks: 89, solved: 89 },
		...{ requests: 900, tokensProcessed: 5e7, reexplorations: 5, modeledSeconds: 3_600, ...point },
	};
}

function session(policy: string, budget: number | null, cost: number, editsKept: number): SessionPoint {
	return { policy, budget, costs: [cost], time: cost, editsKept, repeats: 1, overBudget: 0 };
}

const figures: SweepFigures = {
	tasks: [
		task("none", null, 30, { solved: 89 }),
		task("paper", 50_000, 20, { reexplorations: 57, modeledSeconds: 7_200 }),
		task("paper", 120_000, 40),
		task("cwl", 50_000, 10, { difficulty: "hard", solved: 80 }),
	],
	sessions: {
		...{
			replayed: 15,
			planned: 120,
			pressed: 9,
			requests: 1_000,
			pressure: 20_000,
			models: [{ name: "a/model-1", read: 0.1 }],
		},
		points: [
			session("none", null, 1, 1),
			session("paper", 20_000, 1.2, 0.9),
			session("cwl", 20_000, 0.4, 0.8),
			session("cwl", 80_000, 0.6, 0.95),
		],
	},
};

const machine = { cpu: "x", cores: 1, memory: 1, system: "x", node: "20" };
const results: ResultsFile<SweepFigures> = {
	...{ version: 1, date: "2026-01-01", commit: "abc", machine, command: "run it", figures },
};

test("page and figure are what the kept figures make: no figure is typed", async () => {
	const kept = await readKept();
	const read = (name: string) =>
		readFile(fileURLToPath(new URL(`../../docs/${name}`, import.meta.url)), "utf8");
	expect(await read("policy-sweep.md")).toBe(formatSweepDoc(kept));
	expect(await read("policy-sweep.svg")).toBe(drawSweep(kept.figures));
});

test("the verdict compares 50k with 120k as the paper does, and names what costs more than no eviction", () => {
	const page = formatSweepDoc(results);
	expect(page).toContain("`paper`: 120k costs 2.00 times as much as 50k");
	expect(page).toContain("takes 2.00 times as long");
	expect(page).toContain("explores again 57 times instead of 5");
	expect(page).toContain("the most under any budget are solved by `cwl` at 50k: 80 of 89");
	expect(page).toContain("these cost more than no eviction, at the first of the prices: `paper` at 20k");
	expect(page).toContain("15 recorded sessions (of 120)\n");
});

test("on the front is what no other row beats", () => {
	const rows = formatSweepDoc(results)
		.split("\n")
		.filter((line) => /^\| (none|paper|cwl) .* %/.test(line));
	const isOnFront = (line: string) => /yes \|$/.test(line);
	expect(rows.filter(isOnFront).map((line) => line.split("|")[1]?.trim())).toEqual(["none", "cwl", "cwl"]);
});

test("rows of one seed and of five are not compared: they are of other tasks", () => {
	const tasks = [task("cwl", 50_000, 10), task("paper", 50_000, 20, { seeds: 5 })];
	const rows = formatSweepDoc({ ...results, figures: { ...figures, tasks } }).match(
		/^\| (cwl|paper) .*\$.*yes \|$/gm,
	);
	expect(rows).toHaveLength(2);
});

test("the figure has three panels, a mark for each point, and no number that is none", () => {
	const picture = drawSweep(figures);
	expect(picture).not.toMatch(/NaN|Infinity|undefined/);
	expect(picture.match(/<g transform/g)).toHaveLength(3);
	expect(picture).toContain("solved of 89 hard tasks, by budget");
	expect(picture.match(/<circle/g)).toHaveLength(1 + 3 + 4);
});

test("runs without modeled time leave that panel empty", () => {
	const tasks = figures.tasks.map((point) => ({ ...point, modeledSeconds: null }));
	expect(drawSweep({ ...figures, tasks })).not.toMatch(/NaN|Infinity/);
});
