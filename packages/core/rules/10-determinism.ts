import { expect } from "vitest";
import { foldTranscript } from "../graph/fold.ts";
import { computeLedger } from "../ledger/ledger.ts";
import { viewOfLog } from "../log/view.ts";
import { project } from "../projection/projection.ts";
import { expectEqual } from "../test-support/expect-equal.ts";
import { sentIds } from "../test-support/inspection.ts";
import { planInput, rule } from "../test-support/simulation.ts";
import { testTools } from "../test-support/tools.ts";

export const rule10 = [
	rule("rule 10: applying a plan twice changes nothing", ({ graph, view, parts, log, settings }) => {
		const twice = viewOfLog([...log, ...log]);
		expectEqual(project(graph, twice), parts);
		expectEqual(
			computeLedger({ graph, view: twice, fixed: settings.fixed }),
			computeLedger({ graph, view, fixed: settings.fixed }),
		);
	}),
	rule(
		"rule 10: after a pass there is nothing left to plan, unless it was blocked, and then no byte is left to take",
		(request) => {
			const { policy, graph, view, pass, settings } = request;
			const again = policy.plan(planInput(graph, settings, view));
			expect(again === undefined).toBe((pass?.blockers ?? []).length === 0);
			// Reasoning that the projection has already left out may still have to be written off.
			const sent = sentIds(request);
			expect(again?.strips.flatMap(({ items }) => items.filter((id) => sent.has(id))) ?? []).toEqual([]);
		},
	),
	rule(
		"rule 10: a session that is loaded again, its log through JSON, plans and sends the same",
		({ policy, messages, graph, before, pass, log, parts, settings }) => {
			const again = foldTranscript(messages, testTools);
			// A history is compared by what is planned from it.
			const { history: _liveHistory, ...live } = graph;
			const { history: _wholeHistory, ...whole } = again;
			expectEqual(whole, live);
			expectEqual(policy.plan(planInput(again, settings, before)), pass);
			expectEqual(project(again, viewOfLog(JSON.parse(JSON.stringify(log)))), parts);
		},
	),
];
