import { expect, test } from "vitest";
import { parsePolicies } from "../policies/registry.ts";
import { advise } from "../report/advice.ts";
import { reportWith, sessionsFolder } from "../test-support/replay-run.ts";
import { whatIfArms } from "./what-if.ts";

test("every setting is replayed under every budget, on the same requests", async () => {
	const arms = whatIfArms([6_000, 4_000], parsePolicies("cwl-economy,cwl"));
	expect(arms.map(({ name }) => name)).toEqual([
		...["none", "compaction@160k", "cwl@auto"],
		...["cwl-economy@6k", "cwl@6k", "cwl-economy@4k", "cwl@4k"],
	]);
	const folder = await sessionsFolder({ "a.jsonl": 30, "b.jsonl": 20 });
	const { policies } = await reportWith({ paths: [folder], arms, pressure: 4_000 });
	const [uncapped, , auto, ...capped] = policies;
	expect(auto).toMatchObject({ isAuto: true, budget: 160_000 });
	for (const policy of capped) {
		expect(policy.pressed?.requests).toBe(uncapped?.pressed?.requests);
		expect(policy.grounding.edit.needed).toBe(uncapped?.grounding.edit.needed);
		expect(policy.maxContext).toBeLessThanOrEqual(policy.budget);
		expect(policy.violations).toBe(0);
	}
	expect(policies.map(({ policy }) => policy)).toContain(advise(policies)?.policy);
});
