import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createScratchRepository, createWorker, DEPLOY_SCRIPT, makeHardTasks } from "#loopback";
import { loadTokenCounter } from "#pi";
import { parsePolicies } from "#replay";
import type { RequestFigure } from "./agent.ts";
import { parseConditions } from "./conditions.ts";
import { createLocalAgent } from "./local-agent.ts";
import { createManagedPolicy, type LocalPolicy } from "./managed-policy.ts";
import { runTasks } from "./run-tasks.ts";

const SEED = 1;
const TASKS = 20;
/** Two logs of deployments and little more. */
const BUDGET = 16_000;

async function unsolvedUnder(policy: LocalPolicy) {
	const directory = await mkdtemp(join(tmpdir(), "hard-tasks-"));
	try {
		await createScratchRepository(directory, SEED, [DEPLOY_SCRIPT]);
		const figures: RequestFigure[] = [];
		const agent = createLocalAgent({
			...{ directory, policy, hasDelimiter: true, budget: BUDGET },
			model: createWorker(),
			fixed: { system: 400, tools: 500 },
			count: await loadTokenCounter(),
			onRequest: (figure) => figures.push(figure),
		});
		const tasks = makeHardTasks(SEED, TASKS, { isTerse: true, distance: { low: 6, high: 9 } });
		const signal = new AbortController().signal;
		const results = await runTasks({ directory, tasks, agent, isIsolated: false, signal });
		const unsolved = results.filter(({ isSolved }) => !isSolved);
		return unsolved.map(({ id }) => id.replace(/^task-\d+-/, ""));
	} finally {
		await rm(directory, { recursive: true, force: true });
	}
}

const [cwl, without] = parseConditions("cwl,cwl-without-recall", [BUDGET]);
const [recency] = parsePolicies("recency");
if (!cwl || !without || !recency) throw new Error("no policies");
const distinct = (kinds: readonly string[]) => [...new Set(kinds)].toSorted();

test("what a log showed is lost to truncation, and a recall gives it back", { timeout: 60_000 }, async () => {
	expect(distinct(await unsolvedUnder(recency))).toEqual(["advise", "release"]);
	expect(await unsolvedUnder(createManagedPolicy(cwl))).toEqual([]);
	expect(distinct(await unsolvedUnder(createManagedPolicy(without)))).toEqual(["advise", "release"]);
});
