/**
 * The chance that something is needed again once it has left. Three facts of a recorded session say most of it: the tokens that
 * nothing younger shows, its age, and the time since its files were edited. `bench -- chance` fits the odds.
 */
import { countRegrets } from "../log/regret.ts";
import { digestOf, type Item } from "../transcript/transcript.ts";
import type { Outlook } from "./policy.ts";
import type { Candidate, Scene, Unit } from "./units.ts";

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

/**
 * For each unit the share of its lines, between 0 and 1, that no younger unit shows. One without lines to compare, such
 * as an image, is shown by no other. Linear in the lines.
 */
export function measureFreshness(units: readonly Unit[]): ReadonlyMap<Unit, number> {
	const isShown = new Set<number>();
	const shares = new Map<Unit, number>();
	for (const unit of units.toSorted((a, b) => b.call.message - a.call.message)) {
		const lines = [unit.call, ...(unit.result ? [unit.result] : [])].flatMap(
			(item) => digestOf(item)?.lines ?? [],
		);
		const fresh = lines.filter((line) => !isShown.has(line)).length;
		shares.set(unit, lines.length === 0 ? 1 : fresh / lines.length);
		for (const line of lines) isShown.add(line);
	}
	return shares;
}
