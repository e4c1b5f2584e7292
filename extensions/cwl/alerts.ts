/** Checks the health of a session: its open alerts, each shown once in a session, and the metrics of its turns. */
import type { ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";
import {
	type ComponentState,
	fastestGrowing,
	type Health,
	measureComponentStates,
	measureHealth,
} from "#core/health";
import type { Pass } from "#core/log";
import { customData, defaultToolTable, messageOf } from "#pi";
import {
	type Alert,
	type AlertInput,
	findAlerts,
	findComponentAlerts,
	findTurnAlerts,
	measureFidelity,
	type TurnMetrics,
} from "#pi/health";
import { formatTokens } from "#pi/screen";
import { saveAtRed, saveBrief } from "./brief.ts";
import { emit } from "./events.ts";
import { onBranchOpened } from "./host-events.ts";
import { tellNotice, tellProblem } from "./notice.ts";
import type { Runtime } from "./state/runtime.ts";
import { readTurns, recordTurn } from "./turns.ts";

/** Custom entries of the session file: an alert that was raised, a request in another zone than the one before, a spike that began. */
const ALERT_ENTRY = "cwl.alert";
const ZONE_ENTRY = "cwl.zone";
const SPIKE_ENTRY = "cwl.spike";
/** While this alert is open, each request makes a pass if it pays for itself. */
const OVERFLOW = "utilization";
/** The request that this alert concerns has shown it already. */
const SHOWN_BY_REQUEST = "floor-over";

export function registerAlerts(pi: ExtensionAPI, runtime: Runtime) {
	let raised = new Set<string>();
	/** The last pass when the context was checked. */
	let checked: Pass | undefined;
	/** The pass after which fidelity was measured. */
	let measured: Pass | undefined;

	function restore(ctx: ExtensionContext) {
		raised = new Set(readRaised(ctx));
		checked = runtime.session.lastPass();
	}

	/** Measures what a pass left in sight, once for each pass. */
	async function updateFidelity(ctx: ExtensionContext) {
		if (runtime.session.lastPass() === measured) return;
		measured = runtime.session.lastPass();
		const { input, messages } = await runtime.session.planning(ctx);
		runtime.health.fidelity = measureFidelity({ messages, graph: input.graph }, input.view);
	}

	async function check(ctx: ExtensionContext) {
		if (!runtime.settings.isEnabled || !runtime.request.size) return;
		checked = runtime.session.lastPass();
		const { log } = (await runtime.session.managed()).state();
		const standing = await alertInputOf(runtime, ctx);
		const health = measureHealth(standing, log);
		await updateFidelity(ctx);
		const regretted = health.regret.passes.reduce((sum, pass) => sum + pass.regretted, 0);
		const turns = await readTurns(runtime, ctx);
		const components = componentStates(runtime, standing);
		const fastest = fastestGrowing(components);
		emit(pi, "cwl:health", { utilisation: health.utilisation, regretted, components, fastest });
		for (const alert of findOpenAlerts(runtime, ctx, standing, health, turns)) {
			if (raised.has(alert.id)) continue;
			raised.add(alert.id);
			pi.appendEntry(ALERT_ENTRY, { id: alert.id, grade: alert.grade, text: alert.text });
			if (alert.grade === "critical") void saveBrief(runtime, ctx, `alert ${alert.id}`);
			emit(pi, "cwl:alert", alert);
			if (alert.id !== SHOWN_BY_REQUEST) tell(ctx, alert);
		}
	}

	async function endTurn(ctx: ExtensionContext) {
		if (!runtime.settings.isEnabled || !runtime.request.size) return;
		const { zone, from, spike } = runtime.request.zone ?? {};
		if (from !== undefined) pi.appendEntry(ZONE_ENTRY, { from, to: zone });
		if (spike) pi.appendEntry(SPIKE_ENTRY, spike);
		await updateFidelity(ctx);
		await recordTurn(pi, runtime, ctx);
		const standing = await alertInputOf(runtime, ctx);
		const session = { ...standing, show: formatTokens };
		const open = [
			...findTurnAlerts(session, await readTurns(runtime, ctx)),
			...findComponentAlerts(session, componentStates(runtime, standing)),
		];
		runtime.request.asksPass = open.some(({ id }) => id === OVERFLOW);
		const isNews = open.some(({ id }) => !raised.has(id));
		if (isNews || runtime.session.lastPass() !== checked) await check(ctx);
	}

	/** Reports a fault of the check: nobody waits for the check, so its fault would end pi. */
	async function watch(ctx: ExtensionContext, work: (ctx: ExtensionContext) => Promise<void>) {
		try {
			await work(ctx);
		} catch (error) {
			const reason = messageOf(error);
			tellProblem(ctx, "warning", `the check of the context failed: ${reason}`);
		}
	}

	onBranchOpened(pi, restore);
	// pi 0.73.1 ends without the events that come after a handler that waits, so nobody waits for the check.
	pi.on("agent_end", (_event, ctx) => {
		void watch(ctx, check);
	});
	// A run may take hours: a pass is a reason to check before its end.
	// One handler for both: each further one delays what pi 0.73.1 prints at its end, until it is lost.
	pi.on("turn_end", (_event, ctx) => {
		void watch(ctx, endTurn);
		saveAtRed(runtime, ctx);
	});
}

/** The session as its last request was sent. */
async function alertInputOf({ session }: Runtime, ctx: ExtensionContext) {
	const { graph, view } = (await session.managed()).state();
	return { graph, view, tools: defaultToolTable, ...(await session.requestSettings(ctx)) };
}

/** The components, with the limits that the settings give them. */
export function componentStates({ settings }: Runtime, input: AlertInput): readonly ComponentState[] {
	return measureComponentStates(input, settings.loaded.settings.componentBudgets);
}

/** The alerts that are open in a session as it stands. */
export function findOpenAlerts(
	runtime: Runtime,
	ctx: ExtensionContext,
	input: AlertInput,
	health: Health,
	turns: readonly TurnMetrics[],
): readonly Alert[] {
	const show = (tokens: number) => formatTokens(runtime.scale.part(ctx, tokens));
	const { droppedThinking } = runtime.health;
	const components = componentStates(runtime, input);
	return findAlerts({ input, health, show, droppedThinking, turns, components });
}

function tell(ctx: ExtensionContext, { grade, text, remedy }: Alert) {
	const line = `${text}. What helps: ${remedy}.`;
	if (grade === "notice") tellNotice(ctx, line);
	else tellProblem(ctx, grade === "critical" ? "error" : "warning", line);
}

function readRaised({ sessionManager }: ExtensionContext): readonly string[] {
	return customData(sessionManager.getBranch(), ALERT_ENTRY).map(({ id }) => String(id));
}
