/**
 * The chance that something is needed again once it has left. Three facts of a recorded session say most of it: the tokens that
 * nothing younger shows, its age, and the time since its files were edited. `bench -- chance` fits the odds.
 */
import { countRegrets } from "../log/regret.ts";
import { digestOf, type Item } from "../transcript/transcript.ts";
import type { Outlook } from "./policy.ts";
import { measureFreshness } from "./superseded.ts";
import type { Candidate, Scene } from "./units.ts";

/** The odds are `scale` x alone / (age ^ `age` x edited ^ `edited`); all times and sizes in tokens. */
export const oddsLaw = { scale: 0.22, age: 0.5, edited: 0.3 };
/** Sizes and times below these differ by little: they are added to every one. In tokens. */
export const SMALL_SIZE = 50;
export const SHORT_TIME = 2_000;

/** Answers how likely candidates are needed again. Linear in the lines of the context. */
export function createOutlook({ input, visible, time }: Scene): (candidate: Candidate) => Outlook {
	const shareAlone = measureFreshness(visible.units);
	const regrets = countRegrets(input.graph, input.view);
	return ({ unit, message, tokens }) => {
		const alone = unit ? tokens * (shareAlone.get(unit) ?? 0) : tokens;
		const age = time.age(message);
		const edited = time.sinceEdited(unit ? pathsOf(unit.call) : []);
		const again = unit ? (regrets.get(unit.call.id) ?? 0) : 0;
		const fade = (age + SHORT_TIME) ** oddsLaw.age * (edited + SHORT_TIME) ** oddsLaw.edited;
		// What was read again after a pass is likelier to be needed once more, so the same mistake is not made for ever.
		const odds = (oddsLaw.scale * (1 + again) * (alone + SMALL_SIZE)) / fade;
		return { chance: odds / (1 + odds), alone, age, edited };
	};
}

function pathsOf(item: Item): readonly string[] {
	return item.type === "call" ? (digestOf(item)?.paths ?? []) : [];
}
