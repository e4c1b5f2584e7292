/** Figures and lists that the engine keeps while a session grows, against what is made of the whole of it. */
import { expect } from "vitest";
import type { Graph } from "../graph/graph.ts";
import { computeLedger, totalTokens } from "../ledger/ledger.ts";
import { changesContext, type Pass } from "../log/pass.ts";
import { type View, viewOfLog } from "../log/view.ts";
import { removedBy } from "../log/whole-calls.ts";
import { tokensBeforeCut } from "../planning/pass-effect.ts";
import { createProjection } from "../projection/projection.ts";
import { expectEqual } from "../test-support/expect-equal.ts";
import { linesOf, recount, unsent } from "../test-support/inspection.ts";
import { everyPolicy, rule, ruleUnder, switched } from "../test-support/simulation.ts";
import { type Item, isBlank, sumTokens } from "../transcript/transcript.ts";

let growing = createProjection(viewOfLog([]));

export const keptFigures = [
	ruleUnder(
		{ policies: [...everyPolicy, switched] },
		"the ledger, and its running total, is what a recount of the projection gives, before and after every pass",
		(request) => {
			const { graph, view, before, settings, pass } = request;
			const ledger = computeLedger({ graph, view, fixed: settings.fixed });
			expect(totalTokens({ graph, view, fixed: settings.fixed })).toBe(ledger.total);
			// Reasoning and blank text that lead nowhere any more are not sent, and written off when their own episode is stripped next.
			const left = unsent(request);
			expect(ledger.total).toBe(recount(request) + sumTokens(left));
			expect(left.filter((item) => item.type !== "reasoning" && !isBlank(item))).toEqual([]);
			const { total, ...components } = ledger;
			expect(Object.values(components).reduce((sum, tokens) => sum + tokens, 0)).toBe(total);
			expect(Math.min(...Object.values(components))).toBeGreaterThanOrEqual(0);
			if (!pass) return;
			expect(pass.before).toBe(computeLedger({ graph, view: before, fixed: settings.fixed }).total);
			expect(totalTokens({ graph, view: before, fixed: settings.fixed })).toBe(pass.before);
			expect(pass.after).toBe(total);
		},
	),
	rule(
		"what stands in front of a cut adds up to what a walk over the whole history finds, before the pass and after it",
		({ graph, before, view, pass }) => {
			if (!pass || !changesContext(pass)) return;
			const kept = walkToCut(graph, view, pass);
			expect(tokensBeforeCut(graph, view, pass)).toBe(kept);
			expect(tokensBeforeCut(graph, before, pass)).toBe(kept);
		},
	),
	rule(
		"between two passes a projection that grows is the one made at once, and the same list",
		({ graph, view, pass, parts }, previous) => {
			if (!previous || pass) growing = createProjection(view);
			expectEqual(growing(graph), parts);
			expect(growing(graph)).toBe(growing(graph));
		},
	),
];

/** The answer of `tokensBeforeCut`, from the whole history. */
function walkToCut(graph: Graph, view: View, { strips, indexLines = [], reductions = [] }: Pass): number {
	const anchors = [...strips, ...indexLines].flatMap(({ marker }) => marker?.anchor ?? []);
	const reduced = reductions.flatMap(({ item }) => graph.resultOf.get(item)?.id ?? []);
	const touched = new Set([...strips.flatMap(({ items }) => items), ...reduced, ...anchors]);
	const sizeOf = ({ id, tokens }: Item) =>
		tokens - (view.reduced.get(graph.callOf.get(id) ?? "")?.tokens ?? 0);
	const gone = removedBy(graph, view.removed);
	const lines = linesOf(view);
	const items = graph.messages.flatMap((message) => message.items);
	const cut = items.findIndex(({ id }) => touched.has(id));
	const kept = items.slice(0, cut < 0 ? undefined : cut);
	return kept.reduce((sum, item) => sum + (gone(item) ? 0 : sizeOf(item)) + (lines.get(item.id) ?? 0), 0);
}
