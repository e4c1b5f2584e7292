import { expect, test } from "vitest";
import type { Report } from "#replay/report";
import { recordedCell } from "./pages.ts";
import { keepReplay } from "./recorded.ts";

type Policy = Report["policies"][number];
type Session = Policy["bySession"][number];

const none = { needed: 0, kept: 0 };

/** A session that costs 10 dollars without eviction, and whose ten edits need earlier text. */
const session = (name: string, cost: number, edits: number) =>
	({
		session: name,
		pressed: { requests: 20, dollars: { model: cost }, cost: { anthropic: 0 } },
		looks: { count: 1, dollars: { model: 0.1 }, cost: { anthropic: 0 } },
		costComparedToNone: cost / 10,
		grounding: { edit: { needed: 10, kept: edits }, own: none, name: none, conclusion: none },
		thinking: { all: 4, readable: 1 },
	}) as unknown as Session;

const policy = (name: string, bySession: readonly Session[]) =>
	({ policy: name, pressed: { prefixBreaks: 2 }, bySession }) as unknown as Policy;

/** Two sessions in each of eight projects; `values` gives cost and kept edits of a session by its index. */
const sessions = (values: (index: number) => readonly [cost: number, edits: number]) =>
	Array.from({ length: 16 }, (_, index) => session(`project-${index % 8}__${index}`, ...values(index)));

const rows = keepReplay({
	sessions: { replayed: 16, pressed: 16 },
	policies: [
		policy(
			"compaction",
			sessions((index) => [5 + (index % 8), 5]),
		),
		policy(
			"cwl",
			sessions((index) => [4 + (index % 8), index % 2 === 0 ? 9 : 1]),
		),
	],
} as unknown as Report);

test("a figure over sessions is kept with its interval, and with that of its paired difference from compaction", () => {
	const { cwl = {}, compaction = {} } = rows;
	expect(compaction.cost).toBeCloseTo(0.85);
	expect(cwl).toMatchObject({ breaks: 2, edits: 0.5, looks: 0.05, thinking: 0.25 });
	expect(cwl.cost).toBeCloseTo(0.75);
	expect(cwl.charged).toBeCloseTo(0.76);
	expect(cwl.costLow).toBeLessThan(0.7);
	expect(cwl.costHigh).toBeGreaterThan(0.8);
	// Each session costs a dollar less than under compaction: paired, that is certain.
	expect(cwl.costMoreLow).toBeCloseTo(-0.1);
	expect(cwl.costMoreHigh).toBeCloseTo(-0.1);
	expect(compaction.costMoreLow).toBeUndefined();
});

test("a difference whose interval holds 0 is called none", () => {
	const { cwl = {}, compaction = {} } = rows;
	expect(recordedCell(cwl, "edits")).toMatch(/^50\.0 \(\d+–\d+\) ≈$/);
	expect(recordedCell(cwl, "cost")).toMatch(/^0\.750 \(0\.\d\d–0\.\d\d\)$/);
	expect(recordedCell(compaction, "edits")).toBe("50.0 (50–50)");
});
