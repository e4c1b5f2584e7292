import { expect, test } from "vitest";
import type { Graph } from "../graph/graph.ts";
import { changesContext, type Pass } from "../log/pass.ts";
import type { View } from "../log/view.ts";
import { removedBy } from "../log/whole-calls.ts";
import { paper } from "../policies/paper.ts";
import { linesOf } from "../test-support/inspection.ts";
import * as draft from "../test-support/message-builders.ts";
import { forEveryRequest, planInput } from "../test-support/simulation.ts";
import { act, use } from "../test-support/small-sessions.ts";
import type { Item } from "../transcript/transcript.ts";
import { passEffect, tokensBeforeCut } from "./pass-effect.ts";

test("a pass frees what it took, and all that stands behind the first cut is sent anew", () => {
	const kept = [draft.person(1_000), draft.model(draft.text(500)), draft.person(200)];
	const drafts = [
		...kept,
		...act("fix", [], ...use("read", "r")),
		draft.person(7),
		draft.model(draft.text(3)),
	];
	const graph = draft.fold(...drafts);
	const settings = { budget: 1_761, fixed: { system: 30, tools: 20 } };
	const input = planInput(graph, settings);
	const pass = paper.plan(input);
	if (!pass) throw new Error("no pass");
	const { freed, rewritten } = passEffect(input, pass);
	expect(freed).toBe(pass.before - pass.after);
	// The last answer, of 3 tokens, and the turn before it were never cached.
	expect(rewritten).toBe(pass.after - 50 - 1_700 - 3);
});

/** As `tokensBeforeCut`, over the whole history. */
function walkToCut(graph: Graph, view: View, { strips, folds = [], fades = [] }: Pass): number {
	const anchors = [...strips, ...folds].flatMap(({ marker }) => marker?.anchor ?? []);
	const faded = fades.flatMap(({ item }) => graph.resultOf.get(item)?.id ?? []);
	const touched = new Set([...strips.flatMap(({ items }) => items), ...faded, ...anchors]);
	const sizeOf = ({ id, tokens }: Item) => tokens - (view.faded.get(graph.callOf.get(id) ?? "")?.tokens ?? 0);
	const gone = removedBy(graph, (id) => view.removed.has(id));
	const lines = linesOf(view);
	const items = graph.messages.flatMap((message) => message.items);
	const cut = items.findIndex(({ id }) => touched.has(id));
	const kept = items.slice(0, cut < 0 ? undefined : cut);
	return kept.reduce((sum, item) => sum + (gone(item) ? 0 : sizeOf(item)) + (lines.get(item.id) ?? 0), 0);
}

test("what stands in front of a cut adds up to what a walk over the whole history finds, before the pass and after it", () => {
	forEveryRequest(({ graph, before, view, pass }) => {
		if (!pass || !changesContext(pass)) return;
		const kept = walkToCut(graph, view, pass);
		expect(tokensBeforeCut(graph, view, pass)).toBe(kept);
		expect(tokensBeforeCut(graph, before, pass)).toBe(kept);
	});
});
