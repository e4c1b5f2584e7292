import { expect, test } from "vitest";
import { createViewFold } from "../log.ts";
import { forEveryRequest } from "../test-support/simulation.ts";

test("rule 5: an expl is neither stripped nor removed before every act that declared it has gone", () => {
	forEveryRequest(({ graph, log, pass }) => {
		if (!pass) return;
		const sofar = createViewFold();
		for (const earlier of log.slice(0, -1)) sofar.append(earlier);
		for (const strip of pass.strips) {
			for (const dependent of graph.episodes) {
				if (!dependent.dependencies.includes(strip.episode)) continue;
				expect(sofar.read().episodes.get(dependent.id)?.level).toBe(4);
			}
			sofar.append({ ...pass, strips: [strip] });
		}
	});
});
