import { expect, test } from "vitest";
import { INFERRED_TOKENS } from "../graph/fold.ts";
import { isClosedAndPast, isLoopReasoning, sentIds } from "../test-support/inspection.ts";
import { anySession, unmarkedSession } from "../test-support/sessions.ts";
import { forEveryRequest } from "../test-support/simulation.ts";

test("rule 15: without a single mark, a request meets the budget or all that could go has gone", () => {
	forEveryRequest((request) => {
		const { graph, pass } = request;
		if ((pass?.blockers ?? []).length === 0) return;
		const sent = sentIds(request);
		for (const episode of graph.episodes.filter((each) => isClosedAndPast(graph, each))) {
			const left = episode.items.filter((item) => sent.has(item.id) && !isLoopReasoning(graph, item));
			expect(left).toEqual([]);
		}
	}, unmarkedSession);
});

test("rule 15: inferred boundaries say that they are inferred", () => {
	forEveryRequest(({ graph }) => {
		expect(graph.annotated).toBe(false);
		for (const episode of graph.episodes) expect(episode.origin).toBe("inferred");
	}, unmarkedSession);
});

test("rule 15: a run that nobody marked is open only at the end, and short but for its last exchange", () => {
	forEveryRequest(({ graph }) => {
		const runs = graph.episodes.filter((episode) => episode.origin === "inferred");
		expect(runs.slice(0, -1).every((episode) => episode.state === "closed")).toBe(true);
		for (const { items } of runs) {
			const last = items.findLast((item) => item.type !== "result")?.message ?? 0;
			const before = items.filter((item) => item.message < last);
			expect(before.reduce((sum, item) => sum + item.tokens, 0)).toBeLessThan(INFERRED_TOKENS);
		}
	}, anySession);
});
