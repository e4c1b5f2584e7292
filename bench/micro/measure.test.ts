import { expect, test } from "vitest";
import { cwl } from "#core/policies";
import { loadTokenCounter } from "#pi/codec";
import { measureSession } from "./command.ts";
import { generateSession } from "./generated-session.ts";
import { timeInTurns } from "./tools.ts";

test("the same seed generates the same session, with annotations", () => {
	const session = generateSession(300, 7);
	expect(session).toEqual(generateSession(300, 7));
	expect(session).not.toEqual(generateSession(300, 8));
	expect(JSON.stringify(session)).toContain('"delimiter"');
});

test("the given clock times every row, and tokenizing counts for first requests only", async () => {
	const count = await loadTokenCounter();
	let now = 0;
	const slowly = (text: string) => {
		now += 1;
		return count(text);
	};
	const fixed = { system: 400, tools: 500 };
	const settings = { policy: cwl, budget: 20_000, fixed, timed: 20, now: () => now };
	const [request, pass, recount] = measureSession(generateSession(300, 1), slowly, settings);
	expect(request).toMatchObject({ name: "request", samples: 20, p50Ms: 0, p99Ms: 0 });
	expect(request?.logKb).toBeGreaterThan(0);
	expect(pass).toMatchObject({ name: "request with a pass", p99Ms: 0, heapMb: null, logKb: null });
	expect(pass?.samples).toBeGreaterThan(0);
	// A text that comes twice is counted once.
	expect(recount?.p50Ms).toBeGreaterThan(200);
});

test("a ratio of times is the median of the ratios per round, so that a round that is slow for both does not count", async () => {
	const costs = { base: [900, 10, 1000, 20], ours: [900, 20, 2000, 40] };
	let clock = 0;
	const order: string[] = [];
	const program = (name: keyof typeof costs) => async () => {
		clock += costs[name][order.filter((earlier) => earlier === name).length] ?? 0;
		order.push(name);
		return 7;
	};
	const programs = { base: "rg", run: program("base"), ours: program("ours") };
	expect(await timeInTurns(programs, 3, () => clock)).toEqual([
		{ program: "rg", medianMs: 20, ratio: 1, found: 7 },
		{ program: "ours", medianMs: 40, ratio: 2, found: 7 },
	]);
	// The first round only warms up, and the rounds begin in turns.
	expect(order.join(" ")).toBe("base ours base ours ours base base ours");
});
