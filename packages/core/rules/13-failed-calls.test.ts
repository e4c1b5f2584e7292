import { expect, test } from "vitest";
import { paperAdapted } from "../policies/paper.ts";
import { lostFailures } from "../test-support/rule-checks.ts";
import { forEveryRequestUnder } from "../test-support/simulation.ts";

test("rule 13: a failed call stays visible, with its result, until its episode goes", () => {
	forEveryRequestUnder({ policies: [paperAdapted] }, ({ graph, view }) => {
		expect(lostFailures(graph, view)).toEqual([]);
	});
});
