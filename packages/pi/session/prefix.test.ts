/** The log entry for thinking that another beginning of the request made invalid. */
import { expect, test } from "vitest";
import { totalTokens } from "#core/ledger";
import { isPrefixChange } from "#core/planning";
import * as say from "../test-support/host-messages.ts";
import { act, fixed, open, under } from "../test-support/host-runs.ts";

test("its sizes are those of the request that is sent, also while cwl is off and evicted text is sent again", () => {
	const session = open();
	const acts = Array.from({ length: 6 }, (_, number) => act(number, 800)).flat();
	const messages = say.inOrder(
		say.user("go"),
		...acts,
		say.user("next"),
		// Behind the pass.
		say.reply([say.thinks("a long thought"), say.says("done")]),
		say.user("and now?"),
	);
	const managed = session.request(messages.slice(0, -2), { ...under(4_000), head: "on" });
	expect(managed.pass?.strips.length).toBeGreaterThan(0);

	// The tools of cwl go with the switch, so that the request begins in another way.
	const whole = session.request(messages, { ...under(4_000), head: "off" }, false);
	const { sent, change } = whole;
	const size = totalTokens({ graph: sent.graph, view: sent.view, fixed });
	expect(size).toBeGreaterThan(managed.tokens + 1_000);
	expect(change?.pass && isPrefixChange(change.pass)).toBe(true);
	expect(change?.pass).toMatchObject({ after: size, before: size + (change?.pass?.forfeited ?? 0) });
});
