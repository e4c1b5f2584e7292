/** `/cwl plan`: exactly what the next pass would take, at which level, and what it would cost. Changes nothing. */
import type { Graph } from "#core/graph";
import { type Pass, touchedEpisodes } from "#core/log";
import { passEffect, previewPass } from "#core/planning";
import { type PassPrice, pricePass } from "#core/prices";
import { nameText } from "#core/projection";
import { countOf, formatTokens } from "#pi";
import { explainBudget } from "../state/budget.ts";
import type { Runtime } from "../state/runtime.ts";
import type { PlanningContext } from "../state/session-state.ts";
import type { Command, Context } from "./command.ts";

const EPISODES_SHOWN = 12;

export function createPlan(runtime: Runtime): Command {
	return {
		usage: "plan",
		async run(_value, ctx) {
			const outlook = await runtime.session.planning(ctx);
			const tokens = (counted: number) => formatTokens(runtime.scale.part(ctx, counted));
			const { pass, toCome, paysLater } = previewPass(outlook.policy, outlook.input);
			const when = toCome > 0 ? `is due in ${tokens(toCome)} tokens` : "is due with the next request";
			const due = paysLater ? `${when} at the earliest` : when;
			const budget = `budget ${explainBudget(runtime, ctx, outlook)}`;
			const off = runtime.settings.isEnabled
				? ""
				: "cwl is off: no pass is made until /cwl on. From then on ";
			if (!pass) return `${off}the next pass ${due} and could take nothing of what is here now.\n${budget}`;
			const taken = pass.strips.map((strip) => describeStrip(outlook.input.graph, strip, tokens));
			const faded = describeFades(pass, tokens);
			const more = taken.length > EPISODES_SHOWN ? [`  and ${taken.length - EPISODES_SHOWN} more`] : [];
			const head = `${off}the next pass ${due} and would take ${describeEffect(runtime, ctx, outlook, pass)}`;
			return [head, ...faded, ...taken.slice(0, EPISODES_SHOWN), ...more, budget].join("\n");
		},
	};
}

/** The outputs that a pass fades, in one line by age; no line if there are none. */
function describeFades({ fades = [] }: Pass, show: (counted: number) => string): readonly string[] {
	if (fades.length === 0) return [];
	const whole = fades.reduce((sum, { tokens }) => sum + tokens, 0);
	const count = (from: number, to: number) => fades.filter(({ age }) => age >= from && age <= to).length;
	const kinds = [
		[count(1, 3), "to their structure"],
		[count(4, 4), "to one line each"],
	] as const;
	const parts = kinds.flatMap(([number, how]) => (number > 0 ? [`${countOf(number, "output")} ${how}`] : []));
	return [`  faded: ${parts.join(", ")}, ${show(whole)} tokens less than whole; recall gives the exact text`];
}

function countEpisodes(pass: Pass): string {
	return countOf(touchedEpisodes(pass).size, "episode");
}

function describeStrip(
	{ episodes }: Graph,
	{ episode: id, level, tokens }: Pass["strips"][number],
	show: (counted: number) => string,
): string {
	const episode = episodes.find((candidate) => candidate.id === id);
	const what = level === 4 ? "evicted" : `stripped to level ${level}`;
	return `  ${(episode?.kind ?? "").padEnd(4)} ${nameText(episode?.name ?? id)}: ${show(tokens)}, ${what}`;
}

/** The tokens that a pass frees, and its cost: `12k tokens of 3 episodes; 20k cached tokens are then sent anew, ...`. */
export function describeEffect(runtime: Runtime, ctx: Context, outlook: PlanningContext, pass: Pass): string {
	const tokens = (counted: number) => formatTokens(runtime.scale.part(ctx, counted));
	const { freed, rewritten } = passEffect(outlook.input, pass);
	const { prices } = outlook.input;
	const { forfeited = 0, before } = pass;
	const price = prices && pricePass({ freed, rewritten, forfeited, before }, prices);
	const thinking = forfeited > 0 ? `, ${tokens(forfeited)} of them thinking that was bound to the rest` : "";
	return (
		`${tokens(freed)} tokens of ${countEpisodes(pass)}${thinking}; ` +
		`${tokens(rewritten)} cached tokens are then sent anew${price ? `, ${describePrice(price)}` : ""}.`
	);
}

/** The same for fewer and fewer columns; the panel has the rest. */
export function describeBriefly(
	runtime: Runtime,
	ctx: Context,
	outlook: PlanningContext,
	pass: Pass,
): readonly string[] {
	const tokens = (counted: number) => formatTokens(runtime.scale.part(ctx, counted));
	const { freed, rewritten } = passEffect(outlook.input, pass);
	const count = countEpisodes(pass);
	const gone = `${tokens(freed)} tokens of ${count} leave with the next request`;
	return [
		`${gone}; ${tokens(rewritten)} cached ones are sent anew.`,
		`${gone}.`,
		`${tokens(freed)} tokens leave.`,
	];
}

function describePrice({ cost, saving, paidBackAfter }: PassPrice): string {
	if (!Number.isFinite(paidBackAfter)) return dollars(cost);
	const after = countOf(paidBackAfter, "request");
	return `${dollars(cost)} once, against ${dollars(saving)} less a request: paid back after ${after}`;
}

function dollars(amount: number): string {
	return `$${amount.toPrecision(2)}`;
}
