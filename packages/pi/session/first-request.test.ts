/** The first request of a resumed session takes steps in proportion to its episodes. A step sets an entry of a map or set. */
import { expect, test } from "vitest";
import { cwl } from "#core/policies";
import { createTrafficMeter } from "../requests/traffic-meter.ts";
import * as say from "../test-support/host-messages.ts";
import { act, fixed, open } from "../test-support/host-runs.ts";
import { readHistory } from "./session-history.ts";

function countSteps(work: () => void): number {
	const { set } = Map.prototype;
	const { add } = Set.prototype;
	let steps = 0;
	Map.prototype.set = function (...entry) {
		steps += 1;
		return set.apply(this, entry);
	};
	Set.prototype.add = function (value) {
		steps += 1;
		return add.call(this, value);
	};
	try {
		work();
	} finally {
		Object.assign(Map.prototype, { set });
		Object.assign(Set.prototype, { add });
	}
	return steps;
}

/** Steps of a first start, which makes a pass over everything, and of a later one, which reads that pass. */
function stepsFor(episodes: number): readonly number[] {
	const acts = Array.from({ length: episodes }, (_, number) => act(number, 600)).flat();
	const messages = say.inOrder(say.user("go"), ...acts, say.user("on"));
	const settings = { policy: cwl, budget: 20_000, fixed };
	const resume = (log: ReturnType<ReturnType<typeof open>["state"]>["log"]) => {
		const session = open(log);
		const branch = messages.map((message) => ({ type: "message", message }));
		const passes = log.map((data) => ({ type: "custom", customType: "cwl.pass", data }));
		const history = readHistory([...branch, ...passes], messages);
		const steps = countSteps(() => {
			session.planInput(messages, settings);
			createTrafficMeter().relearn(
				session.recount(history, () => fixed),
				messages,
			);
			session.request(messages, settings);
		});
		return { steps, log: session.state().log };
	};
	const first = resume([]);
	expect(first.log.at(-1)?.indexLines?.length).toBeGreaterThan(episodes / 10);
	return [first.steps, resume(first.log).steps];
}

test("twice the episodes take at most a little more than twice the steps, with a log and without", () => {
	const few = stepsFor(300);
	const many = stepsFor(600);
	for (const [index, steps] of many.entries()) {
		expect(steps / (few[index] ?? 1)).toBeLessThan(2.3);
	}
});
