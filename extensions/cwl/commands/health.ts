/** `/cwl health`: the metrics of the context, and what is wrong with it. */
import { describeHealth, describeSession } from "#pi";
import { readState } from "../read-state.ts";
import type { Runtime } from "../state/runtime.ts";
import type { Command } from "./command.ts";
import { readCosts } from "./report.ts";

export function createHealth(runtime: Runtime): Command {
	return {
		usage: "health",
		purpose: "shows metrics and open alerts",
		async run(_value, ctx) {
			runtime.health.costs = await readCosts(runtime, ctx);
			const { health, alerts, budgetReason, ...session } = await readState(runtime, ctx);
			return [
				alerts.length === 0 ? "health: no problems found" : `health: ${alerts.length} open`,
				...alerts.map(({ grade, text, remedy }) => `  ${grade}: ${text}. What helps: ${remedy}.`),
				...[...describeHealth(health), ...describeSession(session)].map(
					({ metric, value, detail }) => `  ${metric.padEnd(12)} ${value.padStart(6)}  ${detail}`,
				),
				`  budget ${budgetReason}`,
				...(health.costs
					? []
					: ["  replay: a session that is kept in memory only, or has no answer yet, cannot be replayed"]),
			].join("\n");
		},
	};
}
