/** The watch over a session's health: open alerts for whoever shows them, each told once in its session. */
import type { ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";
import {
	type ComponentState,
	measureComponentStates,
	measureRunningHealth,
	type RunningHealth,
} from "#core/health";
import type { Pass } from "#core/log";
import {
	type Alert,
	defaultToolTable,
	findAlerts,
	findComponentAlerts,
	findTurnAlerts,
	formatTokens,
	measureFidelity,
	type Standing,
} from "#pi";
import { emit } from "./events.ts";
import { tellNotice, tellProblem } from "./notice.ts";
import { onBranchOpened } from "./state/lifecycle.ts";
import type { Runtime } from "./state/runtime.ts";
import { recordTurn } from "./turns.ts";

/** The custom entry that says which alert was told. */
const ALERT_ENTRY = "cwl.alert";
/** The request that it concerns has told of it already. */
const TOLD_BY_REQUEST = "floor-over";

export function registerAlerts(pi: ExtensionAPI, runtime: Runtime) {
	let told = new Set<string>();
	let looked: Pass | undefined;
	/** The pass after which fidelity was measured. */
	let measured: Pass | undefined;

	function open(ctx: ExtensionContext) {
		told = new Set(readInjectedContext(ctx));
		looked = runtime.session.lastPass();
	}

	async function look(ctx: ExtensionContext) {
		if (!runtime.settings.isEnabled || !runtime.session.size) return;
		looked = runtime.session.lastPass();
		const { log } = (await runtime.session.managed()).state();
		const standing = await standingOf(runtime, ctx);
		const health = measureRunningHealth(standing, log);
		if (runtime.session.lastPass() !== measured) {
			measured = runtime.session.lastPass();
			const { input, messages } = await runtime.session.planning(ctx);
			runtime.session.fidelity = measureFidelity({ messages, graph: input.graph }, input.view);
		}
		runtime.session.alerts = findOpenAlerts(runtime, ctx, standing, health);
		const regretted = health.regret.passes.reduce((sum, pass) => sum + pass.regretted, 0);
		emit(pi, "cwl:health", { utilisation: health.utilisation, regretted });
		for (const alert of runtime.session.alerts) {
			const key = keyOf(alert);
			if (told.has(key)) continue;
			told.add(key);
			pi.appendEntry(ALERT_ENTRY, { id: key });
			const { id, grade, text, remedy } = alert;
			emit(pi, "cwl:alert", { id, grade, text, remedy });
			if (alert.id !== TOLD_BY_REQUEST && !alert.isQuiet) tell(ctx, alert);
		}
	}

	async function endTurn(ctx: ExtensionContext) {
		if (!runtime.settings.isEnabled || !runtime.session.size) return;
		await recordTurn(pi, runtime, ctx);
		const standing = await standingOf(runtime, ctx);
		const sources = { ...standing, turns: runtime.session.turns, show: formatTokens };
		const components = componentStates(runtime, standing);
		const raised = [...findTurnAlerts(sources), ...findComponentAlerts({ ...sources, components })];
		const isNews = runtime.session.lastPass() !== looked || raised.some((alert) => !told.has(keyOf(alert)));
		if (isNews) await look(ctx);
	}

	/** A fault of the watch is told: nobody waits for it, so it would end pi. */
	async function watch(ctx: ExtensionContext, work: (ctx: ExtensionContext) => Promise<void>) {
		try {
			await work(ctx);
		} catch (error) {
			const reason = error instanceof Error ? error.message : String(error);
			tellProblem(ctx, "warning", `the watch over the context failed: ${reason}`);
		}
	}

	onBranchOpened(pi, open);
	// pi 0.73.1 ends without the events that come after a handler that waits, so nobody waits for a look.
	pi.on("agent_end", (_event, ctx) => {
		void watch(ctx, look);
	});
	// A run may go on for hours: after a pass there is reason to look.
	pi.on("turn_end", (_event, ctx) => {
		void watch(ctx, endTurn);
	});
}

/** The name that it is told under: what was quiet at first is told when it is so no longer. */
function keyOf({ id, isQuiet }: Alert): string {
	return isQuiet ? `${id}, quiet` : id;
}

/** The session as its last request was sent. */
async function standingOf({ session }: Runtime, ctx: ExtensionContext) {
	const { graph, view } = (await session.managed()).state();
	return { graph, view, tools: defaultToolTable, ...(await session.requestSettings(ctx)) };
}

/** The components that the settings limit. */
export function componentStates({ settings }: Runtime, input: Standing): readonly ComponentState[] {
	return measureComponentStates(input, settings.loaded.settings.componentBudgets);
}

/** The alerts that are open in a session as it stands. */
export function findOpenAlerts(
	runtime: Runtime,
	ctx: ExtensionContext,
	input: Standing,
	health: RunningHealth,
): readonly Alert[] {
	const show = (tokens: number) => formatTokens(runtime.scale.part(ctx, tokens));
	const { limits } = runtime.settings.loaded.settings;
	const { droppedThinking, turns } = runtime.session;
	const components = componentStates(runtime, input);
	return findAlerts({ input, health, limits, show, droppedThinking, turns, components });
}

function tell(ctx: ExtensionContext, { grade, text, remedy }: Alert) {
	const line = `${text}. What helps: ${remedy}.`;
	if (grade === "notice") tellNotice(ctx, line);
	else tellProblem(ctx, grade === "critical" ? "error" : "warning", line);
}

function readInjectedContext({ sessionManager }: ExtensionContext): readonly string[] {
	return sessionManager.getBranch().flatMap((entry) => {
		if (entry.type !== "custom" || entry.customType !== ALERT_ENTRY) return [];
		const { data } = entry;
		const id = typeof data === "object" && data !== null && "id" in data ? data.id : undefined;
		return typeof id === "string" ? [id] : [];
	});
}
