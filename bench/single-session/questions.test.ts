import { expect, test } from "vitest";
import { askQuestions, formatAnswers } from "./questions.ts";

test("after passes, no question stays without an answer where there is a recall, and most are in sight under cwl", async () => {
	const { signal } = new AbortController();
	const asked = await askQuestions({ seed: 1, tasks: 20, budget: 16_000, signal });
	const { questions, answers } = asked;
	expect(questions).toHaveLength(12);
	expect(questions.filter(({ answer }) => answer === "")).toEqual([]);
	expect(new Set(questions.map(({ answer }) => answer)).size).toBe(12);
	const of = new Map(answers.map((each) => [each.policy, each]));
	expect(of.get("none")).toMatchObject({ passes: 0, inSight: 12, recalled: 0, lost: [] });
	// Those that evict by a log, and so have a recall.
	const recalling = ["recency", "fifo", "lru", "priority", "semantic-merge", "type", "hybrid"].concat(
		...["paper", "paper-adapted", "cwl", "cwl-economy", "cwl-quality"],
	);
	for (const policy of recalling) {
		expect(of.get(policy), policy).toMatchObject({ lost: [] });
		expect(of.get(policy)?.passes, policy).toBeGreaterThan(0);
		// User turns stay, and six of the answers stand in them.
		expect(of.get(policy)?.inSight, policy).toBeGreaterThanOrEqual(6);
	}
	const without = answers.filter(({ policy }) => policy !== "none" && !recalling.includes(policy));
	expect(without.map(({ policy }) => policy)).toEqual(expect.arrayContaining(["window", "compaction"]));
	for (const { policy, recalled, lost } of without) {
		expect(recalled, policy).toBe(0);
		expect(lost.length, policy).toBeGreaterThanOrEqual(3);
	}
	for (const { inSight, recalled, lost } of answers) expect(inSight + recalled + lost.length).toBe(12);
	expect(formatAnswers([asked, asked]).join("\n")).toMatch(/^\| cwl +\| +\d+ \| +\d+ \| +0 \| +\|$/m);
});
