import { expect, test } from "vitest";
import type { RequestRecord } from "#testing/server";
import { type DemoCosts, describeCosts } from "./demo-costs.ts";
import type { DemoProgress } from "./demo-run.ts";
import { createReporter } from "./demo-screen.ts";

const record = { promptTokens: 12_000, cachedTokens: 11_000 } as RequestRecord;
const progress: readonly DemoProgress[] = [
	{ type: "started", repository: "/d/repository" },
	{ type: "task", number: 1, prompt: `Rename ${"x".repeat(200)}\nmore` },
	{ type: "request", record },
	{ type: "pass", text: "9.4k tokens evicted from find-limits, 7 more" },
	{ type: "verified", number: 1, solved: true },
	{ type: "task", number: 2, prompt: "Add a constant" },
	{ type: "request", record: { ...record, refused: { message: "too strict" } } as RequestRecord },
	{ type: "verified", number: 2, solved: false },
	{ type: "comparing" },
];

function show(isTTY: boolean): string {
	let written = "";
	const stream = { isTTY, columns: 60, write: (text: string) => (written += text) };
	const report = createReporter({ budget: 24_000, tasks: 2 }, stream);
	for (const each of progress) report(each);
	return written;
}

/** The lines that a terminal shows, if each move up erases the lines below. */
function replayTerminal(written: string): readonly string[] {
	const [first = "", ...redraws] = written.split("\x1b[J");
	const lines: string[] = [];
	let part = first;
	for (const next of [...redraws, undefined]) {
		const [shown = "", up = "0A"] = part.split("\x1b[");
		lines.push(...shown.split("\n").slice(0, -1));
		lines.splice(lines.length - Number.parseInt(up, 10));
		part = next ?? "";
	}
	return lines;
}

test("a terminal shows one block in place, and keeps problems above it", () => {
	const lines = replayTerminal(show(true));
	expect(lines).toEqual([
		"REFUSED: too strict",
		"task 2 is NOT solved",
		expect.stringMatching(/^replaying the session/),
		expect.stringMatching(/^█{15}░{15} +12k\/24k/),
		"1 verified · 2 requests · 24k tokens · last pass: 9.4k tok…",
	]);
	for (const line of lines) expect(line.length).toBeLessThan(60);
});

test("a log has a line for each event and no control sequences", () => {
	const log = show(false);
	expect(log).not.toContain("\x1b");
	expect(log).toContain("task 1 of 2: Rename xxx");
	expect(log.match(/last pass: .*/g)).toEqual(["last pass: 9.4k tokens evicted from find-limits, 7 more"]);
	expect(log).toContain("verified in the repository\n");
	expect(log).toContain("NOT solved\n");
});

test("the verdict compares dollars, and each way of working has its cost, largest request and answers", () => {
	const cost = <Name extends string>(name: Name, dollars: number, size: number, inContext: number) => ({
		...{ name, tokens: 1, dollars, contexts: [20_000, size], answers: { inContext } },
	});
	const question = (i: number) => ({ question: `the value of A${i}`, answer: "7", subject: "A" });
	const costs: DemoCosts = {
		model: "anthropic/claude-sonnet-4-6",
		costs: [
			{ ...cost("cwl", 3.2, 23_744, 3), answers: { inContext: 3, withRecall: 5 } },
			cost("pi's compaction", 8, 24_000, 1),
			cost("no eviction", 3.2, 226_000, 5),
		],
		questions: [0, 1, 2, 3, 4].map(question),
	};
	expect(describeCosts(costs).split("\n")).toEqual([
		"At the prices of anthropic/claude-sonnet-4-6, this session costs 60 % less than pi's own compaction and about as much as no eviction.",
		"",
		"                    cost  largest request  answered at once  with a recall",
		"  cwl              $3.20              24k            3 of 5         5 of 5",
		"  pi's compaction  $8.00              24k            1 of 5      no recall",
		"  no eviction      $3.20             226k            5 of 5      no recall",
		"The cost of cwl is that of what was sent, the others are replays of its steps, as in `cwl report`; cwl and pi's compaction have the same budget. The replay of compaction has pi's lists of files, and filler instead of a model's summary; a real summary can hold more answers.",
		"",
		"Asked after the last task, about the first ones:",
		...[0, 1, 2, 3, 4].map((i) => `  the value of A${i}: 7`),
		"",
	]);
});
