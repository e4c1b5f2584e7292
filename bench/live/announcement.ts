/** The announcement of a live run before it spends anything: what it would send where, for how much, and what so many tasks can show. */

import { createInterface } from "node:readline/promises";
import { sum } from "#basics";
import { CwlError } from "#pi";
import { dollars, percent } from "../figures.ts";
import type { LivePlan } from "./run-file.ts";
import { BLOCK, powerOfRatio, powerOfShares } from "./statistics.ts";

/**
 * Tokens of a trial in the rehearsal of the default source, by arm, with 300 tokens an answer: a model that thinks or tries again takes a
 * multiple.
 */
const USUAL = { new: 30_000, read: 260_000, output: 6_000 };
const BY_ARM: Readonly<Record<string, number>> = { none: 2, compaction: 1.3, isolated: 0.8 };

/** The assumptions: the share of tasks on which arms disagree, and how much the logarithm of a cost ratio varies between blocks. */
const DISAGREEMENT = 0.15;
const SPREAD = 0.25;

/** The lines that are shown, and the tasks that the money is likely to reach. */
function describeRun({ model, source, conditions, maxCost, hours }: LivePlan): readonly string[] {
	const { price, name, address } = model;
	const trial = (USUAL.new * price.input + USUAL.read * price.read + USUAL.output * price.output) / 1e6;
	const task = sum(conditions, ({ policy }) => trial * (BY_ARM[policy] ?? 1));
	const tasks = Math.min(source.tasks.length, Math.max(1, Math.floor(maxCost / task)));
	const blocks = Math.max(1, Math.floor(tasks / BLOCK));
	const arms = conditions.map(({ name: arm }) => arm).join(", ");
	return [
		`${source.label}, each under ${conditions.length} arms: ${arms}.`,
		`Sent to ${address || name.split("/")[0]} (${name}): the prompts of the tasks, and what the model reads of the work trees. Its commands run on this machine.`,
		`About ${dollars(task)} for each task, so some ${tasks} tasks; it stops at ${dollars(maxCost)} or after ${hours} h, and the same command goes on.`,
		`${tasks} tasks show a cost of .7 with a chance of ${percent(powerOfRatio(blocks, 0.7, SPREAD))}, and 20 points of solved tasks with ${percent(powerOfShares(tasks, 0.2, DISAGREEMENT))} (two-sided, 5 %; assumed: arms disagree on ${percent(DISAGREEMENT)} of the tasks).`,
	];
}

/** Asks unless the user is sure. @throws CwlError `not-agreed` without a yes */
export async function announce(plan: LivePlan, isSure: boolean): Promise<void> {
	process.stderr.write(`${describeRun(plan).join("\n")}\n`);
	if (isSure) return;
	if (!process.stdin.isTTY)
		throw new CwlError("not-agreed", "nothing was run or spent: add --yes to begin without being asked.");
	const terminal = createInterface({ input: process.stdin, output: process.stderr });
	const said = await terminal.question("Begin? [y/N] ");
	terminal.close();
	if (!/^y(es)?$/i.test(said.trim())) throw new CwlError("not-agreed", "nothing was run or spent.");
}
