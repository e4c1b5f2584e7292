import { expect, test } from "vitest";
import { cwl } from "#core/policies";
import type { BranchEntry } from "../custom-entries.ts";
import * as say from "../test-support/host-messages.ts";
import { act, fixed, open } from "../test-support/host-runs.ts";
import { PASS_ENTRY, PREFIX_ENTRY, STEERING_ENTRY } from "./log-entries.ts";
import { readHistory } from "./session-history.ts";

const acts = Array.from({ length: 8 }, (_, number) => act(number, 600)).flat();
const messages = say.inOrder(say.user("go"), ...acts, say.reply("done"));

/** The branch of a session with passes, in which a person turned CWL off and on again in front of two answers. */
function writeBranch(): readonly BranchEntry[] {
	const session = open();
	let answers = 0;
	return messages.flatMap((message, at) => {
		const entry = { type: "message", message };
		if (message.role !== "assistant") return [entry];
		answers += 1;
		const { pass } = session.request(messages.slice(0, at), { policy: cwl, budget: 1_200, fixed });
		const passes = pass && pass.strips.length > 0 ? [pass] : [];
		const steering = answers === 12 || answers === 14 ? [{ enabled: answers === 14 }] : [];
		return [
			...passes.map((data) => ({ type: "custom", customType: PASS_ENTRY, data })),
			...steering.map((data) => ({ type: "custom", customType: STEERING_ENTRY, data })),
			entry,
		];
	});
}

test("a part of a session counts its requests as the whole does, whatever was decided after it", () => {
	const branch = writeBranch();
	expect(branch.filter(({ customType }) => customType === PASS_ENTRY).length).toBeGreaterThan(1);
	const count = (part: typeof messages) =>
		[...open().recount(readHistory(branch, part), () => fixed)].map(({ tokens, isManaged }) => [
			tokens,
			isManaged,
		]);
	const whole = count(messages);
	expect(whole.filter(([, isManaged]) => isManaged === false)).toHaveLength(2);
	for (let end = 1; end <= messages.length; end += 1) {
		const counted = count(messages.slice(0, end));
		expect(counted).toEqual(whole.slice(0, counted.length));
	}
});

test("thinking that left an episode which a compaction cut is told of the whole episode, as the session itself does", () => {
	const turn = (number: number) => [
		say.reply([say.thinks("t".repeat(200)), say.calls(`call${number}`, "read", { path: `${number}.ts` })]),
		say.result(`call${number}`, "x".repeat(400)),
	];
	const done = say.inOrder(
		say.user("go"),
		...[0, 1, 2, 3, 4, 5].flatMap(turn),
		say.reply("done"),
		say.user("on"),
	);
	const settings = { policy: cwl, budget: 100_000, fixed, head: "same" };
	const session = open();
	session.request(done.slice(0, 1), settings);
	// What is left begins inside the episode, and has another name.
	const { change } = session.request([say.compactionSummary("long ago", 9_000), ...done.slice(-6)], settings);
	const last = say.reply("bye", 9_999);
	const branch = [
		...done.map((message) => ({ type: "message", message })),
		{
			type: "custom",
			customType: PREFIX_ENTRY,
			data: { version: 1, ...change?.prefix, change: change?.pass },
		},
		{ type: "message", message: last },
	];
	const { view } = session.inspect(done);
	expect([...view.episodes.values()].some(({ removedTokens = 0 }) => removedTokens > 0)).toBe(true);
	const [recounted] = [...open().recount(readHistory(branch, [...done, last]), () => fixed)].slice(-1);
	expect(recounted?.state().view.episodes).toEqual(view.episodes);
});
