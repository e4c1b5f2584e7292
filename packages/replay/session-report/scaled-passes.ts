/** The passes of a log, which holds our own count, in the tokens that the report counts in. */
import type { Graph } from "#core/graph";
import { tokensWithResults } from "#core/ledger";
import type { Pass, Strip } from "#core/log";

/** `graph` holds the whole session, counted as the report counts; `factor` stands in for items that it does not hold. */
export function createPassScale(graph: Graph, factor: number): (pass: Pass) => Pass {
	const items = new Map(graph.messages.flatMap((message) => message.items.map((item) => [item.id, item])));
	const scaled = (tokens: number) => Math.round(factor * tokens);
	const sizeOf = ({ items: taken, tokens }: Strip): number => {
		const found = taken.map((id) => items.get(id)).filter((item) => item !== undefined);
		return found.length === taken.length ? tokensWithResults(graph, found) : scaled(tokens);
	};
	return (pass) => {
		const { strips, reductions = [], releases = [], decision, forfeited } = pass;
		return {
			...pass,
			before: scaled(pass.before),
			after: scaled(pass.after),
			strips: strips.map((strip) => ({ ...strip, tokens: sizeOf(strip) })),
			reductions: reductions.map((reduction) => ({ ...reduction, tokens: scaled(reduction.tokens) })),
			releases: releases.map((release) => ({ ...release, tokens: scaled(release.tokens) })),
			...(forfeited !== undefined && { forfeited: scaled(forfeited) }),
			...(decision && {
				decision: {
					...decision,
					freed: scaled(decision.freed),
					rewritten: scaled(decision.rewritten),
					growth: scaled(decision.growth),
				},
			}),
		};
	};
}
