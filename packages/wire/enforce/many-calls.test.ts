/** One answer with thousands of calls: the time of a pass grows with their number, and not with its square. */
import { expect, test } from "vitest";
import { projectBody, smallProjector } from "../test-support/small-requests.ts";

/** A session whose first answer makes this many calls. */
function parallelCalls(count: number): object {
	const numbers = Array.from({ length: count }, (_, n) => n);
	const uses = numbers.map((n) => ({
		type: "tool_use",
		id: `w_${n}`,
		name: "read",
		input: { path: `src/${n}.ts` },
	}));
	const results = numbers.map((n) => ({
		type: "tool_result",
		tool_use_id: `w_${n}`,
		content: "x".repeat(200),
	}));
	const end = Array.from({ length: 8 }, (_, n) => [
		{ role: "assistant", content: [{ type: "tool_use", id: `e_${n}`, name: "read", input: {} }] },
		{ role: "user", content: [{ type: "tool_result", tool_use_id: `e_${n}`, content: "y".repeat(300) }] },
	]);
	const work = [
		{ role: "assistant", content: uses },
		{ role: "user", content: results },
	];
	return { model: "m", messages: [{ role: "user", content: "Go." }, ...work, ...end.flat()] };
}

test("the processor time of a pass is linear in the calls of one answer", () => {
	const timeOf = (count: number) => {
		const body = parallelCalls(count);
		const before = process.cpuUsage();
		const { pass } = projectBody(smallProjector(20_000), body);
		expect(pass).toBeDefined();
		return process.cpuUsage(before).user / 1_000;
	};
	timeOf(500);
	const few = timeOf(1_000);
	const many = timeOf(8_000);
	// Eight times as many calls take eight times as long, or 64 times where each is compared with all others.
	expect(many / few).toBeLessThan(30);
});
