/** Makes the trials of a live run that are left, within its cost, and reports all of them. */

import { fieldsOf, sum } from "#basics";
import { loadTokenCounter } from "#pi/codec";
import type { PiEvent } from "#testing/pi-driver";
import { createRandom } from "#testing/worker";
import { createProgress, inNewFolder } from "../bench.ts";
import { type Arm, openArm } from "./arm.ts";
import type { LivePlan } from "./run-file.ts";
import { measureArm } from "./session-figures.ts";

export type LiveFigures = Awaited<ReturnType<typeof runArms>>;

export const runArms = (plan: LivePlan) =>
	inNewFolder(async (settings) => {
		const { model, maxCost, conditions, source } = plan;
		const pricing = { count: await loadTokenCounter(), price: model.price };
		const stop = new AbortController();
		const signal = AbortSignal.any([plan.signal, stop.signal]);
		const ledger = createLedger(plan, () => stop.abort());
		const options = { ...plan, signal, settings, onEvent: ledger.note };
		const arms = await Promise.all(conditions.map((condition) => openArm(options, condition)));
		const close = () => Promise.all(arms.map((arm) => arm.close()));
		/** Ends every pi and measures what was done. */
		async function measure() {
			await close();
			const figures = await Promise.all(
				arms.map((arm) => measureArm(arm.condition.name, arm.folder, pricing)),
			);
			/** In dollars, dropped attempts included. */
			const spent = sum(figures, ({ dropped, trials }) => dropped + sum(trials, ({ cost }) => cost));
			return { arms: figures, spent };
		}
		const begun = performance.now();
		try {
			ledger.add((await measure()).spent);
			const progress = createProgress(arms.length * source.tasks.length, "trials");
			const onTrial = () => progress(sum(arms, (arm) => arm.folder.trials.length));
			const fault = await takeTurns(arms, plan, () => signal.aborted || isLate(plan, begun), onTrial);
			const cost = stop.signal.aborted ? `it reached its cost of $${maxCost}` : "";
			const time = isLate(plan, begun) ? `it reached its time of ${plan.hours} h` : "";
			const failure = fault === undefined ? "" : `the provider failed in every trial: ${fault}`;
			return {
				...(await measure()),
				/** Why trials are left; empty if none are. */
				ending: plan.signal.aborted ? "it was interrupted" : cost || failure || time,
			};
		} finally {
			await close();
		}
	});

const MS_PER_HOUR = 3_600_000;

/** True from the end of its time on, if trials are left; a run that has all of them ends before. */
const isLate = ({ hours }: LivePlan, begun: number): boolean =>
	performance.now() - begun > hours * MS_PER_HOUR;

/** Trials in a row, each tried twice, after which the provider counts as out of order. */
const MAX_FAULTS = 3;

/**
 * Makes all trials that are left, task by task: all arms take their turn in an order that the seed draws anew for each task.
 * Undefined when all are made or the signal came; otherwise the words of a provider that only fails.
 */
async function takeTurns(
	arms: readonly Arm[],
	{ source, seed }: LivePlan,
	isOver: () => boolean,
	onTrial: () => void,
): Promise<string | undefined> {
	let faults = 0;
	for (const [index, task] of source.tasks.entries()) {
		for (const arm of createRandom(seed + index).shuffle(arms)) {
			if (arm.folder.trials.length > index) continue;
			if (isOver()) return undefined;
			const trial = await arm.take(task);
			if (!trial) return undefined;
			onTrial();
			faults = trial.fault === undefined ? 0 : faults + 1;
			if (faults === MAX_FAULTS) return trial.fault;
		}
	}
	return undefined;
}

/** Adds up dollars, and calls `stop` when there are too many. The answer that passes the limit is paid. */
function createLedger({ maxCost, model }: LivePlan, stop: () => void) {
	let spent = 0;
	const add = (dollars: number) => {
		spent += dollars;
		if (spent >= maxCost) stop();
	};
	return {
		add,
		note({ type, message, result }: PiEvent) {
			if (type === "message_end") add(Number(fieldsOf(fieldsOf(fieldsOf(message).usage).cost).total ?? 0));
			// At most: outputs are cut short for the model that writes the summary.
			if (type === "compaction_end")
				add((Number(fieldsOf(result).tokensBefore ?? 0) * model.price.input) / 1e6);
		},
	};
}
