import { expect, test } from "vitest";
import { policyByName } from "../session/live-policies.ts";
import type { RequestSettings } from "../session/managed-session.ts";
import { inOrder, user } from "../test-support/host-messages.ts";
import { act, open, under } from "../test-support/host-runs.ts";
import { isClosing, planZonePass } from "./zone-pass.ts";

test("a spike that would pass the ceiling within two of its steps is about to, whichever of the newest and the mean is larger", () => {
	const closes = (newest: number, recent: number, isSpike = true) =>
		isClosing([500, newest], {
			...{ tokens: 80_000, ceiling: 90_000 },
			burn: { recent, isSteep: isSpike },
		});
	expect([closes(5_000, 900), closes(5_001, 900), closes(900, 5_001)]).toEqual([false, true, true]);
	expect(closes(9_000, 9_000, false)).toBe(false);
});

test("a spike asks for a pass only where it pays for itself and the policy makes such; a zone asks for one in any case", () => {
	const settings = { ...under(20_000), policy: policyByName("cwl") };
	const planned = (acts: number, action: "pass" | "early pass", more: Partial<RequestSettings> = {}) => {
		const work = Array.from({ length: acts }, (_, at) => act(at, 16_000 / acts)).flat();
		const messages = inOrder(user("go"), ...work, user("next"), ...act(acts, 10));
		const session = open();
		session.sync(messages);
		const { policy, ...rest } = { ...settings, ...more };
		return planZonePass(policy, session.planInput(messages, { policy, ...rest }), action);
	};
	const isPlanned = (...of: Parameters<typeof planned>) => planned(...of) !== undefined;
	expect([isPlanned(2, "pass"), isPlanned(2, "early pass")]).toEqual([true, false]);
	expect([isPlanned(40, "pass"), isPlanned(40, "early pass")]).toEqual([true, true]);
	expect(planned(40, "early pass")).toMatchObject({
		policy: "cwl",
		decision: { reason: "pays for itself" },
	});
	for (const more of [{ policy: policyByName("paper") }, { lowWater: "quality" as const }])
		expect([isPlanned(40, "pass", more), isPlanned(40, "early pass", more)]).toEqual([true, false]);
});
