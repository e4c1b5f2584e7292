/**
 * The chance that something is needed again once it has left. Three facts of a recorded session say most of it: the tokens that
 * nothing younger shows, its age, and the time since its files were edited. `bench -- chance` fits the odds.
 */
import { countRegrets } from "../log/regret.ts";
import { digestOf, type Item } from "../transcript/transcript.ts";
import type { Candidate, Scene, Unit } from "./units.ts";

/** Odds = scale x alone / (age ^ byAge x edited ^ byEdited), each in tokens. */
export const oddsLaw = { scale: 0.22, byAge: 0.5, byEdited: 0.3 };

/** Sizes and times below these differ by little; in tokens. */
const SMALL_SIZE = 50;
const SHORT_TIME = 2_000;

/** What the chance of a second look follows from; all in tokens. */
export interface Outlook {
	readonly chance: number;
	/** What nothing younger in the context shows. */
	readonly alone: number;
	readonly age: number;
	/** Since a call last edited one of its files; the length of the session if none did. */
	readonly edited: number;
}

/** Answers how likely candidates are needed again. Linear in the lines of the context. */
export function createOutlook({ input, visible, time }: Scene): (candidate: Candidate) => Outlook {
	const shareAlone = measureFreshness(visible.units);
	const regrets = countRegrets(input.graph, input.view);
	const { scale, byAge, byEdited } = oddsLaw;
	return ({ unit, message, tokens }) => {
		const alone = unit ? tokens * (shareAlone.get(unit) ?? 0) : tokens;
		const age = time.age(message);
		const edited = time.sinceEdited(unit ? pathsOf(unit.call) : []);
		const again = unit ? (regrets.get(unit.call.id) ?? 0) : 0;
		const fade = (age + SHORT_TIME) ** byAge * (edited + SHORT_TIME) ** byEdited;
		// What was read again after a pass is likelier to be needed once more, so the same mistake is not made for ever.
		const odds = (scale * (1 + again) * (alone + SMALL_SIZE)) / fade;
		return { chance: odds / (1 + odds), alone, age, edited };
	};
}

function pathsOf(item: Item): readonly string[] {
	return item.type === "call" ? (digestOf(item)?.paths ?? []) : [];
}

/**
 * For each unit the share of its lines, between 0 and 1, that no younger unit shows. One without lines to compare
 * counts as superseded. Linear in the lines.
 */
export function measureFreshness(units: readonly Unit[]): ReadonlyMap<Unit, number> {
	const isShown = new Set<number>();
	const shares = new Map<Unit, number>();
	for (const unit of units.toSorted((a, b) => b.call.message - a.call.message)) {
		const lines = [unit.call, ...(unit.result ? [unit.result] : [])].flatMap(
			(item) => digestOf(item)?.lines ?? [],
		);
		const fresh = lines.filter((line) => !isShown.has(line)).length;
		shares.set(unit, lines.length === 0 ? 0 : fresh / lines.length);
		for (const line of lines) isShown.add(line);
	}
	return shares;
}
