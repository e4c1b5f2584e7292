/** `paper` and the transcription of the paper's pseudocode, on random sessions, at requests that no provider limit adjusts. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { foldTranscript } from "../graph/fold.ts";
import type { Graph } from "../graph/graph.ts";
import type { Pass } from "../log/pass.ts";
import { type View, viewOfLog } from "../log/view.ts";
import { removedBy } from "../log/whole-calls.ts";
import type { Policy } from "../planning/policy.ts";
import { paper, paperAdapted } from "../policies/paper.ts";
import { algorithm1, countTokens } from "../test-support/algorithm-1.ts";
import { build } from "../test-support/message-builders.ts";
import { type PairedSession, pairedSession } from "../test-support/paired-session.ts";
import { planInput, requestSize } from "../test-support/simulation.ts";
import { testTools } from "../test-support/tools.ts";

const anyBudget = fc.integer({ min: 0, max: 40_000 });

test("rule 6: paper evicts what Algorithm 1 evicts, pass after pass, and ends at the same total", () => {
	let passes = 0;
	fc.assert(
		fc.property(pairedSession, anyBudget, (session, budget) => {
			passes += compare(paper, session, budget);
		}),
		{ numRuns: 300 },
	);
	// A comparison without passes would prove nothing.
	expect(passes).toBeGreaterThan(300);
});

test("rule 6: the comparison notices that paper-adapted departs from it", () => {
	const property = fc.property(pairedSession, anyBudget, (session, budget) => {
		compare(paperAdapted, session, budget);
	});
	expect(fc.check(property, { numRuns: 300, endOnFailure: true }).failed).toBe(true);
});

/** Compares both at every stop of a session; returns the number of passes. */
function compare(policy: Policy, { drafts, pieces, items, stops }: PairedSession, budget: number): number {
	const messages = build(drafts);
	const log: Pass[] = [];
	let evicted: ReadonlySet<number> = new Set();
	for (const stop of stops) {
		const past = pieces.slice(0, stop.pieces);
		const graph = foldTranscript(messages.slice(0, stop.messages), testTools);
		const pass = policy.plan(planInput(graph, { budget }, viewOfLog(log)));
		if (pass) log.push(pass);
		const view = viewOfLog(log);
		evicted = algorithm1(past, budget, evicted);
		expect(evictedPlaces(graph, view, items)).toEqual(
			past.flatMap((piece, place) => (evicted.has(place) && piece.tokens > 0 ? [place] : [])),
		);
		expect(requestSize(graph, log)).toBe(countTokens(past, evicted));
	}
	return log.length;
}

/** Places of the pieces that the log evicted. */
function evictedPlaces(graph: Graph, view: View, items: PairedSession["items"]): readonly number[] {
	const gone = removedBy(graph, view.removed);
	const ids = new Set(
		graph.messages.flatMap((message) =>
			message.items.filter((item) => item.tokens > 0 && gone(item)).map(({ id }) => id),
		),
	);
	return items.flatMap((own, place) => (own.some((id) => ids.has(id)) ? [place] : []));
}
