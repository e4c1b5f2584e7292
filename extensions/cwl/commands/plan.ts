/** `/cwl plan`: what the next pass would take and cost. Changes nothing. */
import type { Graph } from "#core/graph";
import type { Pass } from "#core/log";
import { likelyRequests, previewNextTurn, previewPass } from "#core/planning";
import { nameText } from "#core/transcript";
import { countOf, levelText } from "#pi/screen";
import type { Runtime } from "../state/runtime.ts";
import type { Outlook } from "../state/session-state.ts";
import { type Command, explainChoice } from "./command.ts";
import { describeEffect } from "./pass-effect.ts";

const EPISODES_SHOWN = 12;

export function createPlan(runtime: Runtime): Command {
	return {
		usage: "plan",
		purpose: "previews the next pass and its price",
		async run(_value, ctx) {
			const outlook = await runtime.session.lookAhead(ctx);
			const { plan, input } = outlook;
			const tokens = outlook.sizes.show;
			const { pass, seam, ...wait } = previewPass(plan.policy, input);
			const turn = wait.toCome > 0 ? previewNextTurn(plan.policy, input) : undefined;
			const due = `is due ${describeWait(outlook, wait, tokens)}`;
			const budget = [
				...describeAt("the next piece of work", seam, outlook, tokens),
				...describeAt("your next message", turn, outlook, tokens),
				`budget ${explainChoice(outlook)}`,
			].join("\n");
			const off = runtime.settings.isEnabled
				? ""
				: "cwl is off: no pass is made until /cwl on. From then on ";
			if (!pass) return `${off}the next pass ${due} and could take nothing of what is here now.\n${budget}`;
			const taken = pass.strips.map((strip) => describeStrip(input.graph, strip, tokens));
			const { fades = [] } = pass;
			const freed = tokens(fades.reduce((sum, fade) => sum + fade.tokens, 0));
			const outputs = countOf(fades.length, "output");
			const note = `  faded: ${outputs}, ${freed} tokens less than whole; recall gives the exact text`;
			const faded = fades.length > 0 ? [note] : [];
			const more = taken.length > EPISODES_SHOWN ? [`  and ${taken.length - EPISODES_SHOWN} more`] : [];
			const head = `${off}the next pass ${due} and would take ${describeEffect(outlook, pass)}`;
			return [head, ...faded, ...taken.slice(0, EPISODES_SHOWN), ...more, budget].join("\n");
		},
	};
}

/** Returns the size at which a pass is due, in words, and that one may come before. */
function describeWait(
	{ plan: { policy }, input }: Outlook,
	{ toCome, paysLater }: { readonly toCome: number; readonly paysLater: boolean },
	show: (counted: number) => string,
): string {
	if (toCome === 0) return "with the next request";
	const isEarly = policy.passesEarly && input.lowWater !== "quality";
	return `in ${show(toCome)} tokens${paysLater ? " once it pays" : ""}${isEarly ? ", or when a turn begins where that pays," : ""}`;
}

/** One sentence on the pass that an event brings: its effect, and when it pays for itself. */
function describeAt(
	event: string,
	pass: Pass | undefined,
	{ input }: Outlook,
	show: (counted: number) => string,
): readonly string[] {
	const decision = pass?.decision;
	if (!decision) return [];
	const { freed, rewritten, paidBackAfter } = decision;
	const likely = Math.floor(likelyRequests(input.graph));
	const pays =
		paidBackAfter === undefined || paidBackAfter > likely
			? `would not pay within the next ${countOf(likely, "request")}, as many as are likely, so it waits`
			: paidBackAfter <= 1
				? "pays at once"
				: `pays after ${countOf(paidBackAfter, "request")}`;
	return [`at ${event}: frees ${show(freed)}, rewrites ${show(rewritten)}, ${pays}`];
}

function describeStrip(
	{ episodes }: Graph,
	{ episode: id, level, tokens }: Pass["strips"][number],
	show: (counted: number) => string,
): string {
	const episode = episodes.find((candidate) => candidate.id === id);
	const name = `${(episode?.kind ?? "").padEnd(4)} ${nameText(episode?.name ?? id)}`;
	return `  ${name}: ${show(tokens)}, ${levelText(level)}`;
}
