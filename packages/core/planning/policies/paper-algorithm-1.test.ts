import { expect, test } from "vitest";
import { type Evicted, runAlgorithm1 } from "../../test-support/algorithm-1.ts";
import { everyItem } from "../../test-support/inspection.ts";
import { anySession } from "../../test-support/sessions.ts";
import { forEveryRequest, type Request } from "../../test-support/simulation.ts";
import { removedBy } from "../strip-levels.ts";
import { paper } from "./paper.ts";

test("paper removes what Algorithm 1 removes, ends at the same total and is blocked in the same place", () => {
	let evicted: Evicted = { items: new Set(), episodes: new Map() };
	forEveryRequest(
		(request, previous) => {
			if (!previous) evicted = { items: new Set(), episodes: new Map() };
			const { graph, settings, pass } = request;
			const outcome = runAlgorithm1(graph, evicted, settings);
			expect(goneIds(request)).toEqual(evicted.items);
			if (pass) expect(pass.after).toBe(outcome.total);
			expect((pass?.blockers.length ?? 0) > 0).toBe(outcome.isBlocked);
		},
		anySession,
		[paper],
	);
});

function goneIds({ messages, graph, view }: Request): ReadonlySet<string> {
	const gone = removedBy(graph, (id) => view.removed.has(id));
	return new Set(
		everyItem(messages)
			.filter(gone)
			.map((item) => item.id),
	);
}
