import { expect, test } from "vitest";
import { cwl } from "../../packages/core/policies/cwl.ts";
import { loadTokenCounter } from "../../packages/host/tokens.ts";
import { generateSession } from "./generated-session.ts";
import { measureSession } from "./measure.ts";

const settings = { policy: cwl, budget: 20_000, fixed: { system: 400, tools: 500 }, timed: 20 };

test("a session is generated alike for the same seed, and is annotated", () => {
	const session = generateSession(300, 7);
	expect(session).toEqual(generateSession(300, 7));
	expect(session).not.toEqual(generateSession(300, 8));
	expect(JSON.stringify(session)).toContain('"delimiter"');
});

test("the clock is read around what is ours: with one that stands still everything took nothing", async () => {
	const figures = measureSession(generateSession(300, 1), await loadTokenCounter(), {
		...settings,
		now: () => 5,
	});
	expect(figures.request).toEqual({ median: 0, p99: 0 });
	expect(figures.recounting).toBe(0);
	expect(figures.timed).toBe(20);
	expect(figures.passes).toBeGreaterThan(0);
});

test("what the tokenizer takes is told apart from what managing takes", async () => {
	const count = await loadTokenCounter();
	let now = 0;
	const slowly = (text: string) => {
		now += 1;
		return count(text);
	};
	const figures = measureSession(generateSession(300, 1), slowly, { ...settings, now: () => now });
	expect(figures.request.median).toBe(0);
	expect(figures.tokenizing.median).toBeGreaterThan(0);
	expect(figures.recounting).toBeGreaterThan(300);
});
