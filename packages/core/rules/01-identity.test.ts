import { expect, test } from "vitest";
import { cwl } from "../policies/cwl.ts";
import { paper } from "../policies/paper.ts";
import { project } from "../projection/projection.ts";
import { sentItems } from "../test-support/inspection.ts";
import { forEveryRequestUnder } from "../test-support/simulation.ts";

/** Rules 20 and 21 permit these below the budget, where they pay; Algorithm 1 makes none. */
const early = ["next work begins", "turn begins"];

test.each([paper, cwl])(
	"rule 1: below the budget the projection of $name is the identity until its first pass",
	(policy) => {
		const mayComeEarly = policy === paper ? [] : early;
		forEveryRequestUnder(
			{ policies: [policy] },
			({ messages, graph, before, log, parts, pass, settings }) => {
				const hasEarlierPass = log.length > (pass ? 1 : 0);
				if (hasEarlierPass) return;
				const identity = messages.map((_, message) => ({ type: "whole", message }));
				expect(project(graph, before)).toEqual(identity);
				const everything = sentItems(messages, project(graph, before));
				const total = everything.reduce(
					(sum, item) => sum + item.tokens,
					settings.fixed.system + settings.fixed.tools,
				);
				if (total > settings.budget) expect(pass).toBeDefined();
				else if (pass) expect(mayComeEarly).toContain(pass.decision?.reason);
				if (!pass) expect(parts).toEqual(identity);
			},
		);
	},
);
