import { expect, test } from "vitest";
import { drawSessions, intervalOf, projectOf } from "./intervals.ts";

const mean = (values: readonly number[], projects: readonly string[]) =>
	intervalOf(drawSessions(projects), (sum) => sum((session) => values[session] ?? 0) / sum(() => 1));

test("the same sessions give the same interval, around their figure", () => {
	const projects = ["a", "a", "b", "b", "c", "d"];
	const values = [1, 2, 3, 4, 5, 6];
	const [low, high] = mean(values, projects) ?? [0, 0];
	expect(mean(values, projects)).toEqual([low, high]);
	expect(low).toBeLessThan(3.5);
	expect(high).toBeGreaterThan(3.5);
	expect(mean([2, 2, 2, 2, 2, 2], projects)).toEqual([2, 2]);
});

test("many sessions of two projects say less than as many of their own", () => {
	const values = Array.from({ length: 40 }, (_, index) => (index < 20 ? 0 : 1));
	const widthOf = (projects: readonly string[]) => {
		const [low = 0, high = 0] = mean(values, projects) ?? [];
		return high - low;
	};
	const own = values.map((_, index) => String(index));
	expect(widthOf(values.map(String))).toBeGreaterThan(2 * widthOf(own));
});

test("one session has no interval, and its project is the first part of its name", () => {
	expect(mean([1], ["a"])).toBeNull();
	expect([projectOf("repo-x__2026-01"), projectOf("lonely")]).toEqual(["repo-x", "lonely"]);
});
