import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { expectEqual } from "../core/test-support/expect-equal.ts";
import type { HostMessage } from "./codec/host-message.ts";
import type { ManagedSession } from "./session/managed-session.ts";
import * as say from "./test-support/host-messages.ts";
import { bytes, later, open, reload, reloadLog, send, sendAll, under } from "./test-support/host-runs.ts";
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
				expect(reloadLog(resumed.state().log)).toEqual(reloadLog(live.state().log));
			}),
			{ numRuns: 200 },
		);
	});
});

describe("a list that changes under a session", () => {
	type List = readonly HostMessage[];

	/** The messages that a session that has seen one list sends for another, and those that a fresh one sends. */
	function compare(used: ManagedSession, next: List, budget: number, isRestored: boolean) {
		const log = reloadLog(used.state().log);
		if (isRestored) used.restore(log);
		const [fresh, after] = [open(log), used].map((session) => {
			const { messages, tokens, pass } = session.request(structuredClone(next), under(budget));
			return { wire: bytes(messages), tokens, pass };
		});
		expectEqual(after, fresh);
	}

	test("while its length and its times stay the same is still another list", () => {
		const before = [say.user("go", 1), say.custom("cwl.git", "clean", 2), say.user("x".repeat(9), 3)];
		const after = [say.user("go", 1), say.custom("skill", "do it at once", 2), say.user("x".repeat(9), 3)];
		const used = open();
		sendAll(used, before, 1_000);
		compare(used, after, 1_000, true);
	});

	test("by a move, a compaction or lost messages gives what a fresh session gives, with a word from the host or without", () => {
		fc.assert(
			fc.property(
				anyHostSession,
				anyHostSession,
				fc.nat(),
				fc.nat(),
				anyBudget,
				fc.boolean(),
				(session, others, at, gone, budget, isRestored) => {
					// Without a word, messages of one time cannot be told apart.
					const messages = isRestored ? session : say.inOrder(...session);
					const cut = at % (messages.length + 1);
					const end = gone % 4;
					const head = messages.slice(0, cut);
					const summary = say.compactionSummary("long ago", 1_000);
					const changed: readonly List[] = [
						[...head, ...later(say.inOrder(...others), messages)],
						[summary, ...messages.slice(cut)],
						messages.toSpliced(cut, end),
						messages.toSpliced(cut, 0, say.user("in between", 0.5)),
					];
					const used = open();
					sendAll(used, messages, budget);
					for (const next of changed) {
						compare(used, next, budget, isRestored);
						compare(used, messages, budget, isRestored);
					}
				},
			),
		);
	});
});
