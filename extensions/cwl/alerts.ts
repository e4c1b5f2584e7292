/** Checks the health of a session: its open alerts, each shown once in a session, and the metrics of its turns. */
import type { ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";
import { fastestGrowing, measureComponentStates, measureHealth } from "#core/health";
import { totalTokens } from "#core/ledger";
import type { Pass } from "#core/log";
import { customData, messageOf } from "#pi";
import {
	type Alert,
	type AlertInput,
	countKept,
	findAlerts,
	findFullWindow,
	measureSecondLooks,
} from "#pi/health";
import { alertText } from "#pi/screen";
import type { NextInput } from "#pi/session";
import { saveBrief } from "./brief.ts";
import { emit } from "./events.ts";
import { showNextSize } from "./footer.ts";
import { onBranchOpened, tellNotice, tellProblem } from "./host.ts";
import { pricesIn } from "./state/gauge.ts";
import type { RequestContext } from "./state/request-context.ts";
import type { Runtime } from "./state/runtime.ts";
import { readWhole } from "./state/session-state.ts";
import { readTurns, recordTurn } from "./turns.ts";

/** The custom entry of the session file for an alert that was raised. */
const ALERT_ENTRY = "cwl.alert";
/** While this alert is open, each request makes a pass if it pays for itself. */
const OVERFLOW = "utilization";
/** The request that this alert concerns has shown it already. */
const SHOWN_BY_REQUEST = "floor-over";

export function registerAlerts(pi: ExtensionAPI, runtime: Runtime) {
	let raised = new Set<string>();
	/** The last pass when the context was checked. */
	let checked: Pass | undefined;

	async function check(ctx: ExtensionContext) {
		checked = runtime.session.lastPass();
		const outlook = await runtime.session.lookBack(ctx);
		const { sizes } = outlook;
		const { looks, components, alerts } = await examine(runtime, outlook);
		const figures = { regretted: looks.regretted, components, fastest: fastestGrowing(components) };
		const utilisation = sizes.whole(totalTokens(outlook.input)) / outlook.budget;
		emit(pi, "cwl:health", { utilisation, ...figures });
		for (const alert of alerts) {
			if (raised.has(alert.id)) continue;
			raised.add(alert.id);
			runtime.entries.note(ctx, ALERT_ENTRY, { id: alert.id, grade: alert.grade, text: alert.text });
			if (alert.grade === "critical") void saveBrief(runtime, ctx, `alert ${alert.id}`);
			emit(pi, "cwl:alert", alert);
			if (alert.id !== SHOWN_BY_REQUEST) tell(ctx, alert);
		}
	}

	async function endTurn(ctx: ExtensionContext) {
		await recordTurn(pi, runtime, ctx);
		const outlook = await runtime.session.lookBack(ctx);
		const session = { ...outlook.input, sizes: outlook.sizes };
		const isFull = findFullWindow(session, await readTurns(runtime, ctx)) !== undefined;
		runtime.lastRequest.asksPass = isFull;
		if ((isFull && !raised.has(OVERFLOW)) || runtime.session.lastPass() !== checked) await check(ctx);
	}

	async function endRun(ctx: ExtensionContext) {
		if (runtime.settings.isEnabled) await check(ctx);
		if (ctx.hasUI) await showNextSize(runtime, ctx);
	}

	/** pi 0.73.1 ends without the events that come after a handler that waits, so a check is not awaited, and a fault is reported here. */
	function watch(ctx: ExtensionContext, work: (ctx: ExtensionContext) => Promise<void>) {
		if (!runtime.lastRequest.size) return;
		work(ctx).catch((error: unknown) =>
			tellProblem(ctx, "warning", `the check of the context failed: ${messageOf(error)}`),
		);
	}

	onBranchOpened(pi, ({ sessionManager }) => {
		raised = new Set(customData(sessionManager.getBranch(), ALERT_ENTRY).map(({ id }) => String(id)));
		checked = runtime.session.lastPass();
	});
	pi.on("agent_end", (_event, ctx) => watch(ctx, endRun));
	// A run may take hours: a pass is a reason to check before its end.
	pi.on("turn_end", (_event, ctx) => {
		if (runtime.settings.isEnabled) watch(ctx, endTurn);
	});
}

type Look = RequestContext & { readonly input: AlertInput & Pick<NextInput, "lost"> };

/** The health of a session in an outlook, what its passes did since its beginning, and its open alerts. */
export async function examine(runtime: Runtime, outlook: Look) {
	const { ctx, input, sizes, settings } = outlook;
	// With the sizes that each pass had when it was made.
	const log = runtime.entries.decided().passes;
	const whole = readWhole(outlook, runtime.settings.isEnabled);
	const health = measureHealth(input, log, whole);
	const looks = measureSecondLooks({
		log,
		regrets: health.regrets,
		kept: countKept(ctx.sessionManager.getBranch(), sizes, pricesIn(ctx)),
		sizes,
		prices: input.prices,
	});
	const components = measureComponentStates(input, settings.componentBudgets, sizes);
	const turns = await readTurns(runtime, ctx);
	const { droppedThinking } = runtime.health;
	const alerts = findAlerts({ input, looks, sizes, droppedThinking, turns, components });
	return { log, whole, health, looks, turns, components, alerts };
}

function tell(ctx: ExtensionContext, alert: Alert) {
	if (alert.grade === "notice") tellNotice(ctx, alertText(alert));
	else tellProblem(ctx, alert.grade === "critical" ? "error" : "warning", alertText(alert));
}
