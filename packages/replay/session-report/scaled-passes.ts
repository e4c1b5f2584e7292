/** The passes of a log, which holds our own count, in the tokens of the provider: as the screens of the session show them. */
import type { Graph } from "#core/graph";
import { tokensWithResults } from "#core/ledger";
import type { Pass, Strip } from "#core/log";
import { passSizes, type Sizes } from "#pi/screen";

/**
 * Gives passes the sizes that they recorded of their time, and otherwise those of `sizes`; only what says how large requests were is
 * scaled. The strips have the sizes of their items in `graph`, which holds the whole session as the report counts it, so that what is
 * left of an episode is never below 0; a strip of items that it does not hold is scaled like the rest.
 */
export function createPassScale(graph: Graph, sizes: Sizes): (pass: Pass) => Pass {
	const items = new Map(graph.messages.flatMap((message) => message.items.map((item) => [item.id, item])));
	return (pass) => {
		const { reported, part } = passSizes(pass, sizes);
		const scaled = <Size extends { readonly tokens: number }>(size: Size) => {
			return { ...size, tokens: part(size.tokens) };
		};
		const scaledStrip = (strip: Strip) => {
			const found = strip.items.flatMap((id) => items.get(id) ?? []);
			if (found.length < strip.items.length) return scaled(strip);
			return { ...strip, tokens: tokensWithResults(graph, found) };
		};
		return {
			...pass,
			...reported,
			strips: pass.strips.map(scaledStrip),
			reductions: (pass.reductions ?? []).map(scaled),
			releases: (pass.releases ?? []).map(scaled),
		};
	};
}
