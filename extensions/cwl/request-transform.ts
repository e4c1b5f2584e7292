/** The pre-request transform: projects each request and makes a pass when the policy asks for one. */
import type { ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";
import { measureBurnRate } from "#core/health";
import { changesContext, type Pass, touchedEpisodes } from "#core/log";
import { describeFault } from "#pi";
import { adaptToApi, type HostMessage } from "#pi/codec";
import { createTrafficMeter } from "#pi/requests";
import { describeMadePass, formatTokens, nameBlocker } from "#pi/screen";
import {
	createLastGood,
	hasRisen,
	isClosing,
	type ManagedSession,
	planZonePass,
	readHistory,
	readLogEntries,
} from "#pi/session";
import type { ZoneAction } from "#pi/settings";
import { emit } from "./events.ts";
import { readPressure, showStatus } from "./footer.ts";
import { onRequestMessages, tellNotice, tellProblem } from "./host.ts";
import type { RequestSize } from "./state/requests.ts";
import type { Runtime } from "./state/runtime.ts";

/** A request that is about to be sent. */
interface Sending {
	readonly ctx: ExtensionContext;
	readonly session: ManagedSession;
	readonly messages: readonly HostMessage[];
	readonly settings: Awaited<ReturnType<Runtime["session"]["requestSettings"]>>;
}

export function registerTransform(pi: ExtensionAPI, runtime: Runtime) {
	const lastGood = createLastGood();
	let shownBlocker: string | undefined;
	let shownFault: string | undefined;

	onRequestMessages(pi, async (given, ctx, head) => {
		let messages: readonly HostMessage[] = given;
		let bounded = messages;
		try {
			runtime.entries.retry(ctx);
			messages = runtime.session.sound(given);
			bounded = messages;
			const { isEnabled } = runtime.settings;
			if (!isEnabled) runtime.scale.meter?.skip();
			// A session that it never managed is left alone.
			if (!isEnabled && !runtime.session.isManaged()) return undefined;
			const session = await runtime.session.managed();
			bounded = await runtime.session.admitOutputs(ctx, messages);
			if (isEnabled) await learn(pi, runtime, ctx, session, messages);
			const counted = await runtime.session.requestSettings(ctx, messages);
			const settings = { ...counted, head: head ?? runtime.fixed.text(ctx) };
			const projected = (isEnabled ? project : sendWhole)({ ctx, session, messages, settings });
			const suited = adaptToApi(ctx.model?.api, projected, bounded);
			lastGood.keep(messages, suited);
			if (isEnabled) showStatus(runtime, ctx);
			return suited;
		} catch (fault) {
			// An internal fault must never lose a request: send the last good projection, and the messages since.
			const reason = describeFault(fault);
			if (reason !== shownFault) {
				tellProblem(ctx, "error", `internal fault, sending the last good context. Please report: ${reason}`);
			}
			shownFault = reason;
			return lastGood.recover(bounded);
		}
	});

	/** While CWL is off, a request sends the whole history. Thinking that became invalid while it was on stays away. */
	function sendWhole({ ctx, session, messages, settings }: Sending) {
		const whole = session.requestWhole(messages, settings);
		if (whole.change) runtime.decisions.changePrefix(ctx, whole.change);
		return whole.messages;
	}

	/** The messages of a request, after the passes that are due. */
	function project({ ctx, session, messages, settings }: Sending) {
		let projected = session.request(messages, settings);
		if (projected.change) runtime.decisions.changePrefix(ctx, projected.change);
		const due = projected.pass;
		const pass = due && changesContext(due) ? due : undefined;
		if (pass) {
			tellForced(runtime, ctx, pass);
			runtime.decisions.commit(ctx, session, pass);
			tellPass(runtime, ctx, session, pass);
			// An injected text may have left with its episode: it is then sent again.
			runtime.injected.invalidate({ ctx, messages: projected.messages });
		}
		const { graph } = session.state();
		const burn = measureBurnRate(graph);
		const size = { ...projected, burn };
		const zoneAction = enterZone(pi, runtime, ctx, size);
		const { spike } = runtime.settings.loaded.settings.zones.actions;
		const isAsked = runtime.request.asksPass || (spike === "pass" && isClosing(graph.history.growth, size));
		const action = zoneAction === "nothing" && isAsked ? "paying pass" : zoneAction;
		const zonePass = planZonePass(session, messages, settings, action);
		if (zonePass) {
			runtime.decisions.evict(ctx, session, zonePass);
			tellPass(runtime, ctx, session, zonePass);
			projected = session.request(messages, settings);
			runtime.injected.invalidate({ ctx, messages: projected.messages });
		}
		showBlocker(ctx, due);
		const cuts = runtime.decisions.takeCuts();
		runtime.scale.meter?.sent(runtime.scale.modelName(ctx), { ...session.state(), ...settings }, cuts);
		const { tokens, mark } = projected;
		runtime.request.size = { tokens, mark, fixed: settings.fixed, burn };
		runtime.request.protocol = session.state().graph.protocol;
		return projected.messages;
	}

	/** Says once what keeps the context above its budget, and again only when that changes. */
	function showBlocker(ctx: ExtensionContext, pass: Pass | undefined) {
		const [first] = pass?.blockers ?? [];
		const largest = first && nameBlocker(first);
		if (pass && largest && largest.what !== shownBlocker) {
			const tokens = (counted: number) => formatTokens(runtime.scale.reported(ctx, counted));
			const budget = formatTokens(runtime.scale.reportedBudget(ctx, pass.budget));
			tellProblem(
				ctx,
				"warning",
				`${tokens(pass.after)} of ${budget} tokens and nothing safe left to evict. ` +
					`Largest: ${largest.what} (${tokens(largest.tokens)}); ${largest.remedy}.`,
			);
		}
		shownBlocker = largest?.what;
	}
}

/** Tells a user who took a pass back that the budget has evicted some of it again. */
function tellForced({ entries }: Runtime, ctx: ExtensionContext, pass: Pass) {
	const { spared } = entries.decided();
	if (![...touchedEpisodes(pass)].some((episode) => spared.has(episode))) return;
	const problem = "the budget is too small for what /cwl undo brought back; some of it is evicted again.";
	tellProblem(ctx, "warning", `${problem} /cwl settings budget raises it.`);
}

function tellPass({ scale }: Runtime, ctx: ExtensionContext, session: ManagedSession, pass: Pass) {
	tellNotice(ctx, describeMadePass(pass, session.state().graph, scale.show(ctx)));
}

/** Calibrates by the usage of the last answer; a meter that begins restores its calibration from the session file. */
async function learn(
	pi: ExtensionAPI,
	runtime: Runtime,
	ctx: ExtensionContext,
	session: ManagedSession,
	messages: readonly HostMessage[],
): Promise<void> {
	const settled = runtime.scale.meter?.learn(messages);
	if (settled) emit(pi, "cwl:account", { ...settled.account, isPrefixBreak: settled.pass !== undefined });
	if (runtime.scale.meter) return;
	const { fixed } = await runtime.session.requestSettings(ctx);
	const branch = ctx.sessionManager.getBranch();
	const meter = createTrafficMeter();
	// With a hole in the log nobody knows what those requests were.
	const isWhole = readLogEntries(branch).unreadable === 0;
	meter.relearn(isWhole ? session.recount(readHistory(branch, messages), fixed) : [], messages);
	runtime.scale.meter = meter;
}

/** Compares a request with the one before it; answers what is to be done about a zone that the context has risen to. */
function enterZone(
	pi: ExtensionAPI,
	runtime: Runtime,
	ctx: ExtensionContext,
	size: Omit<RequestSize, "fixed">,
): ZoneAction {
	const { request, settings } = runtime;
	const { zone, used, budget, level, velocity, turnsToRed, isSpike } = readPressure(runtime, ctx, size);
	const before = request.zone ?? { zone, isSpike, action: "nothing" };
	const baseline = runtime.scale.part(ctx, size.burn.before);
	const spike = isSpike && !before.isSpike ? { velocity, baseline, used, budget, zone } : undefined;
	if (spike) emit(pi, "cwl:spike", spike);
	const { actions } = settings.loaded.settings.zones;
	const action = zone === "green" || !hasRisen(before.zone, zone) ? "nothing" : actions[zone];
	if (before.zone === zone) {
		// A nudge waits for the next tool result, which may belong to a later request.
		request.zone = { zone, isSpike, spike, action: before.action === "nudge" ? "nudge" : "nothing" };
		return "nothing";
	}
	request.zone = { zone, isSpike, spike, from: before.zone, action };
	emit(pi, "cwl:zone", {
		...{ from: before.zone, to: zone, used, budget, level, velocity, action },
		turnsToRed: turnsToRed ?? null,
	});
	return action;
}
