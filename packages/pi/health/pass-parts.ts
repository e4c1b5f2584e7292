/** The parts that a pass takes and the reasons for it, in the tokens of the provider. */
import type { Graph } from "#core/graph";
import { sealedAmong } from "#core/ledger";
import { createNamer, type Pass, type Strip } from "#core/log";
import { sumTokens } from "#core/transcript";
import { nameBlocker } from "../screen/budget-text.ts";
import { lastingFigures, passSizes, reportDecision, type Sizes } from "../screen/sizes.ts";

/** Reads the passes of a session, with names in place of ids. */
export function createPassReader(graph: Pick<Graph, "episodes" | "reasoning">) {
	const nameOf = createNamer(graph);
	const sealedOf = sealedAmong(graph);
	const thinking = new Set(graph.reasoning.map(({ id }) => id));
	return {
		/** The sizes of a pass in the provider's tokens. */
		sizesOf: (pass: Pass, sizes: Sizes) => passSizes(pass, sizes, sealedOf),
		/** The parts of a pass as `createNetSizes` answers it, which add up to what it frees; each episode that they take tokens of once, the largest first. */
		partsOf(
			{ strips, reductions = [], releases = [], lines = 0, model }: Pass & { readonly lines?: number },
			part: Sizes["part"],
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
					.map(([episode, { level, items, tokens }]) => ({
						episode,
						/** 1 where it takes nothing but thinking, whatever was taken before. */
						level: items.length > 0 && items.every((item) => thinking.has(item)) ? 1 : level,
						tokens: part(tokens, sealedOf(items, model)),
					}))
					.filter(({ tokens }) => tokens !== 0)
					.toSorted((a, b) => b.tokens - a.tokens),
				reductions: reductions.map((reduction) => {
					return { episode: nameOf(reduction), form: reduction.form, tokens: part(reduction.tokens) };
				}),
				/** Your messages that it cut, and what that frees; absent for none. */
				...(releases.length > 0 && {
					released: { messages: releases.length, tokens: part(sumTokens(releases)) },
				}),
				/** Tokens that lines of several episodes save. */
				lines: part(lines),
			};
		},
	};
}

/** The reasons that kept a pass from freeing more, and the reason it was made for, with its figures; null where that was not computed. */
export function describeReasons({ blockers, decision }: Pass, part: (counted: number) => number) {
	return {
		blockers: blockers.map((blocker) => ({ ...nameBlocker(blocker), tokens: part(blocker.tokens) })),
		decision: decision ? lastingFigures(reportDecision(decision, part)) : null,
	};
}
