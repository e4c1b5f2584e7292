/** `/cwl settings`: what could keep the session from its budget, the settings in force and their sources; changes some of them. */

import type { ExtensionAPI } from "@mariozechner/pi-coding-agent";
import { formatTokens } from "#basics";
import { DELIMITER } from "#core/annotation";
import { findPrices, refusal } from "#pi";
import { alertText, WHILE_OFF } from "#pi/screen";
import { describeSettings, formatBudget, parseBudget, readValue, settingsSchema } from "#pi/settings";
import { examine } from "../alerts.ts";
import type { Runtime } from "../state/runtime.ts";
import type { Outlook } from "../state/session-state.ts";
import { setOwnToolsActive } from "../tools.ts";
import { type Command, type Context, explainChoice } from "./command.ts";
import { describeNextRequest, nextRequest, reportedSize } from "./next-request.ts";

export function createSettings(pi: ExtensionAPI, runtime: Runtime): Command {
	return {
		usage: "settings [budget|policy]",
		purpose: "shows settings and problems; budget 60k sets one",
		values: ["budget", "policy", ...(settingsSchema.policy.choices ?? []).map((name) => `policy ${name}`)],
		async run(value, ctx) {
			const [, key = "", text = ""] = /^(\S*)\s*(.*)$/s.exec(value) ?? [];
			switch (key) {
				case "":
					return describeAll(pi, runtime, ctx);
				case "budget":
					return await setBudget(runtime, ctx, text);
				case "policy":
					if (text === "") return `policy is ${runtime.settings.loaded.settings.policy}.`;
					runtime.settings.steer(ctx, { policy: readValue("policy", text) });
					return `policy is ${text} from the next request on.`;
				default:
					throw refusal(
						`/cwl settings ${key}: a session can change budget and policy, as in /cwl settings budget 60k; all others are set in settings.json.`,
					);
			}
		},
	};
}

export function createSwitches(pi: ExtensionAPI, runtime: Runtime): Readonly<Record<"on" | "off", Command>> {
	const command = (usage: "on" | "off", purpose: string, answer: string): Command => ({
		usage,
		purpose,
		async run(_value, ctx) {
			runtime.settings.steer(ctx, { enabled: usage === "on" });
			setOwnToolsActive(pi, usage === "on");
			const outlook = await runtime.session.lookAhead(ctx);
			return `${usage}: ${answer}.${describeNext(runtime, outlook)}`;
		},
	});
	return {
		on: command("on", "keeps this session under its budget", "this session is kept under its budget"),
		off: command("off", "stops evicting, and lets pi compact", WHILE_OFF),
	};
}

/** Says what the next request costs at most, or that it is larger than the model's window; empty before the first one. */
function describeNext(runtime: Runtime, outlook: Outlook): string {
	const { window = Infinity, sizes, input, ctx } = outlook;
	if (input.graph.lastExchange < 0) return "";
	const { sent } = nextRequest(runtime, outlook);
	const size = reportedSize(runtime, ctx, sent);
	return size <= window
		? ` ${describeNextRequest(runtime, outlook)}`
		: ` That is ${sizes.showReported(size)} tokens, and the model's window has ${formatTokens(window)}: the provider refuses that, so /compact first, or /cwl on.`;
}

/** Sets the budget, or only says it where no value was given. */
async function setBudget(runtime: Runtime, ctx: Context, text: string): Promise<string> {
	const budget = text === "" ? undefined : parseBudget(text);
	if (budget) runtime.settings.steer(ctx, { budget: formatBudget(budget) });
	const outlook = await runtime.session.lookAhead(ctx);
	const choice = explainChoice(outlook);
	const isCut = budget?.type === "tokens" && outlook.budget < budget.tokens;
	const reason = isCut ? ": the rest of the model's window stays free for the answer" : "";
	return `budget is ${choice}${budget ? ", from the next request on" : ""}${reason}.`;
}

async function describeAll(pi: ExtensionAPI, runtime: Runtime, ctx: Context): Promise<string> {
	const outlook = await runtime.session.lookAhead(ctx);
	const { alerts } = await examine(runtime, outlook);
	const floor = alerts.filter(({ id }) => id === "floor-over");
	const problems = [...findProblems(pi, runtime, ctx), ...floor.map(alertText)];
	const { settings, origins } = runtime.settings.loaded;
	const origin: Readonly<Record<string, string>> = origins;
	const { window, model, sizes } = outlook;
	const { fixed } = outlook.input;
	return [
		`settings: ${problems.length === 0 ? "no problems found" : `${problems.length} found`}`,
		...problems.map((problem) => `  problem: ${problem}`),
		...Object.entries(describeSettings(settings)).map(
			([key, value]) => `  ${key}: ${value} (${origin[key] ?? "default"})${costOf(key, origin)}`,
		),
		`  Node ${process.versions.node}, model ${model || "none"}, window ${window ? formatTokens(window) : "unknown"}`,
		`  budget ${explainChoice(outlook)}; policy ${settings.policy}`,
		`  system ${sizes.show(fixed.system)} (the system prompt and its updates), tools ${sizes.show(fixed.tools)} tokens`,
	].join("\n");
}

/** The cost of an add-on in figures, where a user has set it. */
function costOf(key: string, origin: Readonly<Record<string, string>>): string {
	const setting = Object.entries(settingsSchema).find(([name]) => name === key)?.[1];
	return origin[key] !== undefined && setting?.cost ? `; ${setting.cost}` : "";
}

function findProblems(pi: ExtensionAPI, runtime: Runtime, ctx: Context): readonly string[] {
	const { settings, problems } = runtime.settings.loaded;
	const found = [...problems];
	if (!settings.enabled) found.push("cwl is off: /cwl on");
	else if (!pi.getActiveTools().includes(DELIMITER)) {
		found.push("the delimiter tool is not active: episodes are inferred; do not switch it off with --tools");
	}
	if (!ctx.model) found.push("no model is chosen: /model");
	else if (!(ctx.model.contextWindow > 0)) found.push("the model's window is unknown: set it in models.json");
	const { problem } = ctx.model ? findPrices(ctx.model, Date.now()) : { problem: undefined };
	if (problem !== undefined) found.push(`${problem}; known prices are used instead. Mend it in models.json`);
	return found;
}
