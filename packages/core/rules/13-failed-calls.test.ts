import { expect, test } from "vitest";
import { paperAdapted } from "../policies/paper.ts";
import { sentIds } from "../test-support/inspection.ts";
import { forEveryRequestUnder } from "../test-support/simulation.ts";

test("rule 13: a failed call stays visible, with its result, until its episode goes", () => {
	forEveryRequestUnder({ policies: [paperAdapted] }, (request) => {
		const sent = sentIds(request);
		for (const episode of request.graph.episodes) {
			if (request.view.episodes.get(episode.id)?.level === 4) continue;
			for (const item of episode.items) {
				const result = request.graph.resultOf.get(item.id);
				if (result?.isError) expect([sent.has(item.id), sent.has(result.id)]).toEqual([true, true]);
			}
		}
	});
});
