/** The state of the session: as data for `/cwl report --json`, `/cwl health` and the panel, as text for `/cwl`. */
import type { ExtensionContext } from "@mariozechner/pi-coding-agent";
import { sumAccounts } from "#core/ledger";
import { nameText } from "#core/transcript";
import { isAnswer, messagesOf } from "#pi/codec";
import { measureFidelity, reportHealth, reportState, type StateReport } from "#pi/health";
import { countOf, formatTokens, levelText } from "#pi/screen";
import { examine } from "./alerts.ts";
import { reportBrief } from "./brief.ts";
import { readPressure } from "./footer.ts";
import { explainChoice } from "./state/budget.ts";
import type { Runtime } from "./state/runtime.ts";
import { sizeOf } from "./state/session-state.ts";

export async function readState(runtime: Runtime, ctx: ExtensionContext): Promise<StateReport> {
	const outlook = await runtime.session.planning(ctx);
	const { input, messages } = outlook;
	const { graph, view } = input;
	const { log, health: measured, turns, components, alerts } = await examine(runtime, ctx, input);
	const pressure = readPressure(runtime, ctx, sizeOf(outlook));
	const fidelity = measureFidelity({ messages, graph }, view);
	const { costs, droppedThinking } = runtime.health;
	const health = reportHealth(measured, fidelity, turns, components, costs, spentIn(ctx));
	return reportState({
		loaded: runtime.settings.loaded,
		goal: runtime.settings.goal() ?? null,
		state: runtime.settings.state(),
		checkpoint: reportBrief(ctx),
		...{ policy: outlook.policy, input, log, pressure },
		budgetReason: explainChoice(runtime, ctx, outlook),
		scale: runtime.scale.calibration(ctx).factor,
		traffic: runtime.scale.meter?.total() ?? sumAccounts([]),
		// The budget of a plan is the cap, and the one that every screen shows may be below it: the next price step.
		health: { ...health, utilisation: pressure.level },
		...{ droppedThinking, alerts },
	});
}

/** In dollars: what pi's own footer shows. */
function spentIn({ sessionManager }: ExtensionContext): number {
	const answers = messagesOf(sessionManager.getEntries()).filter(isAnswer);
	return answers.reduce((sum, { usage }) => sum + (usage.cost?.total ?? 0), 0);
}

const EPISODES_SHOWN = 12;

/** The state as text, for hosts without a terminal. */
export async function describeState(runtime: Runtime, ctx: ExtensionContext): Promise<string> {
	const report = await readState(runtime, ctx);
	const { settings, origins, ledger, pressure, scale, traffic, passes, episodes } = report;
	const isOn = settings.enabled === "true" ? "on" : "off";
	const head = `cwl is ${isOn}: policy ${settings.policy}, budget ${formatTokens(pressure.budget)} tokens (${origins.budget})`;
	const { total, ...parts } = ledger;
	if (total === ledger.system + ledger.tools) return `${head}\nno request yet`;
	const evicted = (await runtime.session.managed()).state().view.removed.size;
	const answers = episodes.filter(({ isAnswer }) => isAnswer);
	const answered = answers.reduce((sum, { tokens }) => sum + tokens, 0);
	const listed = episodes.filter(({ isAnswer }) => !isAnswer);
	const older = listed.length - EPISODES_SHOWN;
	const input = Object.values(traffic).reduce((sum, tokens) => sum + tokens, 0);
	return [
		head,
		`${formatTokens(pressure.used)} of ${formatTokens(pressure.budget)} tokens: ${nameParts(parts, pressure.used / total)}`,
		...(input > 0
			? [
					`${formatTokens(input)} tokens of input so far, the last request and earlier processes left out: ${nameParts(traffic)}`,
				]
			: []),
		`${countOf(passes.length, "pass", "passes")}, ${countOf(evicted, "item")} evicted`,
		...(older > 0 ? [countOf(older, "older episode")] : []),
		...(answers.length > 0
			? [`${countOf(answers.length, "unmarked answer")}: ${formatTokens(scale * answered)}`]
			: []),
		...listed.slice(-EPISODES_SHOWN).map((episode) => describeEpisode(episode, scale)),
	].join("\n");
}

function nameParts(parts: object, scale = 1): string {
	const named: readonly (readonly [string, number])[] = Object.entries(parts);
	return named
		.filter(([, tokens]) => tokens > 0)
		.map(([name, tokens]) => `${name} ${formatTokens(tokens * scale)}`)
		.join(", ");
}

/** The size is that of the whole episode, whatever has left of it. */
function describeEpisode(episode: StateReport["episodes"][number], scale: number): string {
	const { name, kind, level, tokens, dependencies } = episode;
	const state = level > 0 ? levelText(level) : episode.state;
	const origin = episode.origin === "inferred" ? " (inferred)" : "";
	const needs = dependencies.length > 0 ? ` <- ${dependencies.map(nameText).join(", ")}` : "";
	return `  ${kind.padEnd(4)} ${nameText(name)}${origin}${needs}: ${formatTokens(scale * tokens)}, ${state}`;
}
