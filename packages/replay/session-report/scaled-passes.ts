/** The passes of a log, which holds our own count, in the tokens of the provider: as the screens of the session show them. */
import type { Pass } from "#core/log";
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
		...(pass.forfeited !== undefined && { forfeited: part(pass.forfeited) }),
		...(pass.decision && { decision: reportDecision(pass.decision, part) }),
	};
}
