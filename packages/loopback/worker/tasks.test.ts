import { describe, expect, it } from "vitest";
import { commitAll, listChangedFiles } from "./repository.ts";
import { LINKED_ROUND, makeTasks } from "./tasks/tasks.ts";
import { makeScratchRepository } from "./test-support/scratch-directory.ts";

describe("makeTasks", () => {
	it("never repeats a prompt or an id, even in a long list", () => {
		const tasks = makeTasks(3, 2000);
		expect(new Set(tasks.map((task) => task.prompt)).size).toBe(tasks.length);
		expect(new Set(tasks.map((task) => task.id)).size).toBe(tasks.length);
	});

	it("starts a longer list with the shorter one", () => {
		const shape = (count: number) => makeTasks(4, count).map(({ id, prompt }) => ({ id, prompt }));
		expect(shape(60).slice(0, 20)).toEqual(shape(20));
	});

	it("lets about a third of the tasks depend on earlier ones", () => {
		const tasks = makeTasks(5, 900);
		const share = tasks.filter((task) => /-(adjust|reuse)$/.test(task.id)).length / tasks.length;
		expect(share).toBeGreaterThan(0.25);
		expect(share).toBeLessThan(0.4);
	});

	it("makes prompts short and long", () => {
		const lengths = makeTasks(6, 90).map((task) => task.prompt.length);
		expect(Math.max(...lengths)).toBeGreaterThan(8 * Math.min(...lengths));
	});

	it("has checks that fail on a repository where nothing was done", async () => {
		const directory = await makeScratchRepository(7);
		for (const task of makeTasks(7, 45))
			expect([task.id, await task.verify(directory)]).toEqual([task.id, false]);
	});

	it("has checks that pass with the reference solution, which changes the named files only", async () => {
		const directory = await makeScratchRepository(8);
		const tasks = makeTasks(8, 54, { round: LINKED_ROUND });
		for (const { id, files, verify, solve } of tasks) {
			expect([id, await verify(directory)]).toEqual([id, false]);
			await solve(directory);
			expect([id, await verify(directory)]).toEqual([id, true]);
			expect((await listChangedFiles(directory)).toSorted()).toEqual([...files].toSorted());
			await commitAll(directory, id);
		}
		const kinds = new Set(tasks.map(({ id }) => id.replace(/^task-\d+-/, "")));
		expect(kinds).toEqual(new Set(LINKED_ROUND));
	});

	it("leaves out the text around a request when asked to be terse", () => {
		const [whole, terse] = [false, true].map((isTerse) => makeTasks(9, 40, { isTerse }));
		const size = (tasks = whole) => tasks?.reduce((sum, { prompt }) => sum + prompt.length, 0) ?? 0;
		expect(size(terse)).toBeLessThan(size(whole) / 2);
	});
});
