import { expect, test } from "vitest";
import { timeInTurns } from "./tools.ts";

/** Programs whose work advances a clock of the test. */
function createRace(costs: Readonly<Record<string, readonly number[]>>) {
	let clock = 0;
	const order: string[] = [];
	const programs = Object.entries(costs).map(([name, times]) => {
		let turn = 0;
		return {
			name,
			run: async () => {
				order.push(name);
				clock += times[turn] ?? 0;
				turn += 1;
				return turn;
			},
		};
	});
	return { programs, order, now: () => clock };
}

test("a ratio is the median of the ratios per round, so that a round that is slow for both does not count", async () => {
	const { programs, now } = createRace({ base: [900, 10, 1000, 20], other: [900, 20, 2000, 40] });
	const timings = await timeInTurns(programs, 3, now);
	expect(timings).toEqual([
		{ program: "base", medianMs: 20, minMs: 10, ratio: 1, found: 4 },
		{ program: "other", medianMs: 40, minMs: 20, ratio: 2, found: 4 },
	]);
});

test("the first round only warms up, and each later one starts with another program", async () => {
	const { programs, order, now } = createRace({ a: [], b: [], c: [] });
	await timeInTurns(programs, 3, now);
	expect(order.join("")).toBe("abcabcbcacab");
});
