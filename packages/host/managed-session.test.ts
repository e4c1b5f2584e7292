import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Pass } from "../core/log.ts";
import { defaultToolTable } from "../core/tool-table.ts";
import type { HostMessage } from "./host-message.ts";
import { PASS_ENTRY, readLogEntries } from "./log-entries.ts";
import { createManagedSession, type ManagedSession, type RequestSettings } from "./managed-session.ts";
import { OUR_MESSAGES, readMessage } from "./messages.ts";
import { policyByName } from "./policies.ts";
import * as say from "./test-support/host-messages.ts";
import { anyBudget, anyHostSession } from "./test-support/host-sessions.ts";

const fixed = { system: 30, tools: 20 };

function under(budget: number): RequestSettings {
	return { policy: policyByName("paper"), budget, fixed };
}

function open(log: readonly Pass[] = []): ManagedSession {
	const session = createManagedSession(say.countCharacters, defaultToolTable);
	session.restore(log);
	return session;
}

/** How much of the session there is at each request: one goes out before each model message, and one at the end. */
function requestPoints(messages: readonly HostMessage[]): readonly number[] {
	const points = messages.flatMap(({ role }, index) => (role === "assistant" ? [index] : []));
	return [...points, messages.length];
}

/** As pi hands them over: cloned for each request. */
function upTo(messages: readonly HostMessage[], point: number): readonly HostMessage[] {
	return structuredClone(messages.slice(0, point));
}

/** As pi reads them back from the session file, where custom messages have the time of their entry. */
function reload(messages: readonly HostMessage[]): readonly HostMessage[] {
	return messages.map((message) => {
		const copy: HostMessage = JSON.parse(JSON.stringify(message));
		return copy.role === "custom" ? { ...copy, timestamp: copy.timestamp + 5 } : copy;
	});
}

function reloadLog(log: readonly Pass[]): readonly Pass[] {
	const entries = log.map((data) => ({ type: "custom", customType: PASS_ENTRY, data }));
	return readLogEntries(JSON.parse(JSON.stringify(entries))).passes;
}

/** What goes over the wire; timestamps do not. */
function bytes(messages: readonly HostMessage[]): string {
	return JSON.stringify(messages.map(({ timestamp: _, ...message }) => message));
}

/** The messages as they would be had they been written after the others: no two branches are written at one time. */
function later(messages: readonly HostMessage[], others: readonly HostMessage[]): readonly HostMessage[] {
	return messages.map((message) => ({ ...message, timestamp: message.timestamp + others.length + 1 }));
}

interface Sent {
	readonly point: number;
	readonly wire: string;
	/** Passes before the request and after it. */
	readonly before: number;
	readonly after: number;
}

function send(
	session: ManagedSession,
	messages: readonly HostMessage[],
	point: number,
	budget: number,
): Sent {
	const before = session.state().log.length;
	const sent = session.request(upTo(messages, point), under(budget));
	return { point, wire: bytes(sent.messages), before, after: session.state().log.length };
}

function sendAll(session: ManagedSession, messages: readonly HostMessage[], budget: number): readonly Sent[] {
	return requestPoints(messages).map((point) => send(session, messages, point, budget));
}

/** Check every request of arbitrary sessions under arbitrary budgets. */
function forEveryRequest(
	check: (sent: readonly HostMessage[], messages: readonly HostMessage[], session: ManagedSession) => void,
	budgets: fc.Arbitrary<number> = anyBudget,
) {
	fc.assert(
		fc.property(anyHostSession, budgets, (messages, budget) => {
			const session = open();
			for (const point of requestPoints(messages)) {
				const given = upTo(messages, point);
				check(session.request(given, under(budget)).messages, given, session);
			}
		}),
	);
}

test("below the budget a request sends the very messages that it was given", () => {
	forEveryRequest((sent, messages, session) => {
		expect(sent).toHaveLength(messages.length);
		expect(sent.every((message, index) => message === messages[index])).toBe(true);
		expect(session.state().log).toEqual([]);
	}, fc.constant(Number.MAX_SAFE_INTEGER));
});

test("a request changes nothing in what it was given", () => {
	fc.assert(
		fc.property(anyHostSession, anyBudget, (messages, budget) => {
			const given = structuredClone(messages);
			open().request(given, under(budget));
			expect(given).toEqual(messages);
		}),
	);
});

test("every item of a session has a name of its own, and the same one after a reload", () => {
	const idsOf = (session: ManagedSession) =>
		session.state().graph.messages.flatMap((message) => message.items.map((item) => item.id));
	fc.assert(
		fc.property(anyHostSession, (messages) => {
			const live = open();
			const reloaded = open();
			live.peek(structuredClone(messages));
			reloaded.peek(reload(messages));
			expect(new Set(idsOf(live)).size).toBe(idsOf(live).length);
			expect(idsOf(reloaded)).toEqual(idsOf(live));
		}),
	);
});

describe("whatever is evicted", () => {
	test("what a person wrote is sent as it is, and in order", () => {
		const isPersons = (message: HostMessage) =>
			message.role === "user" ||
			message.role === "bashExecution" ||
			(message.role === "custom" && !message.customType.startsWith(OUR_MESSAGES));
		forEveryRequest((sent, messages) => {
			expect(sent.filter(isPersons)).toEqual(messages.filter(isPersons));
		});
	});

	test("messages of a role that later hosts add are sent as they are", () => {
		const isOdd = (message: HostMessage) => message.role === say.ofLaterHost().role;
		forEveryRequest((sent, messages) => {
			expect(sent.filter(isOdd)).toEqual(messages.filter(isOdd));
		});
	});

	test("item ids and signatures are those of the original exactly while its reasoning is all there", () => {
		forEveryRequest((sent, messages) => {
			const originals = new Map(
				messages.flatMap((each) => (each.role === "assistant" ? [[each.responseId, each]] : [])),
			);
			for (const message of sent) {
				if (message.role !== "assistant") continue;
				const original = originals.get(message.responseId);
				const isWhole = countThoughts(message) === countThoughts(original ?? message);
				const known = new Set((original?.content ?? []).map((block) => JSON.stringify(block)));
				for (const block of message.content) {
					if (isWhole || block.type === "thinking") expect(known).toContain(JSON.stringify(block));
					else if (block.type === "toolCall") expect(block.id).not.toContain("|");
					else expect(block).not.toHaveProperty("textSignature");
				}
			}
		});
	});

	test("every result that is sent answers a call that is sent, under the same id, if it did so before", () => {
		forEveryRequest((sent, messages) => {
			if (strays(messages) === 0) expect(strays(sent)).toBe(0);
		});
	});

	test("the ledger adds up to what is sent; markers that share a message may cost less", () => {
		fc.assert(
			fc.property(anyHostSession, anyBudget, (messages, budget) => {
				const { messages: sent, ledger } = open().request(messages, under(budget));
				const items = sent.flatMap((each, i) => readMessage(each, i, `${i}`, say.countCharacters).items);
				const tokens = items.reduce((sum, item) => sum + item.tokens, fixed.system + fixed.tools);
				if (ledger.markers === 0) expect(ledger.total).toBe(tokens);
				else expect(ledger.total).toBeGreaterThanOrEqual(tokens);
			}),
		);
	});
});

function countThoughts(message: say.ModelMessage): number {
	return message.content.filter((block) => block.type === "thinking").length;
}

/** Results without a call of theirs before them. */
function strays(messages: readonly HostMessage[]): number {
	const called = new Set<string>();
	let count = 0;
	for (const message of messages) {
		if (message.role === "toolResult" && !called.has(message.toolCallId)) count += 1;
		if (message.role !== "assistant") continue;
		for (const block of message.content) if (block.type === "toolCall") called.add(block.id);
	}
	return count;
}

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
					expect(bytes(session.peek(reload(messages.slice(0, point))))).toBe(wire);
				}
			}),
		);
	});
});

describe("a peek", () => {
	const long = say.inOrder(
		say.user("go"),
		say.reply([say.calls("1", "grep")]),
		say.result("1", [say.words("x".repeat(1_000))]),
		say.user("on"),
		say.reply([say.says("done")]),
		say.user("more"),
	);

	test("makes no pass, however far the context is over its budget", () => {
		const session = open();
		session.request(long, under(100_000));
		expect(session.peek(long)).toEqual(long);
		expect(session.state().log).toEqual([]);
		const { pass } = session.request(long, under(600));
		expect(pass?.strips.length).toBeGreaterThan(0);
		expect(session.state().log).toEqual([pass]);
	});

	test("shows what the last request sent", () => {
		const session = open();
		const { messages } = session.request(long, under(600));
		expect(messages.length).toBeLessThan(long.length);
		expect(session.peek(long)).toEqual(messages);
	});

	test("at any list, between any two requests, leaves the requests as they are", () => {
		fc.assert(
			fc.property(
				anyHostSession,
				anyHostSession,
				anyBudget,
				fc.array(fc.nat()),
				(messages, other, budget, looks) => {
					const session = open();
					const wires = requestPoints(messages).map((point, index) => {
						const look = looks[index % looks.length] ?? 0;
						session.peek(
							look % 5 === 0 ? later(other, messages) : upTo(messages, look % (messages.length + 1)),
						);
						return send(session, messages, point, budget).wire;
					});
					expect(wires).toEqual(sendAll(open(), messages, budget).map(({ wire }) => wire));
				},
			),
		);
	});
});

describe("a list that changes under a session", () => {
	/** What a session that has seen one list sends for another, and what a fresh one sends. */
	function compare(seen: readonly HostMessage[], next: readonly HostMessage[], budget: number) {
		const used = open();
		sendAll(used, seen, budget);
		const log = reloadLog(used.state().log);
		used.restore(log);
		const [fresh, after] = [open(log), used].map((session) => {
			const { messages, ledger, pass } = session.request(structuredClone(next), under(budget));
			return { wire: bytes(messages), ledger, pass };
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
});

test("messages of one time are told apart by their order", () => {
	const exchange = [
		say.user("one", 5),
		say.user("two", 5),
		say.reply([say.calls("1"), say.calls("2")], 5),
		say.result("1", [say.words("a")], 5),
		say.result("2", [say.words("b")], 5),
		say.custom("cwl.git", "clean", 5),
		say.custom("cwl.git", "clean", 5),
	];
	const session = open();
	session.peek(exchange);
	const ids = session.state().graph.messages.flatMap((message) => message.items.map((item) => item.id));
	expect(new Set(ids).size).toBe(8);
});

test("a session that has been reset to an empty log sends everything again", () => {
	const messages = say.inOrder(
		say.user("go"),
		say.reply([say.calls("1", "grep")]),
		say.result("1", [say.words("x".repeat(1_000))]),
		say.user("on"),
		say.reply([say.says("done")]),
	);
	const session = open();
	expect(session.request(messages, under(600)).messages.length).toBeLessThan(messages.length);
	session.restore([]);
	expect(session.request(messages, under(10_000)).messages).toEqual(messages);
});
