/** `/cwl doctor`: what could keep this session from staying under its budget. */
import type { ExtensionAPI } from "@mariozechner/pi-coding-agent";
import { DELIMITER } from "#core/annotation";
import { measureFloor, totalTokens, uncalibrated } from "#core/ledger";
import { findPrices, formatTokens } from "#pi";
import { budgetOf, explainBudget } from "../state/budget.ts";
import type { Runtime } from "../state/runtime.ts";
import type { PlanningContext } from "../state/session-state.ts";
import type { Command, Context } from "./command.ts";

export function createDoctor(pi: ExtensionAPI, runtime: Runtime): Command {
	return {
		usage: "doctor",
		async run(_value, ctx) {
			const outlook = await runtime.session.planning(ctx);
			const problems = findProblems(pi, runtime, ctx, outlook);
			const found = problems.length === 0 ? "no problems found" : `${problems.length} found`;
			return [
				`doctor: ${found}`,
				...problems.map((problem) => `  problem: ${problem}`),
				...describeFacts(runtime, ctx, outlook),
			].join("\n");
		},
	};
}

function findProblems(
	pi: ExtensionAPI,
	runtime: Runtime,
	ctx: Context,
	{ input }: PlanningContext,
): readonly string[] {
	const { settings, problems } = runtime.settings.loaded;
	const found = [...problems];
	const total = totalTokens(input.graph, input.view, input.fixed);
	const reported = (counted: number) => runtime.scale.reported(ctx, counted);
	const budget = budgetOf(runtime, ctx);
	const floor = measureFloor(input).tokens;
	if (!settings.enabled) found.push("cwl is off: /cwl on");
	else if (!pi.getActiveTools().includes(DELIMITER)) {
		found.push("the delimiter tool is not active: episodes are inferred; do not switch it off with --tools");
	}
	if (!ctx.model) found.push("no model is chosen: /model");
	else if (!(ctx.model.contextWindow > 0)) found.push("the model's window is unknown: set it in models.json");
	const { problem } = ctx.model ? findPrices(ctx.model, Date.now()) : { problem: undefined };
	if (problem !== undefined) found.push(`${problem}; known prices are used instead. Mend it in models.json`);
	if (reported(floor) > budget) {
		found.push(
			`what can never leave (prompt, tools, first message, user turns) comes to ${formatTokens(reported(floor))} of ` +
				`${formatTokens(budget)} tokens: raise the budget, or begin a new session`,
		);
	} else if (reported(total) > budget) {
		found.push(
			`${formatTokens(reported(total))} of ${formatTokens(budget)} tokens: /cwl plan tells what the next pass takes`,
		);
	}
	return found;
}

function describeFacts(runtime: Runtime, ctx: Context, outlook: PlanningContext): readonly string[] {
	const { settings } = runtime.settings.loaded;
	const window = ctx.model?.contextWindow;
	const { factor, samples } = runtime.scale.meter?.calibration(runtime.scale.modelName(ctx)) ?? uncalibrated;
	const { fixed } = outlook.input;
	return [
		`  Node ${process.versions.node}, model ${runtime.scale.modelName(ctx) || "none"}, window ${window ? formatTokens(window) : "unknown"}`,
		`  budget ${explainBudget(runtime, ctx, outlook)}; policy ${settings.policy}`,
		`  system prompt ${formatTokens(fixed.system)}, tools ${formatTokens(fixed.tools)} tokens`,
		samples > 0
			? `  tokens as the provider counts them: ${factor.toFixed(2)} of ours`
			: "  tokens as we count them: the provider has reported none yet",
	];
}
