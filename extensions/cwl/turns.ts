/** The metrics of each turn, for alerts, trends, events and telemetry. */
import type { ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";
import { measureVitals } from "#core/health";
import { addTurn, measureTurn } from "#pi";
import { emit } from "./events.ts";
import { readPressure } from "./footer.ts";
import type { Runtime } from "./state/runtime.ts";

/** Measures the turn that ended. Linear in what the session still sends; fidelity is as of the last look at a pass. */
export async function recordTurn(pi: ExtensionAPI, runtime: Runtime, ctx: ExtensionContext): Promise<void> {
	const { session, scale, settings } = runtime;
	const { size } = session;
	if (!settings.isEnabled || !size) return;
	const { graph, view } = (await session.managed()).state();
	const { budget, zone } = readPressure(runtime, ctx, size);
	const used = scale.reported(ctx, size.tokens);
	const vitals = measureVitals({ graph, view, fixed: size.fixed, budget: scale.counted(ctx, budget) });
	const window = ctx.model?.contextWindow ?? budget;
	const turn = measureTurn({ vitals, fidelity: session.fidelity, used, window, zone });
	session.turns = addTurn(session.turns, turn);
	emit(pi, "cwl:turn", turn);
}
