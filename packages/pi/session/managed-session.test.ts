import fc from "fast-check";
import { expect, test } from "vitest";
import { expectEqual } from "../../core/test-support/expect-equal.ts";
import type { HostMessage } from "../codec/host-message.ts";
import { readMessage } from "../codec/messages.ts";
import * as say from "../test-support/host-messages.ts";
import * as runs from "../test-support/host-runs.ts";
import { anyBudget, anyHostSession } from "../test-support/host-sessions.ts";
import type { ManagedSession } from "./managed-session.ts";

const { fixed, isPersons, open, reload, requestPoints, strays, under, upTo } = runs;

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
				const sent = session.request(given, under(budget)).messages;
				expectEqual(given, messages.slice(0, point));
				check(sent, given, session);
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

test("every item of a session has a name of its own, and the same one after a reload", () => {
	const idsOf = (session: ManagedSession) =>
		session.state().graph.messages.flatMap((message) => message.items.map((item) => item.id));
	fc.assert(
		fc.property(anyHostSession, (messages) => {
			const live = open();
			const reloaded = open();
			live.preview(structuredClone(messages));
			reloaded.preview(reload(messages));
			expect(new Set(idsOf(live)).size).toBe(idsOf(live).length);
			expect(idsOf(reloaded)).toEqual(idsOf(live));
		}),
	);
});

test("whatever is evicted, what a person wrote and roles of later hosts are sent as they are, and results answer calls", () => {
	const isKept = (message: HostMessage) => isPersons(message) || message.role === say.ofLaterHost().role;
	forEveryRequest((sent, messages) => {
		expectEqual(sent.filter(isKept), messages.filter(isKept));
		if (strays(messages).results === 0) expect(strays(sent).results).toBe(0);
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
			const signed = (original?.content ?? []).flatMap((block) =>
				block.type === "text" && block.textSignature !== undefined ? [block.textSignature] : [],
			);
			for (const block of message.content) {
				if (isWhole || block.type === "thinking") expect(known).toContain(JSON.stringify(block));
				else if (block.type === "toolCall") expect(block.id).not.toContain("|");
				else expect(signed).not.toContain(block.textSignature);
			}
		}
	});
});

test("the total is what is sent while nothing is evicted, and never less", () => {
	fc.assert(
		fc.property(anyHostSession, anyBudget, (messages, budget) => {
			const session = open();
			const { messages: sent, tokens } = session.request(messages, under(budget));
			const items = sent.flatMap((each, i) => readMessage(each, i, `${i}`, say.countCharacters).items);
			const counted = items.reduce((sum, item) => sum + item.tokens, fixed.system + fixed.tools);
			// Markers that share a message share its framing, and reasoning that led to nothing else stays behind.
			if (session.state().log.length === 0) expect(tokens).toBe(counted);
			else expect(tokens).toBeGreaterThanOrEqual(counted);
		}),
	);
});

function countThoughts(message: say.ModelMessage): number {
	return message.content.filter((block) => block.type === "thinking").length;
}

/** The words of a message, without thinking and the names that pair it with calls. */
function withoutThinking(message: HostMessage) {
	if (message.role !== "assistant") return message.role;
	return message.content.flatMap((block) =>
		block.type === "thinking" ? [] : [block.type === "text" ? block.text : JSON.stringify(block.arguments)],
	);
}

test("a pass that is taken back leaves the session as it was before it, except for thinking", () => {
	forEveryRequest((sent, messages, session) => {
		const { log } = session.state();
		const last = log.at(-1);
		if (!last) return;
		const earlier = open(log.slice(0, -1)).preview(messages);
		expect(session.undo(messages, under(0))?.pass).toEqual(last);
		const words = (list: readonly HostMessage[]) =>
			list.map(withoutThinking).filter(({ length }) => length > 0);
		expectEqual(words(session.preview(messages)), words(earlier));
		session.restore([...log.slice(0, -1), last]);
		expectEqual(session.preview(messages), sent);
	});
});

test("thinking comes back with a pass that no answer followed, and leaves where one did", () => {
	const thought = () => say.reply([say.thinks("a long thought"), say.says("done")]);
	const acts = Array.from({ length: 6 }, (_, number) => runs.act(number, 800)).flat();
	const messages = say.inOrder(
		say.user("go"),
		thought(),
		say.user("work"),
		...acts,
		thought(),
		say.user("next"),
	);
	const session = open();
	const { pass, messages: sent } = session.request(messages, under(4_000));
	expect(pass?.forfeited).toBeGreaterThan(0);
	const later = say.inOrder(...messages, thought(), say.user("and now?"));
	expect(session.planUndo(later, under(0))?.change?.forfeited).toBeGreaterThan(0);
	const stopped = { ...thought(), stopReason: "aborted" as const, timestamp: 1_000 };
	const unanswered = [...messages, stopped, say.user("and now?", 1_001)];
	expect(session.planUndo(unanswered, under(0))?.change).toBeUndefined();
	const bringsBack = (list: readonly HostMessage[]) => session.planUndo(list, under(0))?.bringsBack;
	expect([bringsBack(messages), bringsBack(later)]).toEqual([true, true]);
	// A compaction leaves thinking alone of what the pass took.
	const compacted = (list: readonly HostMessage[]) => [
		say.user("a summary"),
		...list.slice(messages.length - 2),
	];
	expect([bringsBack(compacted(messages)), bringsBack(compacted(later))]).toEqual([true, false]);
	expect(session.undo(messages, under(0))?.change).toBeUndefined();
	expectEqual(session.preview(messages), messages);
	expect(sent).not.toEqual(messages);
});
