/**
 * The chance that something is needed again once it has left. Three facts of a recorded session say most of it: the tokens that
 * nothing younger shows, its age, and the time since its files were edited. `bench -- chance` fits the odds.
 */
import type { Episode, Graph } from "../graph/graph.ts";
import { findRegrets } from "../log/regret.ts";
import { digestOf } from "../transcript/transcript.ts";
import type { LookChance } from "./policy.ts";
import { measureFreshness } from "./superseded.ts";
import type { Candidate, Scene } from "./units.ts";

/** The odds are `scale` x alone / (age ^ `age` x edited ^ `edited`); all times and sizes in tokens. */
export const oddsLaw = { scale: 0.22, age: 0.5, edited: 0.3 };
/** Sizes and times below these differ by little: they are added to every one. In tokens. */
export const SMALL_SIZE = 50;
export const SHORT_TIME = 2_000;

/** The odds are so many times higher for an expl that an open act declares: the act works by it. */
const NEEDED = 4;

/** Answers how likely candidates are needed again. Linear in the lines of the context. */
export function createLookChance({ input, visible, time }: Scene): (candidate: Candidate) => LookChance {
	const shareAlone = measureFreshness(visible.units);
	/** How often the content of a call was read again after a pass, by the call that read it last. */
	const regrets = new Map(findRegrets(input.graph, input.view).map(({ call, times }) => [call.id, times]));
	const isNeeded = neededIn(input.graph);
	return (candidate) => {
		const { episode, call, message, tokens } = candidate;
		const alone = tokens * (shareAlone.get(candidate) ?? 1);
		const age = time.age(message);
		const edited = time.sinceEdited((call && digestOf(call)?.paths) ?? []);
		const again = regrets.get(call?.id ?? "") ?? 0;
		const fade = (age + SHORT_TIME) ** oddsLaw.age * (edited + SHORT_TIME) ** oddsLaw.edited;
		// What was read again after a pass is likelier to be needed once more, so the same mistake is not made for ever.
		const likelier = (1 + again) * (isNeeded(episode) ? NEEDED : 1);
		const odds = (oddsLaw.scale * likelier * (alone + SMALL_SIZE)) / fade;
		return { chance: odds / (1 + odds), alone, age, edited };
	};
}

/** Returns a test: true for an expl that an open act declares. */
function neededIn({ episodes }: Graph): (episode: Episode) => boolean {
	const open = episodes.filter(({ kind, state }) => kind === "act" && state === "open");
	const needed = new Set(open.flatMap(({ dependencies }) => dependencies));
	return ({ id }) => needed.has(id);
}
