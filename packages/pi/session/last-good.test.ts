import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { HostMessage } from "../codec/host-message.ts";
import * as say from "../test-support/host-messages.ts";
import { bytes, later, open, requestPoints, under, upTo } from "../test-support/host-runs.ts";
import { anyBudget, anyHostSession } from "../test-support/host-sessions.ts";
import { createLastGood } from "./last-good.ts";

const wordsOf = (messages: readonly HostMessage[]) =>
	bytes(messages.filter(({ role }) => role === "user" || role === "bashExecution"));

/** The messages sent at each request of a session in which one request fails, with their histories. */
function* requestsOf(messages: readonly HostMessage[], budget: number, failing: number) {
	const session = open();
	const lastGood = createLastGood();
	let previous: readonly HostMessage[] = [];
	for (const [index, point] of requestPoints(messages).entries()) {
		const history = upTo(messages, point);
		const isFault = index === failing;
		const sent = isFault ? lastGood.recover(history) : session.request(history, under(budget)).messages;
		yield { history, sent, previous, isFault, lastGood };
		if (!isFault) lastGood.keep(history, sent);
		previous = sent;
	}
}

const anyFault = fc.tuple(anyHostSession, anyBudget, fc.nat({ max: 20 }));

describe("rule 17: a request that cannot be projected", () => {
	test("is the last good one and what came since: nothing of it changes, and no word of a person is missing", () => {
		fc.assert(
			fc.property(anyFault, ([messages, budget, failing]) => {
				for (const { history, sent, previous, isFault } of requestsOf(messages, budget, failing)) {
					if (!isFault) continue;
					expect(bytes(sent.slice(0, previous.length))).toBe(bytes(previous));
					expect(bytes(sent.slice(previous.length))).toBe(
						bytes(history.slice(history.length - (sent.length - previous.length))),
					);
					expect(wordsOf(sent)).toBe(wordsOf(history));
				}
			}),
		);
	});

	test("is all of the history where that is another branch, or was compacted", () => {
		fc.assert(
			fc.property(anyFault, anyHostSession, ([messages, budget, failing], others) => {
				for (const { history, lastGood } of requestsOf(messages, budget, failing)) {
					const moved = later(others, history);
					expect(lastGood.recover(moved)).toEqual(moved);
					// As pi compacts: a summary stands in front of what it kept.
					const summary = say.compactionSummary("what was", history.length + 1);
					for (const kept of history.keys()) {
						const compacted = [summary, ...history.slice(kept)];
						expect(lastGood.recover(compacted)).toEqual(compacted);
					}
				}
			}),
		);
	});
});
