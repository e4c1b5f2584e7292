/** `/cwl plan`: the passes to come, as the function that makes them plans them, the nearest first. Changes nothing. */

import { countOf } from "#basics";
import { nameText } from "#core/transcript";
import { type NextPass, reportNextPasses } from "#pi/health";
import { answerNext, describeNextPass, levelText } from "#pi/screen";
import { pressureOf } from "../state/gauge.ts";
import type { Runtime } from "../state/runtime.ts";
import { sizeOf } from "../state/session-state.ts";
import { type Command, explainChoice } from "./command.ts";

const EPISODES_SHOWN = 12;

export function createPlan(runtime: Runtime): Command {
	return {
		usage: "plan",
		purpose: "previews the next passes",
		async run(_value, ctx) {
			const outlook = await runtime.session.lookAhead(ctx);
			const { plan, input, sizes } = outlook;
			const nextPasses = reportNextPasses(plan.policy, input, sizes);
			const [next, ...later] = nextPasses;
			const pressure = pressureOf(outlook, sizeOf(outlook));
			const off = runtime.settings.isEnabled
				? ""
				: "cwl is off: no pass is made until /cwl on. From then on: ";
			return [
				`${off}${answerNext({ nextPasses, pressure })}`,
				...(next ? describeParts(next, (tokens) => sizes.showReported(tokens)) : []),
				...later.map((each) => `Later, ${describeNextPass(each, sizes.isKnown)}.`),
				`budget ${explainChoice(outlook)}`,
			].join("\n");
		},
	};
}

/** Lists what a pass takes of each episode, the largest first. */
function describeParts(
	{ strips, reductions }: NextPass,
	show: (tokens: number) => string,
): readonly string[] {
	const taken = strips.map(({ episode, level, tokens }) => {
		return `  ${nameText(episode)}: ${show(tokens)}, ${levelText(level)}`;
	});
	const freed = reductions.reduce((sum, { tokens }) => sum + tokens, 0);
	const outputs = countOf(reductions.length, "output");
	return [
		...(reductions.length > 0
			? [`  reduced: ${outputs}, ${show(freed)} tokens less than whole; recall gives the exact text`]
			: []),
		...taken.slice(0, EPISODES_SHOWN),
		...(taken.length > EPISODES_SHOWN ? [`  and ${taken.length - EPISODES_SHOWN} more`] : []),
	];
}
