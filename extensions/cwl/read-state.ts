/** The state of the session: as data for `/cwl report --json`, `/cwl health` and the panel, as text for `/cwl`. */
import type { ExtensionContext } from "@mariozechner/pi-coding-agent";
import type { Episode } from "#core/graph";
import { measureBurnRate, measureHealth } from "#core/health";
import { computeLedger, type Ledger, type RequestAccount, sumAccounts, totalTokens } from "#core/ledger";
import type { Pass } from "#core/log";
import { nameText } from "#core/transcript";
import {
	countOf,
	formatTokens,
	type HealthReport,
	isUnmarkedAnswer,
	measureFidelity,
	reportHealth,
	reportState,
	type StateReport,
} from "#pi";
import { componentStates, findOpenAlerts } from "./alerts.ts";
import { reportBrief } from "./brief.ts";
import { readPressure } from "./footer.ts";
import { budgetOf, explainBudget } from "./state/budget.ts";
import type { Runtime } from "./state/runtime.ts";
import type { PlanningContext } from "./state/session-state.ts";

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
		checkpoint: reportBrief(ctx),
		...outlook,
		log,
		pressure: readPressure(runtime, ctx, next),
		budgetReason: explainBudget(runtime, ctx, outlook),
		scale: runtime.scale.part(ctx, SAMPLE) / SAMPLE,
		traffic: runtime.scale.meter?.total() ?? sumAccounts([]),
		health: readHealth(runtime, ctx, outlook, log),
		droppedThinking: runtime.health.droppedThinking,
		alerts: findOpenAlerts(runtime, ctx, outlook.input, measureHealth(outlook.input, log)),
	});
}

const EPISODES_SHOWN = 12;

export async function describeState(runtime: Runtime, ctx: ExtensionContext): Promise<string> {
	const { settings, origins } = runtime.settings.loaded;
	const budget = budgetOf(runtime, ctx);
	const lines = [
		`cwl is ${settings.enabled ? "on" : "off"}: policy ${settings.policy}, ` +
			`budget ${formatTokens(budget)} tokens (${origins.budget})`,
	];
	const { input, messages } = await runtime.session.planning(ctx);
	if (messages.length === 0) return [...lines, "no request yet"].join("\n");
	const { graph, view, fixed } = input;
	const { log } = (await runtime.session.managed()).state();
	const ledger = computeLedger(graph, view, fixed);
	lines.push(describeLedger(ledger, runtime.scale.reported(ctx, ledger.total), budget));
	lines.push(...describeTraffic(runtime.scale.meter?.total() ?? sumAccounts([])));
	lines.push(`${countOf(log.length, "pass", "passes")}, ${countOf(view.removed.size, "item")} evicted`);
	const answers = graph.episodes.filter(isUnmarkedAnswer);
	const listed = graph.episodes.filter((episode) => !isUnmarkedAnswer(episode));
	const shown = listed.slice(-EPISODES_SHOWN);
	const older = listed.length - shown.length;
	if (older > 0) lines.push(countOf(older, "older episode"));
	if (answers.length > 0) {
		const tokens = answers.reduce((sum, episode) => sum + episode.tokens, 0);
		lines.push(
			`${countOf(answers.length, "unmarked answer")}: ${formatTokens(runtime.scale.part(ctx, tokens))}`,
		);
	}
	for (const episode of shown) {
		const size = formatTokens(runtime.scale.part(ctx, episode.tokens));
		lines.push(describeEpisode(episode, size, view.episodes.get(episode.id)?.level ?? 0));
	}
	return lines.join("\n");
}

/** Where the input of this process's requests went, as the provider reported it; the next request settles the last one. */
function describeTraffic(account: RequestAccount): readonly string[] {
	const columns = Object.entries(account);
	const input = columns.reduce((sum, [, tokens]) => sum + tokens, 0);
	if (input === 0) return [];
	const named = columns
		.filter(([, tokens]) => tokens > 0)
		.map(([name, tokens]) => `${name} ${formatTokens(tokens)}`);
	return [
		`${formatTokens(input)} tokens of input so far, the last request and earlier processes left out: ${named.join(", ")}`,
	];
}

/** Components as we count them, in proportion to what the provider makes of their sum. */
function describeLedger(ledger: Ledger, used: number, budget: number): string {
	const { total, ...parts } = ledger;
	const named = Object.entries(parts)
		.filter(([, tokens]) => tokens > 0)
		.map(([name, tokens]) => `${name} ${formatTokens((tokens * used) / total)}`);
	return `${formatTokens(used)} of ${formatTokens(budget)} tokens: ${named.join(", ")}`;
}

/** `size` is that of the whole episode, whatever has left of it. */
function describeEpisode(episode: Episode, size: string, level: number): string {
	const state = level === 4 ? "evicted" : level > 0 ? `stripped to level ${level}` : episode.state;
	const origin = episode.origin === "inferred" ? " (inferred)" : "";
	const needs = episode.dependencies.length > 0 ? ` <- ${episode.dependencies.map(nameText).join(", ")}` : "";
	return `  ${episode.kind.padEnd(4)} ${nameText(episode.name)}${origin}${needs}: ${size}, ${state}`;
}

/** The health of the session as it would be sent now. */
export function readHealth(
	runtime: Runtime,
	ctx: ExtensionContext,
	{ input, messages }: PlanningContext,
	log: readonly Pass[],
): HealthReport {
	const { graph, view, fixed } = input;
	const fidelity = measureFidelity({ messages, graph }, view);
	const health = reportHealth(
		measureHealth(input, log),
		fidelity,
		runtime.health.turns,
		componentStates(runtime, input).filter(({ hard }) => hard < input.budget),
		runtime.health.costs,
	);
	// The budget of a plan is the cap, and the one that every screen shows may be below it: the next price step.
	const next = { tokens: totalTokens(graph, view, fixed), burn: measureBurnRate(graph) };
	return { ...health, utilisation: readPressure(runtime, ctx, next).level };
}
