/** `/cwl plan`: the passes to come, as the function that makes them plans them, the nearest first. Changes nothing. */

import { countOf, nameText } from "#basics";
import { largestArrival } from "#core/planning";
import type { NextPass } from "#pi/health";
import { answerLater, answerNext, dependsOnWork, keptText, levelText } from "#pi/screen";
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
			const isCompacted = ctx.sessionManager.getBranch().some(({ type }) => type === "compaction");
			const [next] = nextPasses;
			const state = {
				nextPasses,
				pressure: pressureOf(outlook, sizeOf(input)),
				settings: describeSettings(settings.loaded.settings),
			};
			return [
				answerNext(state),
				...(next ? describeParts(next, sizes.showReported) : []),
				...answerLater(nextPasses, sizes.isKnown),
				...describeBound(nextPasses, sizes.show(largestArrival(input.graph)), isCompacted),
				...(settings.isEnabled ? [`budget ${explainChoice(outlook)}`] : []),
			].join("\n");
		},
	};
}

/** Says on which results the figures depend. A compaction hides the largest results of before. */
function describeBound(
	nextPasses: readonly NextPass[],
	largest: string,
	isCompacted: boolean,
): readonly string[] {
	if (!nextPasses.some(dependsOnWork)) return [];
	const scope = isCompacted ? "of what pi has not compacted" : "so far";
	return [
		`These figures hold for results of up to ${largest} tokens at once, the most ${scope}, and for work that reads nothing again; otherwise more, less or nothing may leave.`,
	];
}

/** Lists what a pass takes of each episode, the largest first, and what it keeps although it is large or old. */
function describeParts(
	{ strips, more, reductions, kept }: NextPass,
	show: (tokens: number) => string,
): readonly string[] {
	const taken = strips.map(({ episode, level, tokens }) => {
		return `  ${nameText(episode)}: ${show(tokens)}, ${levelText(level)}`;
	});
	const later = more.map(({ episode, tokens }) => `${nameText(episode)} ${show(tokens)}`);
	const freed = reductions.reduce((sum, { tokens }) => sum + tokens, 0);
	const outputs = countOf(reductions.length, "output");
	return [
		...(reductions.length > 0
			? [`  reduced: ${outputs}, ${show(freed)} tokens less than whole; recall gives the exact text`]
			: []),
		...taken.slice(0, EPISODES_SHOWN),
		...(taken.length > EPISODES_SHOWN ? [`  and ${taken.length - EPISODES_SHOWN} more`] : []),
		...(more.length > 0
			? [`  after larger results, up to: ${later.slice(0, EPISODES_SHOWN).join(", ")}`]
			: []),
		...(kept.length > 0 ? [`  kept: ${kept.map((each) => keptText(each, show)).join("; ")}`] : []),
	];
}
