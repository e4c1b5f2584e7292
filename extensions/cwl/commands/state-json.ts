/** `/cwl json`: the state as one line of JSON, for scripts and other extensions. */
import { sumAccounts } from "../../../packages/core/account.ts";
import { reportState } from "../../../packages/host/state-report.ts";
import { findOpenAlerts } from "../alerts.ts";
import type { Runtime } from "../runtime.ts";
import type { Command } from "./command.ts";
import { readHealth } from "./health.ts";

export function createStateJson(runtime: Runtime): Command {
	return {
		usage: "json",
		isData: true,
		async run(_value, ctx) {
			const outlook = await runtime.look(ctx);
			const { log } = (await runtime.session()).state();
			const { loaded, meter } = runtime;
			return JSON.stringify(
				reportState({
					loaded,
					goal: runtime.goal(),
					...outlook,
					log,
					traffic: meter?.total() ?? sumAccounts([]),
					health: readHealth(outlook, log),
					alerts: findOpenAlerts(runtime, ctx, outlook.input, log),
				}),
			);
		},
	};
}
