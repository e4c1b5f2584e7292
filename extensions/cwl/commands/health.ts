/** `/cwl health`: the metrics of the context, and what is wrong with it. */
import { measureHealth } from "#core/health";
import { describeHealth, describeSession } from "#pi";
import { findOpenAlerts } from "../alerts.ts";
import { reportBrief } from "../brief.ts";
import { readHealth } from "../read-state.ts";
import { explainBudget } from "../state/budget.ts";
import type { Runtime } from "../state/runtime.ts";
import type { Command } from "./command.ts";
import { readCosts } from "./report.ts";

export function createHealth(runtime: Runtime): Command {
	return {
		usage: "health",
		purpose: "shows metrics and open alerts",
		async run(_value, ctx) {
			runtime.health.costs = await readCosts(runtime, ctx);
			const outlook = await runtime.session.planning(ctx);
			const { log } = (await runtime.session.managed()).state();
			const health = readHealth(runtime, ctx, outlook, log);
			const alerts = findOpenAlerts(runtime, ctx, outlook.input, measureHealth(outlook.input, log));
			const session = {
				goal: runtime.settings.goal() ?? null,
				state: runtime.settings.state(),
				checkpoint: reportBrief(ctx),
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
