/**
 * The zones of pressure in the extension: each change is an event and an entry of the session file, red saves the brief, and what
 * the settings ask for is done, a line for the model or a pass. A spike or an open alert can ask for a pass too.
 */
import type { ExtensionAPI } from "@mariozechner/pi-coding-agent";
import { DELIMITER } from "#core/annotation";
import type { Pass } from "#core/log";
import type { PlanInput } from "#core/planning";
import type { ZoneState } from "#pi/add-ons";
import { lastAnswer, messagesOf } from "#pi/codec";
import { saveBrief } from "./brief.ts";
import { emit } from "./events.ts";
import { onBranchOpened } from "./host.ts";
import { planAskedPass } from "./state/asked-pass.ts";
import type { RequestContext } from "./state/request-context.ts";
import type { Runtime } from "./state/runtime.ts";

/** Custom entries of the session file: a request in another zone than the one before, and a spike that began. */
const ZONE_ENTRY = "cwl.zone";
const SPIKE_ENTRY = "cwl.spike";

const calm: ZoneState = { zone: "green", isSpike: false, action: "nothing" };

export function registerZones(pi: ExtensionAPI, runtime: Runtime) {
	const { entries, injected, lastRequest, settings } = runtime;
	onBranchOpened(pi, ({ sessionManager }) => {
		lastRequest.zone = lastAnswer(messagesOf(sessionManager.getBranch())) ? undefined : calm;
	});
	injected.withResults("context-note", async (_ctx, { toolName }) => {
		const { zone } = lastRequest;
		if (!settings.isEnabled || toolName === DELIMITER || zone?.action !== "nudge") return undefined;
		lastRequest.zone = { ...zone, action: "nothing" };
		return `the context is in the ${zone.zone} zone: end the episode with what you learned once it is done, and read only the lines you need.`;
	});
	pi.on("turn_end", (_event, ctx) => {
		if (!settings.isEnabled || !lastRequest.size) return;
		const { change, spike } = lastRequest.zone ?? {};
		if (change?.to === "red") void saveBrief(runtime, ctx, "red zone");
		if (change) entries.note(ctx, ZONE_ENTRY, { from: change.from, to: change.to });
		if (spike) entries.note(ctx, SPIKE_ENTRY, spike);
	});

	/** Compares a request with the one before it; plans the pass that its zone, a spike or an alert asks for. */
	return (request: RequestContext, input: PlanInput): Pass | undefined => {
		const { state, pass } = planAskedPass(request, input, lastRequest);
		lastRequest.zone = state;
		if (state.spike) emit(pi, "cwl:spike", state.spike);
		if (state.change) emit(pi, "cwl:zone", state.change);
		return pass;
	};
}
