import { describe, expect, test } from "vitest";
import { totalTokens } from "../ledger/ledger.ts";
import { viewAfter } from "../log/view.ts";
import { evictableIn, isInHand } from "../planning/evictable.ts";
import { lowWaterOf } from "../planning/limits.ts";
import { cwl } from "../policies/cwl.ts";
import { paper } from "../policies/paper.ts";
import * as draft from "../test-support/message-builders.ts";
import { forEveryRequestUnder, planInput } from "../test-support/simulation.ts";
import { planFadePass, withFading } from "./fading.ts";

const { answered, call, end, fold, model, person, result, startExpl, text } = draft;

const modes = ["on", "placeholder"] as const;

/** Outputs of so many tokens, each in a turn of its own; ten exceed the budget. */
function readFiles(files = 10, tokens = 1_000) {
	const drafts = Array.from({ length: files }, (_, index) => [
		person(10),
		model(call(`c${index}`, "read", { path: `${index}.ts` })),
		result(`c${index}`, tokens),
		model(text(10)),
	]).flat();
	const graph = fold(...drafts, person(10));
	const settings = { budget: 9.5 * tokens };
	return { ...planInput(graph, settings), lowWater: 0.75 };
}

describe("a policy that reductions first", () => {
	test("passes when the policy passes, and stops where it stops or at low water", () => {
		forEveryRequestUnder({ policies: [cwl] }, ({ graph, before, settings }) => {
			const input = planInput(graph, settings, before);
			const plain = cwl.plan(input);
			for (const mode of modes) {
				const pass = withFading(cwl, mode).plan(input);
				expect(pass === undefined).toBe(plain === undefined);
				if (!plain || !pass?.reductions) continue;
				// What the policy evicts whole may end far below low water, where fading stops.
				const most = Math.max(lowWaterOf(cwl, input), plain.after + 0.01 * settings.budget);
				expect(pass.after).toBeLessThanOrEqual(most);
				expect(totalTokens({ graph, view: viewAfter(before, pass), fixed: settings.fixed })).toBe(pass.after);
			}
		});
	});

	test("the oldest outputs fade first, and nothing is evicted where fading frees enough", () => {
		const input = readFiles();
		const plain = cwl.plan(input);
		const pass = withFading(cwl, "on").plan(input);
		expect(pass?.reductions?.map(({ form }) => form)).toEqual([2, 2, 2, 2, 2]);
		expect(pass?.strips).toEqual([]);
		expect(pass?.after).toBeLessThanOrEqual(plain?.after ?? 0);
		expect(
			pass && totalTokens({ graph: input.graph, view: viewAfter(input.view, pass), fixed: input.fixed }),
		).toBe(pass?.after);
		expect(pass?.decision?.reason).toBe("over budget");
	});

	test("a later pass shows less of what an earlier one reduced", () => {
		const input = readFiles(10, 20_000);
		const first = withFading(cwl, "on").plan(input);
		const view = first && viewAfter(input.view, first);
		const reduced = new Map(first?.reductions?.map(({ item, form }) => [item, form]));
		const second = view && withFading(cwl, "on").plan({ ...readFiles(16, 20_000), view });
		const again = second?.reductions?.filter(({ item }) => reduced.has(item)) ?? [];
		expect(again.length).toBeGreaterThan(0);
		for (const { item, form } of again) expect(form).toBeGreaterThan(reduced.get(item) ?? 0);
	});

	test("placeholders stand for outputs that the policy would evict, not for the oldest", () => {
		const asked = (id: string, tool: string) => [
			person(1),
			model(call(id, tool, { path: `${id}.ts` })),
			result(id, 1_000),
		];
		const searches = Array.from({ length: 8 }, (_, index) => asked(`g${index}`, "grep")).flat();
		const edit = [
			model(call("edit", "edit", { path: "read.ts" }, 10, { paths: ["read.ts"] })),
			result("edit", 10),
		];
		const read = [
			person(1),
			model(call("read", "read", { path: "read.ts" }, 10, { paths: ["read.ts"] })),
			result("read", 1_000),
		];
		const graph = fold(person(10), ...read, ...searches, ...edit, person(1), model(text(10)));
		const settings = { budget: 8_500, lowWater: 0.5 };
		const pass = withFading(cwl, "placeholder").plan(planInput(graph, settings));
		const reduced = new Set(pass?.reductions?.map(({ item }) => item));
		const calls = graph.messages.flatMap(({ items }) => items.filter(({ type }) => type === "call"));
		expect(reduced.size).toBeGreaterThan(2);
		expect(calls.flatMap((each) => (each.type === "call" && reduced.has(each.id) ? each.tool : []))).toEqual(
			Array.from(reduced, () => "grep"),
		);
	});

	test("after a pass with a cold cache, nothing is left to plan until something comes", () => {
		// The line of an evicted episode is longer than its call, so that the policy stops above its low water.
		const explore = (name: string, tokens: number) => [
			...answered(1, startExpl(`start ${name}`, name)),
			model(call(`read ${name}`, "read", { path: `${name}.ts` })),
			result(`read ${name}`, tokens),
			...answered(1, end(`end ${name}`, "d".repeat(190))),
		];
		const graph = fold(person(100), ...explore("a", 1_480), person(110), ...explore("b", 700), person(100));
		const settings = { budget: 2_500, fixed: { system: 300, tools: 1 } };
		const input = { ...planInput(graph, settings), isCold: true, lowWater: 0.5 };
		const policy = withFading(cwl, "placeholder");
		const pass = policy.plan(input);
		expect(pass?.reductions).toHaveLength(1);
		const view = pass && viewAfter(input.view, pass);
		expect(view && policy.plan({ ...input, view })).toBeUndefined();
		expect(view && policy.plan({ ...input, view, lowWaterTokens: 0 })?.strips).toHaveLength(1);
	});

	test("fades results of calls that worked, outside of work in hand and pinned episodes and of the exchange in progress", () => {
		forEveryRequestUnder({ policies: [cwl] }, ({ graph, before, settings }) => {
			const [first] = graph.episodes;
			const pinned = new Set(first ? [first.id] : []);
			const input = { ...planInput(graph, settings, before), pinned };
			const isEvictable = evictableIn(graph);
			for (const mode of modes) {
				for (const { episode, item } of withFading(cwl, mode).plan(input)?.reductions ?? []) {
					const result = graph.resultOf.get(item);
					expect(result?.isError).toBe(false);
					expect(result && isEvictable(result)).toBe(true);
					expect(pinned.has(episode)).toBe(false);
					const owner = graph.episodes.find(({ id }) => id === episode);
					expect(owner && isInHand(input, owner, result?.message ?? 0)).toBe(false);
				}
			}
		});
	});

	test("what fading does not free is evicted in the same pass, which takes no output twice", () => {
		const halves = { reducedSize: ({ tokens }: { tokens: number }) => tokens / 2 };
		const input = { ...readFiles(12), ...halves, lowWater: 0.6 };
		const plain = cwl.plan(input);
		const pass = withFading(cwl, "on").plan(input);
		const taken = pass?.strips.flatMap(({ items }) => items) ?? [];
		const reduced = pass?.reductions?.map(({ item }) => item) ?? [];
		expect(taken.length).toBeGreaterThan(0);
		expect(reduced.length).toBeGreaterThan(0);
		expect(taken.filter((item) => reduced.includes(item))).toEqual([]);
		expect(pass).toMatchObject({ before: plain?.before, budget: plain?.budget, policy: "cwl", version: 1 });
		expect(pass?.after).toBeLessThanOrEqual(plain?.after ?? 0);
		expect(taken.length).toBeLessThan(plain?.strips.flatMap(({ items }) => items).length ?? 0);
		const { decision } = pass ?? {};
		expect(decision?.freed).toBe((pass?.before ?? 0) - (pass?.after ?? 0));
		expect(decision?.reason).toBe("over budget");
	});

	test("under a policy that knows no low water, outputs fade down to its budget", () => {
		const input = readFiles();
		for (const mode of modes) {
			const pass = withFading(paper, mode).plan(input);
			expect(pass?.reductions?.length).toBeGreaterThan(0);
			expect(pass?.after).toBeLessThanOrEqual(input.budget);
			expect(pass?.decision).toBeUndefined();
		}
	});

	test("a pass that only fades is made below the budget, and not where it is not worth a cut", () => {
		const input = readFiles(10, 1_000);
		const below = { ...input, budget: 12_000 };
		const pass = planFadePass(cwl, below);
		expect(pass?.before).toBeLessThan(12_000);
		expect(pass?.after).toBeLessThanOrEqual(0.75 * 12_000);
		expect(pass?.strips).toEqual([]);
		expect(planFadePass(cwl, { ...input, budget: 200_000 })).toBeUndefined();
		// Each output that reductions frees 210 tokens; a pass frees at least 250.
		const wide = { ...input, budget: 25_000, lowWater: 0.35 };
		const hardly = (only: string) =>
			planFadePass(cwl, {
				...wide,
				reducedSize: ({ callId, tokens }) => (callId.startsWith(only) ? 0.79 * tokens : undefined),
			});
		expect(hardly("c1")).toBeUndefined();
		expect(hardly("c")?.reductions?.length).toBeGreaterThan(1);
	});

	test("off, or on a host that cannot fade, it is the policy itself", () => {
		expect(withFading(cwl, "off")).toBe(cwl);
		const { reducedSize: _, ...input } = readFiles();
		expect(withFading(cwl, "on").plan(input)).toEqual(cwl.plan(input));
	});
});
