import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { makeScratch } from "../test-support/scratch-directory.ts";
import { findLandmarks } from "./landmarks.ts";
import { makeTasks, type TaskList } from "./make-tasks.ts";
import { commit, writeFiles } from "./repository.ts";
import { readSourceTrees, type SourceTrees } from "./source-trees.ts";

/** One round of all kinds. */
const TASKS = 18;

describe("the tasks of a seed", () => {
	let trees: SourceTrees;
	beforeAll(async () => {
		trees = await readSourceTrees();
	});
	const make = (seed: number, count: number): TaskList =>
		makeTasks({ seed, count, files: trees.files, loadable: () => true, isTerse: false });
	const shapes = ({ tasks }: TaskList) => tasks.map(({ id, prompt }) => ({ id, prompt }));

	it("are the same for the same seed, and others for another one", () => {
		expect(shapes(make(1, TASKS))).toEqual(shapes(make(1, TASKS)));
		expect(shapes(make(2, TASKS))).not.toEqual(shapes(make(1, TASKS)));
	});

	it("depend on earlier tasks in a third of the cases, among them every kind that can", () => {
		const { tasks } = make(3, 89);
		const dependent = tasks.filter(({ dependsOn }) => dependsOn.length > 0);
		expect(dependent.length / tasks.length).toBeGreaterThan(0.3);
		expect(dependent.length / tasks.length).toBeLessThan(0.4);
		const kinds = new Set(dependent.map(({ id }) => id.slice(4)));
		expect(kinds).toEqual(new Set(["adjust", "match", "undo", "formerly", "ask"]));
		const ids = tasks.map(({ id }) => id);
		for (const { id, dependsOn } of dependent)
			for (const earlier of dependsOn) expect(ids.indexOf(earlier)).toBeLessThan(ids.indexOf(id));
	});

	it("are as long as those of Terminal-Bench 2: 33 to 1,153 tokens, 165 in the median", () => {
		const lengths = make(4, 89)
			.tasks.map(({ tokens }) => tokens)
			.sort((a, b) => a - b);
		expect(lengths[0]).toBeLessThan(50);
		expect(lengths[44]).toBeGreaterThan(145);
		expect(lengths[44]).toBeLessThan(185);
		expect(lengths.at(-1)).toBeGreaterThan(1_000);
		expect(lengths.at(-1)).toBeLessThan(1_200);
	});

	it("never repeat a prompt, even in a long list", () => {
		const prompts = make(5, 400).tasks.map(({ prompt }) => prompt);
		expect(new Set(prompts).size).toBe(prompts.length);
	});

	it("find something to do in real source", () => {
		const { functions, shared, open, modules } = findLandmarks(trees.files);
		for (const marks of [functions, shared, open, modules]) expect(marks.length).toBeGreaterThan(10);
	});
});

describe("the check of a task", () => {
	it("fails before the task is done, and passes with the reference solution", {
		timeout: 60_000,
	}, async () => {
		const { directory, tasks } = await makeScratch({ seed: 1, tasks: TASKS, isTerse: false });
		for (const { id, check, solve, answer } of tasks) {
			expect([id, await check({ directory, answer: "" })]).toEqual([id, false]);
			await writeFiles(directory, solve(reader(directory)));
			expect([id, await check({ directory, answer: `ANSWER: ${answer}` })]).toEqual([id, true]);
			await commit(directory, id);
		}
	});

	it("fails if anything else changed", { timeout: 60_000 }, async () => {
		const { directory, tasks } = await makeScratch({ seed: 2, tasks: TASKS, isTerse: false });
		for (const { id, check, solve, answer } of tasks) {
			await writeFiles(directory, solve(reader(directory)));
			await writeFiles(directory, new Map([["README.md", id]]));
			expect([id, await check({ directory, answer: `ANSWER: ${answer}` })]).toEqual([id, false]);
			await commit(directory, id);
		}
	});
});

function reader(directory: string): (path: string) => string {
	return (path) => {
		try {
			return readFileSync(join(directory, path), "utf8");
		} catch {
			// A file that the solution adds.
			return "";
		}
	};
}
