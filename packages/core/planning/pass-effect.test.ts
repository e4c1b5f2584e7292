import { expect, test } from "vitest";
import { paper } from "../policies/paper.ts";
import * as draft from "../test-support/message-builders.ts";
import { planInput } from "../test-support/simulation.ts";
import { act, use } from "../test-support/small-sessions.ts";
import { passEffect } from "./pass-effect.ts";

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
