import { describe, expect, it } from "vitest";
import { countTokens } from "../../tokens.ts";
import type { MemoryKind } from "../assignment.ts";
import { DEPLOY_SCRIPT, makeDeployment, renderLog, sumLog } from "../deployment.ts";
import { parseAssignment } from "../phrasing.ts";
import { createRandom } from "../random.ts";
import { commitAll, listChangedFiles } from "../repository.ts";
import { makeHardTasks } from "../tasks/tasks.ts";
import { makeScratchRepository } from "../test-support/scratch-directory.ts";

const kindOf = (id: string) => id.replace(/^task-\d+-/, "");
const NEAR = { low: 3, high: 6 };
/** Every kind that the memory adds. */
const KINDS: readonly MemoryKind[] = [
	...(["told", "show", "decide", "deploy"] as const),
	...(["recite", "first", "insert", "why", "release", "advise", "total"] as const),
];

describe("makeHardTasks", () => {
	it("makes the same tasks from the same seed, and starts a longer list with the shorter one", () => {
		const shape = (seed: number, count: number) =>
			makeHardTasks(seed, count).map(({ id, prompt }) => ({ id, prompt }));
		expect(shape(4, 89).slice(0, 30)).toEqual(shape(4, 30));
		expect(shape(5, 30)).not.toEqual(shape(4, 30));
	});

	it("makes prompts that are read back, each once, and all kinds of them", () => {
		const tasks = makeHardTasks(1, 200);
		for (const { id, prompt } of tasks) expect(parseAssignment(prompt)?.type).toBe(kindOf(id));
		expect(new Set(tasks.map(({ prompt }) => prompt)).size).toBe(tasks.length);
		expect(tasks.map(({ id }) => kindOf(id))).toEqual(expect.arrayContaining([...KINDS]));
	});

	it("asks for a fact about sixty tasks after it was given", () => {
		const tasks = makeHardTasks(3, 400).map(({ prompt }) => parseAssignment(prompt));
		const distances = tasks.flatMap((asked, index) => {
			if (asked?.type !== "release") return [];
			return index - tasks.findIndex((one) => one?.type === "deploy" && one.label === asked.label);
		});
		expect(Math.min(...distances)).toBeGreaterThanOrEqual(45);
	});

	it("has checks that pass with the reference solution only, which changes the named files only", async () => {
		const directory = await makeScratchRepository(8, [DEPLOY_SCRIPT]);
		for (const { id, files, prepare, verify, solve } of makeHardTasks(8, 26, { distance: NEAR })) {
			await prepare(directory);
			expect([id, await listChangedFiles(directory)]).toEqual([id, []]);
			expect([id, await verify(directory)]).toEqual([id, false]);
			await solve(directory);
			expect([id, await verify(directory)]).toEqual([id, true]);
			expect([id, (await listChangedFiles(directory)).toSorted()]).toEqual([id, [...files].toSorted()]);
			await commitAll(directory, id);
		}
	});
});

describe("the log of a deployment", () => {
	const random = createRandom(1);
	const deployments = Array.from({ length: 13 }, (_, index) => makeDeployment(random, `one-${index}`, "A_B"));

	it("fits the output of one command, and thirteen exceed 80k tokens", () => {
		const logs = deployments.map(renderLog);
		expect(Math.max(...logs.map(({ length }) => length))).toBeLessThan(50_000);
		expect(logs.reduce((sum, log) => sum + countTokens(log), 0)).toBeGreaterThan(80_000);
	});

	it("is summed up only where all of it is there", () => {
		for (const deployment of deployments) {
			const log = renderLog(deployment);
			expect(sumLog(deployment.label, log)).toBe(deployment.steps.reduce((sum, took) => sum + took, 0));
			expect(sumLog(deployment.label, log.replace(/^step 40 .*\n/m, ""))).toBeUndefined();
			expect(sumLog("another", log)).toBeUndefined();
		}
	});
});
