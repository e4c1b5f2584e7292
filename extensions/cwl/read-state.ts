/** The state of the session as it stands, for `/cwl json` and the panel. */
import type { ExtensionContext } from "@mariozechner/pi-coding-agent";
import { sumAccounts } from "../../packages/core/account.ts";
import type { Pass } from "../../packages/core/log.ts";
import { reportState, type StateReport } from "../../packages/host/state-report.ts";
import { findOpenAlerts } from "./alerts.ts";
import { readHealth } from "./commands/health.ts";
import type { Runtime } from "./runtime.ts";

interface State {
	readonly report: StateReport;
	/** Oldest first. */
	readonly log: readonly Pass[];
}

export async function readState(runtime: Runtime, ctx: ExtensionContext): Promise<State> {
	const outlook = await runtime.look(ctx);
	const { log } = (await runtime.session()).state();
	const report = reportState({
		loaded: runtime.loaded,
		goal: runtime.goal(),
		...outlook,
		log,
		traffic: runtime.meter?.total() ?? sumAccounts([]),
		health: readHealth(outlook, log),
		alerts: findOpenAlerts(runtime, ctx, outlook.input, log),
	});
	return { report, log };
}
