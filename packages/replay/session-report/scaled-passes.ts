/** The passes of a log, which holds our own count, in the tokens of the provider: as the screens of the session show them. */
import type { Graph } from "#core/graph";
import { tokensWithResults } from "#core/ledger";
import type { Pass, Strip } from "#core/log";
import { passSizes, reportDecision, type Sizes } from "#pi/screen";

/** Gives the passes the sizes that they recorded of their time, and otherwise those of `sizes`. */
export function scalePass<P extends Pass>(pass: P, sizes: Sizes): P {
	const { reported, part } = passSizes(pass, sizes);
	const scaled = <Size extends { readonly tokens: number }>(size: Size) => {
		return { ...size, tokens: part(size.tokens) };
	};
	return {
		...pass,
		...reported,
		strips: pass.strips.map(scaled),
		reductions: (pass.reductions ?? []).map(scaled),
		releases: (pass.releases ?? []).map(scaled),
		blockers: pass.blockers.map(scaled),
		// A part of the thinking, which is counted as it is now.
		...(pass.forfeited !== undefined && { forfeited: sizes.part(pass.forfeited) }),
		...(pass.decision && { decision: reportDecision(pass.decision, part) }),
	};
}

/**
 * Gives the strips of a pass the sizes that their items have in `graph`, which holds the whole session as the report counts it. So what is
 * left of an episode is never below 0. A strip of items that it does not hold stays as it is.
 */
export function createStripSizes(graph: Graph): (pass: Pass) => Pass {
	const items = new Map(graph.messages.flatMap((message) => message.items.map((item) => [item.id, item])));
	const sizeOf = ({ items: taken, tokens }: Strip): number => {
		const found = taken.map((id) => items.get(id)).filter((item) => item !== undefined);
		return found.length === taken.length ? tokensWithResults(graph, found) : tokens;
	};
	return (pass) => ({ ...pass, strips: pass.strips.map((strip) => ({ ...strip, tokens: sizeOf(strip) })) });
}
