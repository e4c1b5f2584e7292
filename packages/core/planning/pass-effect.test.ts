import { expect, test } from "vitest";
import { foldTranscript } from "../graph/fold.ts";
import { computeLedger } from "../ledger/ledger.ts";
import { viewOfLog } from "../log/view.ts";
import { paper } from "../policies/paper.ts";
import * as draft from "../test-support/message-builders.ts";
import { forEveryRequest, planInput } from "../test-support/simulation.ts";
import { act, use } from "../test-support/small-sessions.ts";
import { testTools } from "../test-support/tools.ts";
import { sumTokens } from "../transcript/transcript.ts";
import { passEffect, tokensBeforeCut } from "./pass-effect.ts";

test("a pass frees what it took, and all that stands behind the first cut is sent anew", () => {
	const kept = [draft.person(1_000), draft.model(draft.text(500)), draft.person(200)];
	const drafts = [
		...kept,
		...act("fix", [], ...use("read", "r")),
		draft.person(7),
		draft.model(draft.text(3)),
	];
	const graph = foldTranscript(draft.build(drafts), testTools);
	const settings = { budget: 1_761, fixed: { system: 30, tools: 20 } };
	const input = planInput(graph, viewOfLog([]), settings);
	const pass = paper.plan(input);
	if (!pass) throw new Error("no pass");
	const { freed, rewritten } = passEffect(input, pass);
	expect(freed).toBe(pass.before - pass.after);
	// The last answer, of 3 tokens, and the turn before it were never cached.
	expect(rewritten).toBe(pass.after - 50 - 1_700 - 3);
});

// Each of thousands of passes is priced from scratch, which takes a busy machine longer than the usual limit.
test("whatever a pass takes, the request after it is the head that was kept and what is sent anew", {
	timeout: 120_000,
}, () => {
	forEveryRequest(({ graph, before, view, pass, settings }) => {
		if (!pass || pass.strips.length === 0) return;
		const { freed, rewritten } = passEffect(planInput(graph, before, settings), pass);
		const { total, system, tools } = computeLedger(graph, view, settings.fixed);
		const added = sumTokens(graph.messages.slice(graph.lastExchange).flatMap(({ items }) => items));
		expect(rewritten).toBe(Math.max(0, total - system - tools - tokensBeforeCut(graph, view, pass) - added));
		expect(freed).toBe(pass.before - pass.after);
		expect(rewritten).toBeGreaterThanOrEqual(0);
		expect(rewritten).toBeLessThanOrEqual(total - system - tools);
	});
});
