/** The state of the session as it stands, for `/cwl json` and the panel. */
import type { ExtensionContext } from "@mariozechner/pi-coding-agent";
import { measureBurnRate, measureHealth } from "#core/health";
import { sumAccounts, totalTokens } from "#core/ledger";
import { reportState, type StateReport } from "#pi";
import { findOpenAlerts } from "./alerts.ts";
import { reportCheckpoint } from "./checkpoint.ts";
import { readHealth } from "./commands/health.ts";
import { readPressure } from "./footer.ts";
import { explainBudget } from "./state/budget.ts";
import type { Runtime } from "./state/runtime.ts";

/** So many tokens show how the provider counts to the last digit that is shown. */
const SAMPLE = 1_000_000;

export async function readState(runtime: Runtime, ctx: ExtensionContext): Promise<StateReport> {
	const outlook = await runtime.session.planning(ctx);
	const { graph, view, fixed } = outlook.input;
	const { log } = (await runtime.session.managed()).state();
	const next = {
		tokens: totalTokens(graph, view, fixed),
		burn: measureBurnRate(graph),
	};
	return reportState({
		loaded: runtime.settings.loaded,
		goal: runtime.settings.goal(),
		state: runtime.settings.state(),
		checkpoint: await reportCheckpoint(ctx),
		...outlook,
		log,
		pressure: readPressure(runtime, ctx, next),
		budgetReason: explainBudget(runtime, ctx, outlook),
		scale: runtime.scale.part(ctx, SAMPLE) / SAMPLE,
		traffic: runtime.scale.meter?.total() ?? sumAccounts([]),
		health: readHealth(runtime, ctx, outlook, log),
		droppedThinking: runtime.session.droppedThinking,
		alerts: findOpenAlerts(runtime, ctx, outlook.input, measureHealth(outlook.input, log)),
	});
}
