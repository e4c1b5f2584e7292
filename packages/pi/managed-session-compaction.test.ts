/** A session that is continued from request to request must send what one sends that reads its whole history. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { project } from "#core/projection";
import type { HostMessage } from "./codec/host-message.ts";
import { renderProjection } from "./codec/rendering.ts";
import { policyByName } from "./session/live-policies.ts";
import type { ManagedSession } from "./session/managed-session.ts";
import * as say from "./test-support/host-messages.ts";
import { act, bytes, later, open, requestPoints, under, upTo } from "./test-support/host-runs.ts";
import { anyBudget, anyHostSession } from "./test-support/host-sessions.ts";

/** Before a request, passes are taken back or read again, or the session loses its last messages; previews of any length and branch follow it. */
const anyMoments = fc.array(
	fc.record({
		policy: fc.constantFrom("cwl", "cwl", "paper"),
		undos: fc.constantFrom(0, 0, 0, 0, 1, 2, 5),
		back: fc.constantFrom(0, 0, 0, 0, 0, 2, 6),
		isRestored: fc.constantFrom(false, false, false, true),
		/** How far the previews are ahead of the request, in messages: results of a call come one at a time. */
		ahead: fc.array(fc.integer({ min: -4, max: 4 }), { maxLength: 4 }),
		isOtherBranch: fc.constantFrom(false, false, false, true),
	}),
	{ minLength: 10, maxLength: 40 },
);

function previewFromNothing(session: ManagedSession, messages: readonly HostMessage[]) {
	const { graph, view } = open(session.state().log).inspect(messages);
	return renderProjection(project(graph, view), messages);
}

test("a session sends and previews what one does that reads its whole history anew, whatever was taken back or cut off", () => {
	fc.assert(
		fc.property(anyHostSession, anyHostSession, anyBudget, anyMoments, (messages, other, budget, moments) => {
			const points = requestPoints(messages);
			const session = open();
			const expectSame = (given: readonly HostMessage[]) =>
				expect(bytes(session.preview(given))).toBe(bytes(previewFromNothing(session, given)));
			let at = 0;
			for (const [index, moment] of moments.entries()) {
				const { policy, undos, back, isRestored, ahead, isOtherBranch } = moment;
				for (let undo = 0; undo < undos; undo += 1) {
					session.undo(upTo(messages, points[at] ?? 0), under(budget));
				}
				if (isRestored) session.restore(session.state().log.slice(0, index));
				at = Math.max(0, at - back);
				const point = points[at] ?? messages.length;
				const given = upTo(messages, point);
				const settings = { ...under(budget), policy: policyByName(policy) };
				expectSame(given);
				const anew = open(session.state().log).request(given, settings);
				const sent = session.request(given, settings);
				expect(bytes(sent.messages)).toBe(bytes(anew.messages));
				expect([sent.pass, sent.tokens]).toEqual([anew.pass, anew.tokens]);
				expect(bytes(session.preview(given))).toBe(bytes(sent.messages));
				for (const step of ahead) expectSame(upTo(messages, Math.max(0, point + step)));
				if (isOtherBranch) expectSame([...given, ...later(other, messages)]);
				at += 1;
			}
		}),
		{ numRuns: 50 },
	);
});

test("a result that comes long after its episode has gone is placed as in the whole history", () => {
	const messages = say.inOrder(
		say.user("go"),
		...[0, 1, 2, 3, 4, 5].flatMap((number) => act(number, 300)),
		say.user("on"),
		say.result("call1", "late"),
		say.user("on"),
	);
	const session = open();
	for (const point of requestPoints(messages.slice(0, -2)))
		session.request(upTo(messages, point), under(900));
	expect(session.state().view.episodes.get("act 1")?.level).toBe(4);
	const anew = open(session.state().log);
	const expected = anew.request(messages, under(900));
	const sent = session.request(messages, under(900));
	expect([sent.messages, sent.pass, sent.tokens]).toEqual([
		expected.messages,
		expected.pass,
		expected.tokens,
	]);
	const { episodes } = session.state().graph;
	expect(episodes.find(({ name }) => name === "act 1")?.items.at(-1)?.message).toBe(messages.length - 2);
});

test("an undo takes the thinking of an answer too that no request has been made after", () => {
	const turn = (number: number) => [
		say.reply([say.thinks("t".repeat(40)), say.calls(`call${number}`)]),
		say.result(`call${number}`, "x".repeat(300)),
	];
	const asked = say.inOrder(say.user("go"), ...[0, 1, 2, 3, 4].flatMap(turn), say.reply("done"));
	const before = say.inOrder(...asked, say.user("on"));
	const answered = say.inOrder(...before, say.reply([say.thinks("n".repeat(40)), say.says("done")]));
	const session = open();
	for (const point of requestPoints(before)) session.request(upTo(before, point), under(900));
	expect(session.undo(answered, under(900))?.change).toBeDefined();
	const next = say.inOrder(...answered, say.user("and?"));
	const anew = open(session.state().log).request(next, under(9_000));
	expect(bytes(session.request(next, under(9_000)).messages)).toBe(bytes(anew.messages));
	expect(bytes(anew.messages)).not.toContain("n".repeat(40));
});
