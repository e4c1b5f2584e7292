import { expect, test } from "vitest";
import { cwl } from "../policies/cwl.ts";
import { paper } from "../policies/paper.ts";
import { project } from "../projection/projection.ts";
import { sentItems } from "../test-support/inspection.ts";
import { anySession } from "../test-support/sessions.ts";
import { forEveryRequest } from "../test-support/simulation.ts";

test("rule 1: below the budget the projection is the identity", () => {
	forEveryRequest(
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
			expect(pass !== undefined).toBe(total > settings.budget);
			if (!pass) expect(parts).toEqual(identity);
		},
		anySession,
		[paper, cwl],
	);
});
