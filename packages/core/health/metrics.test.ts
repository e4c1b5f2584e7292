import { describe, expect, test } from "vitest";
import type { Graph } from "../graph/graph.ts";
import { measureComponentGrowth } from "../ledger/ledger.ts";
import type { Pass } from "../log/pass.ts";
import { viewOfLog } from "../log/view.ts";
import { newestOf } from "../planning/make-pass.ts";
import * as draft from "../test-support/message-builders.ts";
import { passTaking, passWith } from "../test-support/passes.ts";
import { testTools } from "../test-support/tools.ts";
import {
	measureCompressionRatio,
	measureEvictionRate,
	measureHealth,
	measureReadableThinking,
	measureToolBloat,
	measureVitals,
} from "./health.ts";
import { measureBurnRate } from "./pressure.ts";

const { call, fold, model, person, reasoning, result, text } = draft;

/** A pass that takes these calls of one episode, with 100 tokens each. */
function passOver(graph: Graph, ...callIds: readonly string[]): Pass {
	const items = draft.labelled(graph, ...callIds).map(({ id }) => id);
	return passTaking(graph.episodes[0]?.id ?? "", items, 100 * items.length);
}

const use = (id: string) => [model(call(id, "read", {}, 10)), result(id, 90)];

test("utilisation is what is used for each token of the budget", () => {
	const shareOf = (system: number, budget: number) =>
		measureVitals({ graph: fold(), view: viewOfLog([]), fixed: { system, tools: 0 }, budget }).utilisation;
	expect(shareOf(60, 80)).toBe(0.75);
	expect(shareOf(100, 80)).toBe(1.25);
	expect(shareOf(100, 0)).toBe(0);
});

test("the eviction rate sets what left against the requests that were made", () => {
	const graph = fold(person(60), ...use("a"), ...use("b"), person(40), ...use("c"), model(text(100)));
	const view = viewOfLog([passOver(graph, "a", "b")]);
	const rate = (share: number, tokensPerRequest: number, itemsPerRequest: number) => {
		return { share, tokensPerRequest, itemsPerRequest };
	};
	expect(measureEvictionRate(graph, view)).toEqual(rate(200 / 500, 50, 0.5));
	const history = { growth: [] };
	const one = viewOfLog([passTaking("e", ["a"], 1)]);
	expect(measureEvictionRate({ history, tokens: 1 }, one)).toEqual(rate(1, 1, 1));
	expect(measureEvictionRate({ history, tokens: 0 }, viewOfLog([]))).toEqual(rate(0, 0, 0));
});

describe("the compression ratio", () => {
	const base = fold(person(1), ...use("a"), person(1), ...use("b"));
	const [first, second] = base.episodes;
	const episodes = [
		...(first ? [{ ...first, id: "e", tokens: 300 }] : []),
		...(second ? [{ ...second, id: "f", tokens: 1_000 }] : []),
	];

	test("is of the episodes that were stripped, the lines that stand for them counted as what is left", () => {
		const marker = { anchor: "1.0", text: "gone", tokens: 20 };
		const view = viewOfLog([passTaking("e", ["1.0"], 200, { level: 3, marker })]);
		expect(measureCompressionRatio({ ...base, episodes }, view)).toBe(300 / 120);
	});

	test("counts episodes that only reduced", () => {
		const reduced = {
			episode: first?.id ?? "",
			item: first?.items[0]?.id ?? "",
			form: 1 as const,
			tokens: 60,
		};
		const view = { ...viewOfLog([passWith({ reductions: [reduced] })]) };
		expect(measureCompressionRatio(base, view)).toBe(100 / 40);
	});

	test("is one before any pass", () => {
		expect(measureCompressionRatio({ ...base, episodes }, viewOfLog([]))).toBe(1);
	});
});

describe("the burn rate", () => {
	const answers = (...sizes: readonly number[]) => sizes.map((size) => model(text(size)));

	test("is the mean growth of the last five requests, compared with all requests before", () => {
		const burn = measureBurnRate(fold(person(999), ...answers(100, 200, 30, 30, 30, 30, 30)));
		expect(burn).toMatchObject({ recent: 30, before: 150, isSteep: false, isSpike: false });
	});

	test("counts results and user turns to the answer that they follow", () => {
		expect(measureBurnRate(fold(person(999), ...use("a"), person(20))).recent).toBe(120);
	});

	test("is the same after requests that failed, whose answers are empty", () => {
		const answered = [person(999), ...answers(100, 200, 30, 30, 30, 30, 30)];
		const failed = fold(...answered, model(), model(), ...answers(30), model());
		expect(measureBurnRate(failed)).toEqual(measureBurnRate(fold(...answered, ...answers(30))));
		expect(measureComponentGrowth(failed).history).toBe(30);
	});

	test("has the sealed thinking in both means apart, which a provider counts by another factor than text", () => {
		const thought = (tokens: number) =>
			({ type: "reasoning", tokens, sealed: tokens, sealedBy: "a" }) as const;
		const graph = fold(
			person(999),
			model(thought(90), text(10)),
			...[10, 20, 30, 40, 50].map((tokens) => model(thought(tokens), text(5))),
		);
		const { recent, before, sealed } = measureBurnRate(graph, "a");
		expect([recent, before]).toEqual([35, 100]);
		expect(sealed).toEqual({ recent: { sent: 30, unsent: 0 }, before: { sent: 90, unsent: 0 } });
		// What another model has sealed is not sent.
		expect(measureBurnRate(graph, "b").sealed.recent).toEqual({ sent: 0, unsent: 30 });
	});

	test("spikes at three times what it was, never in a session that has just begun", () => {
		expect(measureBurnRate(fold(...answers(10, 30, 30, 30, 30, 30))).isSpike).toBe(true);
		expect(measureBurnRate(fold(...answers(11, 30, 30, 30, 30, 30))).isSpike).toBe(false);
		expect(measureBurnRate(fold(...answers(1, 3, 3, 3, 3, 3))).isSpike).toBe(true);
		expect(measureBurnRate(fold(...answers(30, 900, 30))).isSpike).toBe(false);
		expect(measureBurnRate(fold())).toMatchObject({ recent: 0, before: 0, isSteep: false, isSpike: false });
	});

	test("is of the requests since the host's last compaction, those of the components too", () => {
		const summary = { author: "host" as const, items: [], time: 50, isSummary: true as const };
		const sent = (time: number, size: number) => ({ ...model(text(size)), time });
		const kept = [summary, ...[10, 20, 30, 40].map((time) => sent(time, 20)), sent(45, 5_000)];
		const none = { recent: 0, before: 0, isSteep: false, isSpike: false };
		expect(measureBurnRate(fold(...kept))).toMatchObject(none);
		const graph = fold(...kept, person(70), sent(60, 200), sent(70, 300));
		expect(measureBurnRate(graph)).toMatchObject({ ...none, recent: 250 });
		expect(measureComponentGrowth(graph).history).toBe(250);
		// A request that failed takes nothing from what came behind it.
		const failed = fold(...kept, person(70), sent(60, 200), { ...model(), time: 65 }, person(300));
		expect(measureBurnRate(failed).recent).toBe(500);
		expect(measureComponentGrowth(failed).history).toBe(500);
		expect(measureComponentGrowth(fold(...kept)).history).toBe(0);
	});

	test("behind a summary nothing spikes before five requests can be compared with five others", () => {
		const summary = { author: "host" as const, items: [], isSummary: true as const };
		const spikes = (...sizes: readonly number[]) =>
			measureBurnRate(fold(...answers(20, 20), summary, ...answers(...sizes))).isSpike;
		expect(spikes(8, 3_600, 3_600, 3_600, 3_600, 3_600)).toBe(false);
		expect(spikes(8, 15_000)).toBe(false);
		// Passes go by the rise alone.
		expect(measureBurnRate(fold(...answers(8), summary, ...answers(15_000))).isSteep).toBe(true);
		expect(spikes(8, 8, 8, 8, 8, 3_600, 3_600, 3_600, 3_600, 3_600)).toBe(true);
	});

	test("one large output after small steps is a spike, which a mean of five hides", () => {
		const spikes = (...sizes: readonly number[]) => measureBurnRate(fold(...answers(...sizes))).isSpike;
		const steps = Array.from({ length: 8 }, () => 2_000);
		expect(spikes(...steps, 15_000)).toBe(true);
		expect(spikes(...steps, 5_000)).toBe(false);
		expect(spikes(200, 200, 200, 900)).toBe(false);
		expect(spikes(15_000)).toBe(false);
	});
});

test("tool bloat is what results are still sent, and which is the largest", () => {
	const long = [model(call("long", "bash")), result("long", 900)];
	const graph = fold(person(), ...use("a"), ...long, ...use("b"));
	const whole = { tokens: 1_080, largest: { callId: "long" } };
	expect(measureToolBloat(graph, viewOfLog([]))).toMatchObject(whole);
	const view = viewOfLog([passOver(graph, "long", "a")]);
	expect(measureToolBloat(graph, view)).toMatchObject({ tokens: 90, largest: { callId: "b" } });
	const even = fold(person(), ...use("first"), ...use("second"));
	expect(measureToolBloat(even, viewOfLog([])).largest?.callId).toBe("first");
	const reductions = [{ episode: "e", item: "1.0", form: 1 as const, tokens: 60 }];
	const reduced = measureToolBloat(graph, viewOfLog([passWith({ reductions })]));
	expect(reduced).toMatchObject({ tokens: 1_020, reduced: { outputs: 1, tokens: 60 } });
	expect(measureToolBloat(fold(), viewOfLog([]))).toEqual({ tokens: 0, largest: undefined });
});

test("health tells what tools returned as a share of what is used", () => {
	const graph = fold(person(100), ...use("a"));
	const settings = { budget: 1_000, tools: testTools };
	const health = (system: number, tools = 0) =>
		measureHealth({ graph, view: viewOfLog([]), fixed: { system, tools }, ...settings }, []);
	expect(health(0).bloat.share).toBe(90 / 200);
	expect(health(150, 10).utilisation).toBe(0.36);
	const empty = { graph: fold(), view: viewOfLog([]), fixed: { system: 0, tools: 0 }, ...settings };
	expect(measureHealth(empty, []).bloat.share).toBe(0);
});

test("of the thinking of a session, what no view takes can be read; passes gave up what was bound to their change", () => {
	const graph = fold(person(60), model(reasoning(30), text(10)), model(reasoning(50), text(10)));
	const pass = { ...passTaking(graph.episodes[0]?.id ?? "", ["1.0"], 30, { level: 1 }), forfeited: 30 };
	const log = [pass, { ...pass, forfeited: 5 }, passWith()];
	const session = { graph, view: viewOfLog([pass]) };
	const measured = measureReadableThinking(session, log);
	expect(measured).toEqual({ all: 80, sealed: 0, isOwn: true, readable: 50, evicted: 0, forfeited: 30 });
	// A pass of before a compaction took thinking that is in this history no longer.
	const older = { ...passTaking("gone", ["9.0"], 400, { level: 1 }), forfeited: 400 };
	expect(measureReadableThinking(session, [older, pass])).toEqual(measured);
	// What another model has sealed is not sent.
	const sealed = fold(
		person(60),
		model({ type: "reasoning", tokens: 30, sealed: 20, sealedBy: "b" }),
		model(reasoning(50)),
	);
	const other = measureReadableThinking({ graph: sealed, view: viewOfLog([]), model: "a" }, []);
	expect(other).toEqual({ all: 80, sealed: 20, isOwn: false, readable: 50, evicted: 0, forfeited: 30 });
	// After a compaction the next request has less of it: the summary changed older text, too.
	const rest = { ...session, graph: fold(person(60), model(text(10))) };
	expect(measureReadableThinking(rest, log, session)).toEqual({ ...measured, readable: 0, forfeited: 80 });
	// What the next request gives up counts before any pass has recorded it.
	const pending = { graph, view: viewOfLog([{ ...pass, forfeited: 0 }]) };
	const nothing = { graph, view: viewOfLog([]) };
	for (const whole of [nothing, pending])
		expect(measureReadableThinking(pending, [], whole)).toEqual(measured);
});

test("what passes did is measured over the whole session, also where the host has compacted the next request", () => {
	const lines = { lines: [1, 2, 3] };
	const read = (id: string) => [
		model(call(id, "read", { path: "a.ts" }, 10)),
		result(id, 90, lines),
		model(text(5)),
	];
	const graph = fold(person(60), ...read("a"), person(10), ...read("b"), person(10), ...read("c"));
	const taken = fold(person(60), ...read("a"), person(10));
	const pass = { ...passOver(taken, "a"), ...newestOf({ graph: taken }) };
	const whole = { graph, view: viewOfLog([pass]) };
	const compacted = fold(person(5), person(10), ...read("c"));
	const settings = { fixed: { system: 0, tools: 0 }, budget: 1_000, tools: testTools };
	const before = measureHealth({ ...whole, ...settings }, [pass]);
	expect(before.regrets.map(({ pass: by, times }) => [by, times])).toEqual([[1, 1]]);
	expect(before.eviction.share).toBeGreaterThan(0);
	const after = measureHealth({ graph: compacted, view: viewOfLog([]), ...settings }, [pass], whole);
	for (const figure of ["regrets", "eviction", "compressionRatio", "marks"] as const) {
		expect(after[figure], figure).toEqual(before[figure]);
	}
	expect(after.utilisation).toBeLessThan(before.utilisation);
});
