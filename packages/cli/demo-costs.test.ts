import { expect, test } from "vitest";
import { type DemoCosts, describeCosts } from "./demo-costs.ts";

function costs(cwl: number, compaction: number, none: number): DemoCosts {
	return {
		model: "anthropic/claude-sonnet-4-6",
		costs: [
			{ name: "cwl", tokens: 3_900_000, dollars: cwl, contexts: [] },
			{ name: "pi's compaction", tokens: 4_200_000, dollars: compaction, contexts: [] },
			{ name: "no eviction", tokens: 23_100_000, dollars: none, contexts: [] },
		],
	};
}

test("the verdict compares dollars, and each way of working has its tokens and dollars", () => {
	expect(describeCosts(costs(3.2, 8, 4))).toBe(
		[
			"At the prices of anthropic/claude-sonnet-4-6, this session costs 60 % less than with pi's compaction and 20 % less than with no eviction.",
			"",
			"  cwl               3.9M input tokens  $3.20",
			"  pi's compaction   4.2M input tokens  $8.00",
			"  no eviction        23M input tokens  $4.00",
			"  Each line is a replay of this session; cwl and pi's compaction have the same budget.",
			"",
		].join("\n"),
	);
});

test("a session that costs more or the same says so", () => {
	expect(describeCosts(costs(3, 2, 3))).toContain(
		"50 % more than with pi's compaction and the same as with no eviction.",
	);
});
