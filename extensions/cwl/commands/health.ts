/** `/cwl health`: the metrics of the context, and what is wrong with it. */
import type { ExtensionContext } from "@mariozechner/pi-coding-agent";
import { measureBurnRate, measureHealth } from "#core/health";
import { totalTokens } from "#core/ledger";
import type { Pass } from "#core/log";
import { describeHealth, describeSession, type HealthReport, measureFidelity, reportHealth } from "#pi";
import { componentStates, findOpenAlerts } from "../alerts.ts";
import { reportCheckpoint } from "../checkpoint.ts";
import { readPressure } from "../footer.ts";
import { explainBudget } from "../state/budget.ts";
import type { Runtime } from "../state/runtime.ts";
import type { PlanningContext } from "../state/session-state.ts";
import type { Command } from "./command.ts";
import { readCosts } from "./report.ts";

export function createHealth(runtime: Runtime): Command {
	return {
		usage: "health",
		async run(_value, ctx) {
			runtime.health.costs = await readCosts(runtime, ctx);
			const outlook = await runtime.session.planning(ctx);
			const { log } = (await runtime.session.managed()).state();
			const health = readHealth(runtime, ctx, outlook, log);
			const alerts = findOpenAlerts(runtime, ctx, outlook.input, measureHealth(outlook.input, log));
			const session = {
				goal: runtime.settings.goal() ?? null,
				state: runtime.settings.state(),
				checkpoint: await reportCheckpoint(ctx),
			};
			return [
				alerts.length === 0 ? "health: no problems found" : `health: ${alerts.length} open`,
				...alerts.map(({ grade, text, remedy }) => `  ${grade}: ${text}. What helps: ${remedy}.`),
				...[...describeHealth(health), ...describeSession(session)].map(
					({ metric, value, detail }) => `  ${metric.padEnd(12)} ${value.padStart(6)}  ${detail}`,
				),
				`  budget ${explainBudget(runtime, ctx, outlook)}`,
				...(health.costs
					? []
					: ["  cost: a session that is kept in memory only, or has no answer yet, cannot be replayed"]),
			].join("\n");
		},
	};
}

/** The health of the session as it would be sent now. */
export function readHealth(
	runtime: Runtime,
	ctx: ExtensionContext,
	{ input, messages }: PlanningContext,
	log: readonly Pass[],
): HealthReport {
	const { graph, view, fixed } = input;
	const fidelity = measureFidelity({ messages, graph }, view);
	const health = reportHealth(
		measureHealth(input, log),
		fidelity,
		runtime.health.turns,
		componentStates(runtime, input),
		runtime.health.costs,
	);
	// The budget of a plan is the cap, and the one that every screen shows may be below it: the next price step.
	const next = { tokens: totalTokens(graph, view, fixed), burn: measureBurnRate(graph) };
	return { ...health, utilisation: readPressure(runtime, ctx, next).level };
}
