import { expect, test } from "vitest";
import { foldTranscript } from "../graph/fold.ts";
import { computeLedger } from "../ledger/ledger.ts";
import { viewOfLog } from "../log/view.ts";
import { project } from "../projection/projection.ts";
import { sentIds } from "../test-support/inspection.ts";
import { forEveryRequest, planInput } from "../test-support/simulation.ts";
import { testTools } from "../test-support/tools.ts";

test("rule 10: applying a plan twice changes nothing", () => {
	forEveryRequest(({ graph, view, parts, log, settings }) => {
		const twice = viewOfLog([...log, ...log]);
		expect(project(graph, twice)).toEqual(parts);
		expect(computeLedger(graph, twice, settings.fixed)).toEqual(computeLedger(graph, view, settings.fixed));
	});
});

test("rule 10: after a pass there is nothing left to plan, unless it was blocked, and then no byte is left to take", () => {
	forEveryRequest(({ policy, graph, view, pass, settings, messages, parts }) => {
		const again = policy.plan(planInput(graph, settings, view));
		expect(again === undefined).toBe((pass?.blockers ?? []).length === 0);
		// Reasoning that the projection has already left out may still have to be written off.
		const sent = sentIds({ messages, parts });
		for (const { items } of again?.strips ?? []) expect(items.filter((id) => sent.has(id))).toEqual([]);
	});
});

test("rule 10: a session that is loaded again, its log through JSON, plans and sends the same", () => {
	forEveryRequest(({ policy, messages, graph, before, pass, log, parts, settings }) => {
		const again = foldTranscript(messages, testTools);
		// A history is compared by what is planned from it.
		const { history: _liveHistory, ...live } = graph;
		const { history: _wholeHistory, ...whole } = again;
		expect(whole).toEqual(live);
		expect(policy.plan(planInput(again, settings, before))).toEqual(pass);
		expect(project(again, viewOfLog(JSON.parse(JSON.stringify(log))))).toEqual(parts);
	});
});
