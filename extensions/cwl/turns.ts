/** The turns of a session: those since pi opened the branch as they were measured, those before it from the session's entries. */
import type { ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";
import { measureVitals } from "#core/health";
import { inputTokens } from "#pi/codec";
import { measureFidelity, measureTurn, recallTurns, type TurnMetrics } from "#pi/health";
import { readHistory, readLogEntries } from "#pi/session";
import { emit } from "./events.ts";
import { pressureOf } from "./state/gauge.ts";
import { sizeOf } from "./state/last-request.ts";
import type { Runtime } from "./state/runtime.ts";
import { readBranch } from "./state/session-state.ts";

/** The metrics of the turns, oldest first. The first call of a resumed session reads its history once. */
export async function readTurns(runtime: Runtime, ctx: ExtensionContext): Promise<readonly TurnMetrics[]> {
	const { health } = runtime;
	health.earlier ??= recall(runtime, ctx, health.openedAt);
	return [...(await health.earlier), ...health.turns];
}

async function recall(
	runtime: Runtime,
	ctx: ExtensionContext,
	leaf: string | null,
): Promise<readonly TurnMetrics[]> {
	if (leaf === null) return [];
	const branch = ctx.sessionManager.getBranch(leaf);
	// With a hole in the log those requests are unknown.
	if (readLogEntries(branch).unreadable > 0) return [];
	const outlook = await runtime.session.lookAhead(ctx);
	const { ceiling, fixed } = sizeOf(outlook.input);
	const steps = readHistory(branch, readBranch(ctx, leaf).context);
	const requests = outlook.session.recount(steps, fixed);
	return recallTurns(steps, requests, ({ answer, tokens }, { burn }) => {
		const { used, budget } = pressureOf(outlook, { tokens, ceiling, burn });
		return {
			part: outlook.sizes.part,
			used: inputTokens(answer) || used,
			window: outlook.window ?? budget,
		};
	});
}

/** Turns that are remembered. */
const MAX_TURNS = 100;

/** Measures the turn that ended, and after a pass what it left in sight. Linear in what the session still sends. */
export async function recordTurn(pi: ExtensionAPI, runtime: Runtime, ctx: ExtensionContext): Promise<void> {
	const { session, health, lastRequest } = runtime;
	const { size } = lastRequest;
	if (!size) return;
	if (session.lastPass() !== health.measuredPass) {
		health.measuredPass = session.lastPass();
		const { input, messages } = await session.lookAhead(ctx);
		health.fidelity = measureFidelity({ messages, graph: input.graph }, input.view);
	}
	const gauge = runtime.gauge.read(ctx);
	const { graph, view } = (await session.managed()).state();
	const { budget, used } = pressureOf(gauge, size);
	const vitals = measureVitals({ graph, view, fixed: size.fixed, budget: gauge.counted(budget) });
	const turn = measureTurn({
		vitals,
		fidelity: health.fidelity,
		part: gauge.sizes.part,
		used,
		window: gauge.window ?? budget,
	});
	health.turns = [...health.turns, turn].slice(-MAX_TURNS);
	emit(pi, "cwl:turn", turn);
}
