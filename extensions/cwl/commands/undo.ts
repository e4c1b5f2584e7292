/** `/cwl undo`: says what taking the last pass back costs and what leaves in its place, asks in a terminal, and does it. */
import { totalTokens } from "#core/ledger";
import { changesContext, touchedEpisodes } from "#core/log";
import { passEffect, planPass } from "#core/planning";
import { pricePass } from "#core/prices";
import { CwlError } from "#pi";
import { formatTokens, nameEpisodes } from "#pi/screen";
import type { Undone } from "#pi/session";
import { hasTerminal, inOneLine } from "../notice.ts";
import type { Runtime } from "../state/runtime.ts";
import type { PlanningContext } from "../state/session-state.ts";
import type { Command, Context } from "./command.ts";
import { dollars } from "./plan.ts";

export function createUndo(runtime: Runtime): Command {
	return {
		usage: "undo",
		purpose: "takes the last pass back",
		async run(_value, ctx) {
			const managed = await runtime.session.managed();
			const outlook = await runtime.session.planning(ctx);
			const undone = managed.planUndo(outlook.messages, outlook.input);
			if (!undone) throw new CwlError("no-pass", "there is no pass to take back.");
			const name = `pass ${managed.state().log.indexOf(undone.pass) + 1}`;
			const { tokens, effect } = describeUndo(runtime, ctx, outlook, undone);
			if (hasTerminal(ctx) && !(await ctx.ui.confirm(`Take ${name} back?`, effect))) return `${name} stays.`;
			const { messages, input } = await runtime.session.planning(ctx);
			runtime.decisions.undo(ctx, managed, messages, input);
			return inOneLine(`${name} is taken back: ${effect}`, `${name} is taken back: ${tokens} tokens.`);
		},
	};
}

/** The tokens that come back; what they cost, and what the next request evicts in their place. */
function describeUndo(
	runtime: Runtime,
	ctx: Context,
	{ policy, input }: PlanningContext,
	{ pass, view }: Undone,
): { readonly tokens: string; readonly effect: string } {
	const show = (counted: number) => formatTokens(runtime.scale.part(ctx, counted));
	const { graph, fixed, prices, isCold = false, spared = [] } = input;
	const before = totalTokens(graph, input.view, fixed);
	const returned = totalTokens(graph, view, fixed) - before;
	const then = { ...input, view, spared: new Set([...spared, ...touchedEpisodes(pass)]) };
	const { rewritten } = passEffect(then, { ...pass, before: 0, after: 0 });
	const price = prices && pricePass({ freed: -returned, rewritten, before, isCold }, prices);
	const cost = price
		? ` (${dollars(price.cost - price.saving)} once, ${dollars(-price.saving)} more for each request after it)`
		: "";
	const next = planPass(policy, then);
	const instead =
		next && changesContext(next)
			? `The next request evicts ${show(next.before - next.after)} tokens from ${nameEpisodes(next, graph)} instead.`
			: "Nothing leaves instead.";
	const tokens = show(returned);
	return {
		tokens,
		effect: `${tokens} tokens are in the next request again, and ${show(rewritten)} are sent again${cost}. ${instead}`,
	};
}
