import { describe, expect, it, test } from "vitest";
import { countTokens } from "../tokens.ts";
import { DEPLOY_SCRIPT, makeDeployment, renderLog, sumLog } from "./deployment.ts";
import { parseAssignment } from "./kinds.ts";
import { createRandom } from "./random.ts";
import { commitAll, listChangedFiles } from "./repository.ts";
import { LINKED_ROUND, makeHardTasks, makeRecallTasks, makeTasks } from "./tasks/tasks.ts";
import { makeScratchRepository } from "./test-support/scratch-directory.ts";

describe("makeTasks", () => {
	it.each([
		["ordinary", makeTasks(3, 2000)],
		["hard", makeHardTasks(1, 200)],
	])("never repeats a prompt or an id, even in a long list of %s tasks", (_, tasks) => {
		expect(new Set(tasks.map((task) => task.prompt)).size).toBe(tasks.length);
		expect(new Set(tasks.map((task) => task.id)).size).toBe(tasks.length);
	});

	it.each([makeTasks, makeHardTasks])(
		"starts a longer list with the shorter one, another for each seed",
		(make) => {
			const shape = (seed: number, count: number) =>
				make(seed, count).map(({ id, prompt }) => ({ id, prompt }));
			expect(shape(4, 60).slice(0, 20)).toEqual(shape(4, 20));
			expect(shape(5, 20)).not.toEqual(shape(4, 20));
		},
	);

	it.each([
		["linked", makeTasks(8, 54, LINKED_ROUND)],
		["linked and followed up", makeTasks(8, 54, LINKED_ROUND, true)],
		["hard", makeHardTasks(8, 26, { low: 3, high: 6 })],
		["recall", makeRecallTasks(8, 30)],
	])(
		"has checks of %s tasks that pass with the reference solution only, which changes the named files only",
		async (_, tasks) => {
			const directory = await makeScratchRepository(8, [DEPLOY_SCRIPT]);
			for (const { id, files = [], prepare, verify, solve } of tasks) {
				await prepare(directory);
				expect([id, await listChangedFiles(directory), await verify(directory)]).toEqual([id, [], false]);
				await solve(directory);
				expect([id, await verify(directory)]).toEqual([id, true]);
				expect((await listChangedFiles(directory)).toSorted()).toEqual([...files].toSorted());
				await commitAll(directory, id);
			}
		},
	);
});

const kindOf = (id: string) => id.replace(/^task-\d+-/, "");
/** The kinds of tasks that give a fact, and those that need one. */
const FACTS = ["told", "show", "decide", "deploy"];
const QUESTIONS = ["recite", "first", "insert", "why", "release", "advise", "total"];

describe("makeHardTasks", () => {
	it("makes all kinds of them", () => {
		const tasks = makeHardTasks(1, 200);
		expect(tasks.map(({ id }) => kindOf(id))).toEqual(expect.arrayContaining([...FACTS, ...QUESTIONS]));
	});

	it("asks for a fact about sixty tasks after it was given", () => {
		const tasks = makeHardTasks(3, 400).map(({ prompt }) => parseAssignment(prompt));
		const distances = tasks.flatMap((asked, index) => {
			if (asked?.type !== "release") return [];
			return index - tasks.findIndex((one) => one?.type === "deploy" && one.label === asked.label);
		});
		expect(Math.min(...distances)).toBeGreaterThanOrEqual(45);
	});
});

test("makeRecallTasks gives ten facts first and asks for each of them last", () => {
	const kinds = makeRecallTasks(1, 60).map(({ id }) => kindOf(id));
	expect(kinds.slice(0, 10).filter((kind) => !FACTS.includes(kind))).toEqual([]);
	expect(kinds.map((kind) => QUESTIONS.includes(kind))).toEqual(
		Array.from({ length: 60 }, (_, at) => at >= 50),
	);
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
