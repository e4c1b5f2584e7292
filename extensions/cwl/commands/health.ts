/** `/cwl health`: the metrics of the context, and what is wrong with it. */
import { measureHealth, type Pass } from "#core";
import { describeHealth, type HealthReport, measureFidelity, reportHealth } from "#pi";
import { findOpenAlerts } from "../alerts.ts";
import type { Runtime } from "../state/runtime.ts";
import type { PlanningContext } from "../state/session-state.ts";
import type { Command } from "./command.ts";

export function createHealth(runtime: Runtime): Command {
	return {
		usage: "health",
		async run(_value, ctx) {
			const outlook = await runtime.session.planning(ctx);
			const { log } = (await runtime.session.managed()).state();
			const health = readHealth(outlook, log);
			const alerts = findOpenAlerts(runtime, ctx, outlook.input, measureHealth(outlook.input, log));
			return [
				alerts.length === 0 ? "health: no problems found" : `health: ${alerts.length} open`,
				...alerts.map(({ grade, text, remedy }) => `  ${grade}: ${text}. What helps: ${remedy}.`),
				...describeHealth(health).map(
					({ metric, value, detail }) => `  ${metric.padEnd(12)} ${value.padStart(6)}  ${detail}`,
				),
			].join("\n");
		},
	};
}

/** The health of the session as it would be sent now. */
export function readHealth({ input, messages }: PlanningContext, log: readonly Pass[]): HealthReport {
	const { graph, view } = input;
	return reportHealth(measureHealth(input, log), measureFidelity({ messages, graph }, view));
}
