/** The state of the session as data, for `/cwl`, its panel, `/cwl health` and `/cwl report --json`. */
import type { ExtensionContext } from "@mariozechner/pi-coding-agent";
import { sumAccounts } from "#core/ledger";
import {
	countSetbacks,
	measureFidelity,
	measureTurn,
	readRewrites,
	reportHealth,
	reportState,
	type StateReport,
} from "#pi/health";
import { examine } from "./alerts.ts";
import { reportBrief } from "./brief.ts";
import { explainChoice } from "./commands/command.ts";
import { countCalls } from "./costs.ts";
import { pressureOf } from "./state/gauge.ts";
import { sizeOf } from "./state/last-request.ts";
import type { Runtime } from "./state/runtime.ts";

export async function readState(runtime: Runtime, ctx: ExtensionContext): Promise<StateReport> {
	const outlook = await runtime.session.lookAhead(ctx);
	const { input, messages, sizes, session } = outlook;
	const { graph, view } = input;
	const examined = await examine(runtime, outlook);
	const { log, whole, health: measured, looks, turns, components, alerts } = examined;
	const pressure = pressureOf(outlook, sizeOf(input));
	const fidelity = measureFidelity({ messages, graph }, view);
	const { costs, droppedThinking } = runtime.health;
	const branch = ctx.sessionManager.getBranch();
	const isCompacted = whole.messages !== messages;
	const health = reportHealth({
		health: measured,
		looks,
		fidelity,
		sizes,
		// The budget of a plan is the cap, and the one that every screen shows may be below it: the next price step.
		used: pressure.used,
		budget: pressure.budget,
		turns,
		now: measureTurn({
			vitals: measured,
			fidelity,
			part: sizes.part,
			used: pressure.used,
			window: outlook.window ?? pressure.budget,
		}),
		components,
		// An undo or a switch since the costs were worked out counts too.
		costs: costs && { ...costs, setbacks: countSetbacks(branch) },
		isCompacted,
	});
	return reportState({
		loaded: runtime.settings.loaded,
		goal: runtime.settings.goal() ?? null,
		state: runtime.settings.state(),
		checkpoint: reportBrief(ctx),
		nextPasses: runtime.session.reportNext(outlook),
		input,
		messages,
		whole: whole.graph,
		log,
		rewrites: readRewrites(branch, {
			messages: session.asSent(whole.messages),
			count: session.count,
			sizes,
		}),
		pressure,
		budgetReason: explainChoice(outlook),
		sizes,
		requests: countCalls(ctx),
		traffic: runtime.gauge.meter?.total() ?? sumAccounts([]),
		health,
		droppedThinking,
		alerts,
	});
}
