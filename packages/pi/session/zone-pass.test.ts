import { expect, test } from "vitest";
import { inOrder, user } from "../test-support/host-messages.ts";
import { act, open, under } from "../test-support/host-runs.ts";
import { policyByName } from "./live-policies.ts";
import { planZonePass } from "./zone-pass.ts";

test("a spike asks for a pass only where it pays for itself; a zone asks for one in any case", () => {
	const settings = { ...under(20_000), policy: policyByName("cwl") };
	const planned = (acts: number, action: "pass" | "paying pass") => {
		const work = Array.from({ length: acts }, (_, at) => act(at, 16_000 / acts)).flat();
		const messages = inOrder(user("go"), ...work, user("next"), ...act(acts, 10));
		const session = open();
		session.sync(messages);
		return planZonePass(session, messages, settings, action) !== undefined;
	};
	expect([planned(2, "pass"), planned(2, "paying pass")]).toEqual([true, false]);
	expect([planned(40, "pass"), planned(40, "paying pass")]).toEqual([true, true]);
});
