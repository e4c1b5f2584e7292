/** A session keeps what its previews project: each must show the bytes of a projection that begins from nothing. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { project } from "#core/projection";
import type { HostMessage } from "../codec/host-message.ts";
import { renderProjection } from "../codec/rendering.ts";
import { bytes, later, open, requestPoints, under, upTo } from "../test-support/host-runs.ts";
import { anyBudget, anyHostSession } from "../test-support/host-sessions.ts";
import { policyByName } from "./live-policies.ts";
import type { ManagedSession } from "./managed-session.ts";

/** Between two requests: passes are taken back or read again, and lists of any length and branch are previewed. */
const anySteps = fc.array(
	fc.record({
		policy: fc.constantFrom("cwl", "cwl", "paper"),
		undos: fc.constantFrom(0, 0, 0, 0, 1, 2),
		isRestored: fc.constantFrom(false, false, false, true),
		/** How far the previews are ahead of the request, in messages: results of a call come one at a time. */
		ahead: fc.array(fc.integer({ min: -4, max: 4 }), { maxLength: 4 }),
		isOtherBranch: fc.constantFrom(false, false, false, true),
	}),
	{ minLength: 5, maxLength: 20 },
);

function previewFromNothing(
	session: ManagedSession,
	messages: readonly HostMessage[],
): readonly HostMessage[] {
	const { graph, view } = open(session.state().log).inspect(messages);
	return renderProjection(project(graph, view), messages);
}

test("a preview shows the bytes of a projection from nothing, after passes, undos, restored logs and branches", () => {
	fc.assert(
		fc.property(anyHostSession, anyHostSession, anyBudget, anySteps, (messages, other, budget, steps) => {
			const session = open();
			const points = requestPoints(messages);
			const expectSame = (given: readonly HostMessage[]) =>
				expect(bytes(session.preview(given))).toBe(bytes(previewFromNothing(session, given)));
			for (const [index, { policy, undos, isRestored, ahead, isOtherBranch }] of steps.entries()) {
				const point = points[index] ?? messages.length;
				session.request(upTo(messages, point), { ...under(budget), policy: policyByName(policy) });
				expectSame(upTo(messages, point));
				for (const step of ahead) expectSame(upTo(messages, Math.max(0, point + step)));
				if (isOtherBranch) expectSame([...upTo(messages, point), ...later(other, messages)]);
				for (let undo = 0; undo < undos; undo += 1) {
					session.undo(upTo(messages, point), under(budget));
				}
				if (isRestored) session.restore(session.state().log.slice(0, index));
				expectSame(upTo(messages, point));
			}
		}),
		{ numRuns: 25 },
	);
});
