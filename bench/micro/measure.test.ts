import { expect, test } from "vitest";
import { cwl } from "#core/policies";
import { loadTokenCounter } from "#pi/codec";
import { measureSession } from "./command.ts";
import { generateSession } from "./generated-session.ts";

test("the given clock times every row, and tokenizing counts for first requests only", async () => {
	const count = await loadTokenCounter();
	let now = 0;
	const slowly = (text: string) => {
		now += 1;
		return count(text);
	};
	const fixed = { system: 400, tools: 500 };
	const settings = { policy: cwl, budget: 20_000, fixed, timed: 20, now: () => now };
	const [request, pass, recount] = measureSession(generateSession(300), slowly, settings);
	expect(request).toMatchObject({ name: "request", samples: 20, p50Ms: 0, p99Ms: 0 });
	expect(request?.logKb).toBeGreaterThan(0);
	expect(pass).toMatchObject({ name: "request with a pass", p99Ms: 0, heapMb: null, logKb: null });
	expect(pass?.samples).toBeGreaterThan(0);
	// A text that comes twice is counted once.
	expect(recount?.p50Ms).toBeGreaterThan(200);
});
