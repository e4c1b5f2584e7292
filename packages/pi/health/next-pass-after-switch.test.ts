/** The pass that is announced after `/cwl on`, against the one that the next message brings. */
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { expect, test } from "vitest";
import { totalTokens } from "#core/ledger";
import { changesContext, type Pass } from "#core/log";
import { cwl } from "#core/policies";
import { flatPrices } from "../../core/test-support/prices.ts";
import type { HostMessage } from "../codec/host-message.ts";
import { ITEM_FRAMING } from "../codec/tokens.ts";
import * as say from "../test-support/host-messages.ts";
import { fixed, open } from "../test-support/host-runs.ts";
import { anyTask, exchangesOf } from "../test-support/tasks.ts";
import { planNextPasses, takenBy } from "./next-passes.ts";

const anySwitched = fc.record({
	tasks: fc.array(anyTask, { minLength: 6, maxLength: 14 }),
	/** Tasks before /cwl off, and while CWL is off. */
	managed: fc.integer({ min: 0, max: 5 }),
	off: fc.integer({ min: 1, max: 4 }),
	budget: fc.integer({ min: 4_000, max: 40_000 }),
	keepsLoopThinking: fc.boolean(),
});

/** Thinks in every answer. A session is switched off and on; answers what is announced for the message after that, and what it brings. */
function switchOn({
	tasks,
	managed,
	off,
	budget,
	keepsLoopThinking,
}: typeof anySwitched extends fc.Arbitrary<infer T> ? T : never) {
	const session = open();
	// The tools of ours leave and come with the switch.
	const settings = (isOn: boolean) => ({
		...{ policy: cwl, budget, fixed, prices: flatPrices({}), isCold: false, keepsLoopThinking },
		head: isOn ? "on" : "off",
	});
	let messages: readonly HostMessage[] = [];
	let isOpen = false;
	tasks.slice(0, managed + off).forEach((task, at) => {
		const isOn = at < managed;
		for (const exchange of [[say.user(`do ${at}`)], ...exchangesOf(task, at, isOpen)]) {
			const thought = exchange.map((message) =>
				message.role === "assistant"
					? { ...message, content: [say.thinks("I wonder. ".repeat(8)), ...message.content] }
					: message,
			);
			messages = say.inOrder(...messages, ...thought);
			if (messages.at(-1)?.role !== "assistant") session.request(messages, settings(isOn), isOn);
		}
		if (task.isMarked) isOpen = !task.isEnded;
	});
	const { head: _, ...looking } = settings(true);
	const input = session.planInput(messages, looking);
	const [next] = planNextPasses(cwl, input, () => undefined);
	const asked = say.inOrder(...messages, say.user("thank you"));
	const { pass, change } = session.request(asked, settings(true));
	return {
		announced: next?.at === "next message" ? next.pass : undefined,
		isLikely: next?.dependsOnMessage === true,
		made: pass && changesContext(pass) ? pass : undefined,
		change: change?.pass,
		size: totalTokens(input),
	};
}

test("after /cwl on, the next message brings the pass that is announced for certain, and none where none is, over a session without the thinking that the switch makes invalid", () => {
	const switched = fc.sample(anySwitched, { numRuns: 100, seed: 1 }).map(switchOn);
	// The message of the user comes with the request.
	const grown = switched.map(({ change, size }) => (change?.after ?? 0) - size);
	expect(new Set(grown)).toEqual(new Set([say.countCharacters("thank you") + ITEM_FRAMING]));
	// What the message says decides where a pass hardly pays: that one is likely.
	const certain = switched.filter(({ isLikely }) => !isLikely);
	const same = certain.filter(({ announced, made }) => {
		if (!announced || !made) return announced === made;
		return isDeepStrictEqual(takenBy(made), takenBy(announced)) && freedBy(made) === freedBy(announced);
	});
	expect(same).toEqual(certain);
	expect(certain.filter(({ made }) => made).length).toBeGreaterThan(20);
});

const freedBy = ({ before, after }: Pass) => before - after;
