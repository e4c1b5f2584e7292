/** The turns of a session: those since pi opened the branch as they were measured, those before it from the session's entries. */
import type { ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";
import { measureVitals } from "#core/health";
import { type HostMessage, inputTokens } from "#pi/codec";
import { lastBreak, measureFidelity, measureTurn, recallTurns, type TurnMetrics } from "#pi/health";
import { readHistory, readLogEntries } from "#pi/session";
import { emit } from "./events.ts";
import { pressureOf } from "./state/gauge.ts";
import { sizeOf } from "./state/last-request.ts";
import type { Runtime } from "./state/runtime.ts";
import { readBranch, readWhole } from "./state/session-state.ts";

/** The metrics of the turns since the last break, oldest first. The first call of a resumed session reads its history once. */
export async function readTurns(runtime: Runtime, ctx: ExtensionContext): Promise<readonly TurnMetrics[]> {
	const { health } = runtime;
	forgetTurns(runtime, ctx);
	health.earlier ??= recall(runtime, ctx, health.openedAt);
	const { part } = runtime.gauge.read(ctx).sizes;
	// Growth is compared in tokens of now, also with that of a turn whose factors were others.
	const turns = health.turns.map(({ turn, burn: { recent, sealed } }) => ({
		...turn,
		burnRate: part(recent, sealed.recent),
	}));
	return [...(await health.earlier), ...turns];
}

/** Forgets the turns before a break that came since the last call. */
function forgetTurns({ health }: Runtime, { sessionManager }: ExtensionContext) {
	const branch = sessionManager.getBranch();
	const brokenAt = branch[lastBreak(branch)]?.id;
	if (brokenAt === health.brokenAt) return;
	Object.assign(health, { brokenAt, turns: [], earlier: Promise.resolve([]), measuredPass: undefined });
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
	const { context, whole } = readBranch(ctx, leaf);
	const recount = (messages: readonly HostMessage[]) =>
		outlook.session.recount(readHistory(branch, messages), () => fixed);
	const all = whole && recount(whole);
	return recallTurns({
		branch,
		requests: recount(context),
		wholeOf(request) {
			for (let next = all?.next(); next && !next.done; next = all?.next())
				if (next.value.answer.timestamp === request.answer.timestamp) return next.value.state();
			return request.state();
		},
		about({ answer, tokens }, { burn }) {
			const { used, budget } = pressureOf(outlook, { tokens, ceiling, burn });
			return {
				part: outlook.sizes.part,
				used: inputTokens(answer) || used,
				window: outlook.window ?? budget,
			};
		},
	});
}

/** Turns that are remembered. */
const MAX_TURNS = 100;

/** Measures the turn that ended, and after a pass what it left in sight. Linear in what the session still sends. */
export async function recordTurn(pi: ExtensionAPI, runtime: Runtime, ctx: ExtensionContext): Promise<void> {
	const { session, health, lastRequest } = runtime;
	const { size } = lastRequest;
	if (!size) return;
	forgetTurns(runtime, ctx);
	if (session.lastPass() !== health.measuredPass) {
		health.measuredPass = session.lastPass();
		const { input, messages } = await session.lookAhead(ctx);
		health.fidelity = measureFidelity({ messages, graph: input.graph }, input.view);
	}
	const gauge = await session.lookBack(ctx);
	const { graph, view } = gauge.input;
	const { budget, used } = pressureOf(gauge, size);
	const input = { graph, view, fixed: size.fixed, budget: gauge.counted(budget) };
	const vitals = measureVitals(input, readWhole(gauge));
	const turn = measureTurn({
		vitals,
		fidelity: health.fidelity,
		part: gauge.sizes.part,
		used,
		window: gauge.window ?? budget,
	});
	health.turns = [...health.turns, { turn, burn: vitals.burn }].slice(-MAX_TURNS);
	emit(pi, "cwl:turn", turn);
}
