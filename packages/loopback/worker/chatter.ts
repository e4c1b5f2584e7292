/** Sentences that people write around a request; none of them asks for anything. */

import type { Random } from "./random.ts";

const SENTENCES = [
	"I had a look at this on the train this morning and ran out of time before I could finish the thought.",
	"The people from support brought it up again in the weekly call, so it would be good to have it off the list.",
	"For the background: the module grew out of a prototype that three of us wrote in a hurry two years ago.",
	"Nobody is blocked by it, but it comes up in every second review and it costs us the same ten minutes each time.",
	"The build folder has old copies of many things, and I have been fooled by them more than once myself.",
	"I would rather have a small change that is right than a large one that is clever.",
	"If you notice something else that looks odd on the way, mention it at the end and leave it as it is.",
	"We will ship on Thursday if the numbers hold, and I would like this to be part of it.",
	"Last month somebody tried the same with a search and replace over the whole disk, and we spent a day to clean up.",
	"The tests do not cover this part, so reading the code with care is all that we have.",
	"There is a longer discussion in the tracker, but it does not say more than what I write here.",
	"I know that the names are not great; we inherited most of them and got used to the rest.",
	"The dashboards read these files at start, and they pick up the difference with the next restart.",
	"Thanks for the last one by the way, that went in without a single comment.",
] as const;

/** The request with 0 to 13 sentences around it: 33 to about 400 tokens in all. */
export function surroundWithChatter(random: Random, request: string): string {
	const count = random.pick([0, 0, 1, 2, 4, 7, 13]);
	const sentences = random.shuffle(SENTENCES).slice(0, count);
	const before = sentences.slice(0, random.between(0, count));
	const after = sentences.slice(before.length);
	return [before.join(" "), request, after.join(" ")].filter((part) => part !== "").join("\n\n");
}
