/** The parts that a pass takes and the reasons for it, in the tokens of the provider. */
import type { sealedAmong } from "#core/ledger";
import type { NamePart, Pass, Strip } from "#core/log";
import { nameBlocker } from "../screen/budget-text.ts";
import { lastingFigures, reportDecision, type Sizes } from "../screen/sizes.ts";

/** Answers the sealed thinking among items. */
export type SealedOf = ReturnType<typeof sealedAmong>;

/** The parts of a pass as `createNetSizes` answers it, which add up to what it frees, with names in place of ids; each episode that they take tokens of once, the largest first. */
export function describeParts(
	{ strips, reductions = [], lines = 0, model }: Pass & { readonly lines?: number },
	nameOf: NamePart,
	part: Sizes["part"],
	sealedOf: SealedOf,
) {
	const taken = new Map<string, Strip>();
	for (const strip of strips) {
		const earlier = taken.get(nameOf(strip));
		const deeper = earlier && earlier.level > strip.level ? earlier : strip;
		const items = [...(earlier?.items ?? []), ...strip.items];
		taken.set(nameOf(strip), { ...deeper, items, tokens: strip.tokens + (earlier?.tokens ?? 0) });
	}
	return {
		strips: [...taken]
			.map(([episode, { level, items, tokens }]) => {
				return { episode, level, tokens: part(tokens, sealedOf(items, model)) };
			})
			.filter(({ tokens }) => tokens !== 0)
			.toSorted((a, b) => b.tokens - a.tokens),
		reductions: reductions.map((reduction) => {
			return { episode: nameOf(reduction), form: reduction.form, tokens: part(reduction.tokens) };
		}),
		/** Tokens that lines of several episodes save. */
		lines: part(lines),
	};
}

/** The reasons that kept a pass from freeing more, and the reason it was made for, with its figures; null where that was not computed. */
export function describeReasons({ blockers, decision }: Pass, part: (counted: number) => number) {
	return {
		blockers: blockers.map((blocker) => ({ ...nameBlocker(blocker), tokens: part(blocker.tokens) })),
		decision: decision ? lastingFigures(reportDecision(decision, part)) : null,
	};
}
