/** `/cwl plan`: the passes to come, as the function that makes them plans them, the nearest first. Changes nothing. */

import { countOf, nameText } from "#basics";
import { sumTokens } from "#core/transcript";
import { type NextPass, OTHER_TEXT, otherTextIn } from "#pi/health";
import { answerLater, answerNext, keptText } from "#pi/screen";
import { describeSettings } from "#pi/settings";
import { pressureOf } from "../state/gauge.ts";
import { sizeOf } from "../state/last-request.ts";
import type { Runtime } from "../state/runtime.ts";
import { type Command, explainChoice } from "./command.ts";

const EPISODES_SHOWN = 12;

export function createPlan({ session, settings }: Runtime): Command {
	return {
		usage: "plan",
		purpose: "previews the next passes",
		async run(_value, ctx) {
			const outlook = await session.lookAhead(ctx);
			const { input, sizes } = outlook;
			const nextPasses = session.reportNext(outlook);
			const [next] = nextPasses;
			const state = {
				nextPasses,
				pressure: pressureOf(outlook, sizeOf(input)),
				settings: describeSettings(settings.loaded.settings),
			};
			return [
				answerNext(state),
				...(next ? describeParts(next, otherTextIn(input.graph, outlook.messages), sizes.showReported) : []),
				...answerLater(nextPasses, sizes.isKnown),
				...(settings.isEnabled ? [`budget ${explainChoice(outlook)}`] : []),
			].join("\n");
		},
	};
}

/** Lists what a pass takes of each episode, the largest first, and what it certainly keeps although it is large or old. */
function describeParts(
	{ strips, reductions, lines, kept, effect }: NextPass,
	others: ReadonlySet<string>,
	show: (tokens: number) => string,
): readonly string[] {
	const own = strips.filter(({ episode }) => !others.has(episode));
	// The estimate of thinking that left may fall below the line in its place.
	const taken = own
		.filter(({ tokens }) => tokens > 0)
		.map(({ episode, level, tokens }) => {
			return `  ${nameText(episode)}: ${show(tokens)}${level === 1 ? " of its reasoning" : ""}`;
		});
	const freed = sumTokens(reductions);
	const other = sumTokens(strips) - sumTokens(own);
	const outputs = countOf(reductions.length, "output");
	return [
		...(reductions.length > 0
			? [`  reduced: ${outputs}, ${show(freed)} tokens less; recall gives the exact text`]
			: []),
		...taken.slice(0, EPISODES_SHOWN),
		...(taken.length > EPISODES_SHOWN ? [`  and ${taken.length - EPISODES_SHOWN} more`] : []),
		...(other <= 0 ? [] : [`  ${OTHER_TEXT}: ${show(other)}`]),
		...(lines === 0 ? [] : [`  lines for evicted episodes: ${show(lines)}`]),
		...(effect && kept.length > 0 ? [`  kept: ${kept.map((each) => keptText(each, show)).join("; ")}`] : []),
	];
}
