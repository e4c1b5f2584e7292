import { expect, test } from "vitest";
import type { HostMessage } from "#pi";
import { countAnswers, listQuestions } from "./questions.ts";

const ends = (description: string): HostMessage => ({
	...{ role: "assistant", timestamp: 0, stopReason: "toolUse", api: "x", provider: "x", model: "x" },
	content: [
		{ type: "toolCall", id: description, name: "delimiter", arguments: { action: "end", description } },
	],
	usage: {
		...{ input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0 },
		cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
	},
});
const says = (content: string): HostMessage => ({ role: "user", content, timestamp: 0 });

const RENAMED = "oldName: found at docs/a.md:3, src/a.ts:9. oldName was renamed to newName.";
const questions = listQuestions([
	ends(RENAMED),
	ends("size: found at src/b.ts."),
	ends("x: no place found yet."),
]);

test("a question has a subject, the first place, and the sentences after the places", () => {
	expect(questions).toEqual([
		{
			description: RENAMED,
			subject: "oldName",
			place: "docs/a.md",
			facts: ["oldName was renamed to newName"],
		},
		{ description: "size: found at src/b.ts.", subject: "size", place: "src/b.ts", facts: [] },
	]);
});

test("quoted texts of our lines and descriptions that are still sent answer; words of the user do not", () => {
	const none = { questions: 2, whole: 0, places: 0, withFacts: 1, facts: 0 };
	expect(
		countAnswers(questions, [says(RENAMED), says(`[2 episodes, evicted 9k: src/b.ts] "size", "other"`)]),
	).toEqual(none);
	expect(countAnswers(questions, [says(`[a] "oldName: found at docs/a.md:3"..., "size: src/b.ts"`)])).toEqual(
		{
			...none,
			places: 2,
		},
	);
	expect(countAnswers(questions, [ends(RENAMED)])).toEqual({ ...none, whole: 1, places: 1, facts: 1 });
});
