/** One answer with many calls: the work of a pass grows with their number, and not with its square. */
import { expect, test } from "vitest";
import { createMemoryStore } from "../pass-store.ts";
import { projectBody, quarters, smallProjector } from "../test-support/small-requests.ts";

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

/** The same bytes, and how many of them were read so far. */
function countReads(bytes: Buffer) {
	let reads = 0;
	const counted = new Proxy(bytes, {
		get(target, key) {
			const value: unknown = Reflect.get(target, key, target);
			if (typeof value === "number" && key !== "length") reads += 1;
			if (typeof value !== "function") return value;
			return (...given: readonly unknown[]) => {
				const result: unknown = value.apply(target, given);
				const numbers = given.filter((argument) => typeof argument === "number");
				// A search reads up to the byte that it finds.
				const [start = 0, end = target.length] =
					key === "indexOf" ? [numbers[1], Number(result) < 0 ? undefined : Number(result)] : numbers;
				if (key !== "subarray") reads += end - start;
				return result;
			};
		},
	});
	return { counted, reads: () => reads };
}

test("a pass reads the bytes of one answer as often as there are calls in it", () => {
	const workOf = (count: number) => {
		const { counted, reads } = countReads(Buffer.from(JSON.stringify(parallelCalls(count))));
		let countings = 0;
		const countTokens = (text: string) => {
			countings += 1;
			return quarters.countTokens(text);
		};
		const budget = 40 * count;
		const projector = smallProjector(budget, createMemoryStore(), { reader: { ...quarters, countTokens } });
		const { pass, body } = projectBody(projector, counted);
		expect(pass?.strips.flatMap(({ items }) => items).length).toBeGreaterThan(count / 4);
		expect(body.length).toBeLessThan(counted.length);
		return reads() + countings;
	};
	const few = workOf(250);
	expect(workOf(2_000) / few).toBeLessThan(12);
});
