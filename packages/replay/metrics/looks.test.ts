import { expect, test } from "vitest";
import { openRecording } from "../recording/recording.ts";
import { writeLongSession } from "../test-support/long-session.ts";
import { calls, countQuarters, inOrder, reply, result, says, user } from "../test-support/messages.ts";
import { chargeLook, meanAnswer, noLooks } from "./looks.ts";
import type { Need } from "./needs.ts";
import { priceLists } from "./prices.ts";

const lists = [priceLists.anthropic, priceLists.openai];
const history = inOrder(
	user("go"),
	reply(says("both"), calls("1", "read"), calls("2", "read")),
	result("1", "a".repeat(400)),
	result("2", "b".repeat(4_000)),
);
const { sizes } = openRecording({ ...writeLongSession(1), messages: history }, countQuarters);

const needOf = (...messages: readonly number[]): Need => ({
	kind: "name",
	name: "src/a.ts",
	sources: messages.map((message) => ({ message, block: 0 })),
});

const look = (...missing: readonly Need[]) =>
	chargeLook({ missing, history, sizes, context: 12_800, answer: 300 }, lists);

test("a look costs the context from the cache, its answer twice, and the smallest content that shows the need", () => {
	// Four tokens frame each message.
	const tokens = 100 + 4;
	const added = 300 + tokens;
	const anthropic = 12_800 * 0.1 + added * 1.25 + 300 * 5;
	const openai = 12_800 * 0.1 + added + 300 * 6;
	expect(look(needOf(2, 3))).toEqual({ count: 1, tokens, costs: [anthropic, openai] });
});

test("one look brings back all that a request lacks, each content once", () => {
	expect(look(needOf(2), needOf(2), needOf(3))).toMatchObject({ count: 1, tokens: 1_108 });
	expect(look()).toEqual(noLooks(2));
});

test("an answer is as long as the session's answers are on average", () => {
	const { turns } = openRecording(writeLongSession(4), countQuarters);
	const total = turns.reduce((sum, { outputTokens }) => sum + outputTokens, 0);
	expect(meanAnswer(turns)).toBe(total / turns.length);
	expect(meanAnswer([])).toBe(0);
});
