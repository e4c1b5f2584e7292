import { expect, test } from "vitest";
import { sum } from "#basics";
import type { HostMessage } from "#pi/codec";
import { alignRequest } from "../metrics/alignment.ts";
import { createPrefixMeter } from "../metrics/prefix.ts";
import { createRuleCheck } from "../metrics/rules.ts";
import { openRecording } from "../recording/recording.ts";
import { policyNamed, replayUnder, shownBy, textOf } from "../test-support/kept.ts";
import { writeLongSession } from "../test-support/long-session.ts";
import { calls, countQuarters, reply, result, says, user } from "../test-support/messages.ts";
import { parsePolicies } from "./registry.ts";

const recording = openRecording(writeLongSession(40), countQuarters);
const fixed = { system: 50, tools: 30 };
const overhead = fixed.system + fixed.tools;
const budget = 4_000;

const requestsUnder = (name: string) => replayUnder(name, recording, budget, fixed);

function tokensOf(messages: readonly HostMessage[]): number {
	return overhead + sum(messages.flatMap((message) => recording.sizes(message)));
}

/** The knobs that make a policy do in a small session what it does in a large one. */
const small: Readonly<Record<string, string>> = { compaction: "compaction:keep=600:summary=100" };
/** Settings of the live policies under which they act at other times, or send something else. */
const settings = "cwl:profile=coding cwl:profile=review:fading=on cwl:fading=on cwl:fading=placeholder".split(
	" ",
);

test.each([...parsePolicies("all").map(({ name }) => small[name] ?? name), ...settings])(
	"%s breaks no rule that it claims",
	(name) => {
		const measure = createPrefixMeter(recording.sizes);
		const check = createRuleCheck();
		const { exempt, passesEarly = false } = policyNamed(name);
		let hasPassed = false;
		const violations = requestsUnder(name).flatMap((request) => {
			const { messages, given: history = request.history } = request;
			const alignment = alignRequest(history, messages);
			hasPassed ||= request.pass !== undefined;
			// A policy that evicts finished work decides itself when its first pass is due.
			const fits = passesEarly ? !hasPassed : tokensOf(request.history) <= budget;
			return check({ ...request, history, alignment, fits, isExtension: measure(messages).isExtension });
		});
		expect(violations.filter(({ rule }) => !exempt.includes(rule))).toEqual([]);
		expect(new Set(violations.map(({ rule }) => rule))).toEqual(new Set(exempt));
	},
);

test("a live policy with a low water goes down to it", () => {
	const passes = requestsUnder("fifo:low=.4").flatMap(({ pass }) => pass ?? []);
	expect(passes.length).toBeGreaterThan(1);
	for (const { after } of passes) expect(after).toBeLessThanOrEqual(0.4 * budget);
});

const read = (id: string, path: string) => reply(calls(id, "read", { path }));

test("fifo takes the oldest down to its low water, lru spares what a later reply refers to", () => {
	const six = ["a", "b", "c", "d", "e", "f"].map((name) => [
		read(name, `src/${name}.ts`),
		result(name, textOf(name, 400)),
	]);
	expect(shownBy("fifo", 2_200, [user("go"), ...six.flat()])).toEqual(["d", "e", "f"]);
	expect(shownBy("fifo:low=.45", 2_200, [user("go"), ...six.flat()])).toEqual(["e", "f"]);
	const referred = [user("go"), ...six.slice(0, 5).flat(), reply(says("src/a.ts it is")), user("on")];
	expect(shownBy("lru", 2_200, [...referred, ...(six[5] ?? [])])).toEqual(["a", "e", "f"]);
});
