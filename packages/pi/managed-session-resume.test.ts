import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { HostMessage } from "./codec/host-message.ts";
import * as say from "./test-support/host-messages.ts";
import {
	bytes,
	later,
	open,
	reload,
	reloadLog,
	requestPoints,
	send,
	sendAll,
	under,
} from "./test-support/host-runs.ts";
import { anyBudget, anyHostSession } from "./test-support/host-sessions.ts";

describe("a session that is resumed from its file", () => {
	const crash = fc.record({ at: fc.nat(), isPassSaved: fc.boolean() });

	test("sends the same bytes as one that was never interrupted, wherever it broke off", () => {
		fc.assert(
			fc.property(anyHostSession, anyBudget, crash, (messages, budget, { at, isPassSaved }) => {
				const live = open();
				const expected = sendAll(live, messages, budget);
				const broken = expected[at % expected.length];
				const saved = live.state().log.slice(0, isPassSaved ? broken?.after : broken?.before);
				const resumed = open(reloadLog(saved));
				const persisted = reload(messages.slice(0, broken?.point));
				const rest = expected.slice(at % expected.length);
				const list = [...persisted, ...messages.slice(broken?.point)];
				const wires = rest.map(({ point }) => send(resumed, list, point, budget).wire);
				expect(wires).toEqual(rest.map(({ wire }) => wire));
				expect(resumed.state().log).toEqual(live.state().log);
			}),
			{ numRuns: 200 },
		);
	});

	test("sends the same bytes when the messages are reloaded under a running session", () => {
		fc.assert(
			fc.property(anyHostSession, anyBudget, (messages, budget) => {
				const session = open();
				for (const point of requestPoints(messages)) {
					const { wire } = send(session, messages, point, budget);
					expect(bytes(session.preview(reload(messages.slice(0, point))))).toBe(wire);
				}
			}),
		);
	});
});

describe("a list that changes under a session", () => {
	type List = readonly HostMessage[];

	/** The messages that a session that has seen one list sends for another, and those that a fresh one sends. */
	function compare(seen: List, next: List, budget: number, isRestored = true) {
		const used = open();
		sendAll(used, seen, budget);
		const log = reloadLog(used.state().log);
		if (isRestored) used.restore(log);
		const [fresh, after] = [open(log), used].map((session) => {
			const { messages, tokens, pass } = session.request(structuredClone(next), under(budget));
			return { wire: bytes(messages), tokens, pass };
		});
		expect(after).toEqual(fresh);
	}

	test("by a move to another branch gives what a fresh session gives", () => {
		fc.assert(
			fc.property(anyHostSession, anyHostSession, fc.nat(), anyBudget, (messages, others, cut, budget) => {
				const trunk = messages.slice(0, cut % (messages.length + 1));
				compare(messages, [...trunk, ...later(others, messages)], budget);
			}),
		);
	});

	test("by a compaction gives what a fresh session gives", () => {
		fc.assert(
			fc.property(anyHostSession, fc.nat(), anyBudget, (messages, cut, budget) => {
				const kept = messages.slice(cut % (messages.length + 1));
				compare(messages, [say.compactionSummary("long ago", 1_000), ...kept], budget);
			}),
		);
	});

	test("by losing a message in the middle gives what a fresh session gives", () => {
		fc.assert(
			fc.property(anyHostSession, fc.nat(), anyBudget, (messages, index, budget) => {
				compare(messages, messages.toSpliced(index % (messages.length + 1), 1), budget);
			}),
		);
	});

	test("while its length and its times stay the same is still another list", () => {
		const before = [say.user("go", 1), say.custom("cwl.git", "clean", 2), say.user("x".repeat(9), 3)];
		const after = [say.user("go", 1), say.custom("skill", "do it at once", 2), say.user("x".repeat(9), 3)];
		compare(before, after, 1_000);
	});

	test("without a word from the host is found to be another one, wherever it changed", () => {
		fc.assert(
			fc.property(
				anyHostSession,
				anyHostSession,
				fc.nat(),
				fc.nat(),
				anyBudget,
				(session, others, at, gone, budget) => {
					const messages = say.inOrder(...session);
					const [cut, end] = [at % (messages.length + 1), gone % 4];
					const head = messages.slice(0, cut);
					const summary = say.compactionSummary("long ago", 1_000);
					compare(messages, [...head, ...later(say.inOrder(...others), messages)], budget, false);
					compare(messages, [summary, ...messages.slice(cut)], budget, false);
					compare(messages, messages.toSpliced(cut, end), budget, false);
					compare(messages, messages.toSpliced(cut, 0, say.user("in between", 0.5)), budget, false);
				},
			),
		);
	});
});
