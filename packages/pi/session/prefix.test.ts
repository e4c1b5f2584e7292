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

test("a plan begins with the session as the next request has it: without thinking that a switch or a compaction since the last one makes invalid", () => {
	const acts = Array.from({ length: 6 }, (_, number) => act(number, 800)).flat();
	const answer = say.reply([say.thinks("a long thought"), say.says("done")]);
	const done = say.inOrder(say.user("go"), ...acts, say.user("next"), answer, say.user("and now?"));
	const settings = { ...under(4_000), head: "same" };
	for (const { messages, isOn } of [
		{ messages: done, isOn: false },
		{ messages: [say.compactionSummary("work was done", 9_000), ...done.slice(-3)], isOn: true },
	]) {
		const session = open();
		const { pass } = session.request(done.slice(0, -2), settings);
		expect(pass?.strips.length).toBeGreaterThan(0);
		const { graph, view, lost } = session.planInput(messages, settings, isOn);
		// The session from its beginning has lost the same.
		const { removed } = session.inspect(done, isOn, lost).view;
		const { change } = session.request(messages, settings, isOn);
		expect(change?.pass).toMatchObject({ after: totalTokens({ graph, view, fixed }) });
		expect(removed).toEqual(session.inspect(done, isOn).view.removed);
	}
});

const beforeSwitch = say.inOrder(
	say.user("go"),
	say.reply([say.thinks("a long thought"), say.says("done")]),
	say.user("and now?"),
);
const change = say.parse('{"role":"system","content":"","sections":{"tools":"fewer"}}', 10);

test.each([true, false])(
	"a change that the host keeps inside the conversation makes thinking in front of it invalid where it folds it: %s",
	(foldsChanges) => {
		const settings = { ...under(4_000), head: "same", foldsChanges };
		const session = open();
		session.request(beforeSwitch.slice(0, 1), settings);
		const messages = [...beforeSwitch, change];
		const { graph, view } = session.planInput(messages, settings, false);
		const { sent, change: found } = session.request(messages, settings, false);
		expect(found?.pass !== undefined).toBe(foldsChanges);
		expect(totalTokens({ graph, view, fixed })).toBe(totalTokens({ ...sent, fixed }));
	},
);

test.each([
	["openai/test", true],
	["openai/other", false],
])("thinking of the exchange in progress is kept for the model that signed it: %s", (model, isKept) => {
	const settings = { ...under(4_000), keepsLoopThinking: true, model };
	const session = open();
	session.request(beforeSwitch.slice(0, 1), { ...settings, head: "one" });
	expect(session.request(beforeSwitch, { ...settings, head: "two" }).change?.pass === undefined).toBe(isKept);
});
