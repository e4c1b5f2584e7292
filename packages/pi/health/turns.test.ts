import { expect, test } from "vitest";
import { measureBurnRate, measureVitals } from "#core/health";
import { uncalibrated } from "#core/ledger";
import { viewOfLog } from "#core/log";
import { call, fold, model, person, result } from "../../core/test-support/message-builders.ts";
import type { BranchEntry } from "../custom-entries.ts";
import { createSizes } from "../screen/sizes.ts";
import { PASS_ENTRY, STEERING_ENTRY, UNDO_ENTRY } from "../session/log-entries.ts";
import { readHistory } from "../session/session-history.ts";
import * as say from "../test-support/host-messages.ts";
import { fixed, open, under } from "../test-support/host-runs.ts";
import { findFullWindow } from "./turn-alerts.ts";
import { measureTurn, recallTurns, type TurnMetrics, trendOf } from "./turns.ts";

const healthy: TurnMetrics = {
	utilization: 0.5,
	evictionRate: 1,
	compressionRatio: 5,
	burnRate: 100,
	inSight: 0.5,
	retained: 1,
	bloat: 0.2,
};

/** A provider that counts as we do. */
const part = (counted: number) => counted;

const graph = fold(
	person(),
	model(call("a", "read", {}, 10), call("b", "grep", {}, 10)),
	result("a", 500),
	result("b", 90),
	person(),
);

function alertAfter(turns: readonly Partial<TurnMetrics>[]) {
	const all = turns.map((turn) => ({ ...healthy, ...turn }));
	return findFullWindow({ graph, view: viewOfLog([]), sizes: createSizes(uncalibrated) }, all);
}

test("a healthy session raises none, and neither does one without turns", () => {
	expect(alertAfter([])).toBeUndefined();
	expect(alertAfter(Array.from({ length: 20 }, () => ({})))).toBeUndefined();
});

test("a window that is over nine tenths full for three turns in a row is a critical alert", () => {
	const over = { utilization: 0.91 };
	const at = { utilization: 0.9 };
	expect(alertAfter([over, over])).toBeUndefined();
	expect(alertAfter([over, {}, over, over])).toBeUndefined();
	expect(alertAfter([at, at, at, at])).toBeUndefined();
	expect(alertAfter([{}, over, over, over])).toMatchObject({
		grade: "critical",
		text: 'the context takes 91 % of the model\'s window; most of it is "read", ~500 tokens',
		remedy: expect.stringContaining("/cwl evict"),
	});
});

test("a few facts say nothing about what is in sight", () => {
	const vitals = measureVitals({ graph, view: viewOfLog([]), fixed, budget: 1_000 });
	const inSight = (facts: number) =>
		measureTurn({
			vitals,
			part,
			used: 1,
			window: 2,
			fidelity: { facts, visible: 1, named: 0 },
		}).inSight;
	expect([inSight(19), inSight(20)]).toEqual([1, 0.05]);
});

test("the trend is the change over the last ten turns, and none for fewer than five", () => {
	const turns = Array.from({ length: 12 }, (_, at) => ({
		...healthy,
		utilization: at / 100,
		burnRate: 10 * at,
	}));
	expect(trendOf(turns.slice(0, 4))).toBeUndefined();
	expect(trendOf(turns)).toMatchObject({ turns: 10, burnRate: 90, bloat: 0, direction: "rising" });
	expect(trendOf(turns)?.utilization).toBeCloseTo(0.09, 9);
	expect(trendOf(turns.toReversed())?.direction).toBe("falling");
});

test("a turn has the formulas of the seed, with finite figures where nothing is left of an episode", () => {
	const vitals = {
		utilisation: 0.9,
		compressionRatio: Number.POSITIVE_INFINITY,
		eviction: { share: 0, tokensPerRequest: 0, itemsPerRequest: 2 },
		burn: { ...measureBurnRate(fold()), recent: 30, before: 10, isSteep: true, isSpike: true },
		bloat: { tokens: 40, largest: undefined, share: 0.4 },
	};
	const fidelity = { facts: 100, visible: 20, named: 50 };
	expect(measureTurn({ vitals, fidelity, part, used: 50, window: 200 })).toEqual({
		utilization: 0.25,
		evictionRate: 2,
		compressionRatio: 1_000_000,
		burnRate: 30,
		inSight: 0.2,
		retained: 0.7,
		bloat: 0.8,
	});
	const nothing = { facts: 0, visible: 0, named: 0 };
	expect(measureTurn({ vitals, fidelity: nothing, part, used: 0, window: 0 })).toMatchObject({
		inSight: 1,
		retained: 1,
		utilization: 0,
	});
});

test("a trend ends with the figures of now, where these are given", () => {
	const turns = Array.from({ length: 6 }, (_, at) => ({ ...healthy, burnRate: 100 + at }));
	expect(trendOf(turns, { ...healthy, burnRate: 500 })).toMatchObject({ turns: 6, burnRate: 400 });
});

/** A session of reads with a pass in the middle, and its turns as they are measured again after `change` follows the answer to `position`. */
function recallWith(change?: { readonly position: number; readonly entry: BranchEntry }) {
	const factsOf = (at: number) => ["A", "B", "C", "D", "E"].map((name) => `LIMIT_${name}_${at}`).join(" ");
	const reads = Array.from({ length: 12 }, (_, at) => [
		say.reply(say.calls(`r${at}`, "grep", { pattern: factsOf(at), path: `src/file${at}.ts` })),
		say.result(`r${at}`, `${factsOf(at)}\n`.repeat(20)),
	]);
	const messages = say.inOrder(say.user("which limits?"), ...reads.flat(), say.reply("Many."));
	const session = open();
	session.request(messages.slice(0, 21), under(1_000));
	const [pass] = session.state().log;
	if (!pass) throw new Error("no pass was made");
	const entries = messages.map((message): BranchEntry => ({ type: "message", message }));
	const withPass = entries.toSpliced(21, 0, { type: "custom", customType: PASS_ENTRY, data: pass });
	const branch = change ? withPass.toSpliced(change.position, 0, change.entry) : withPass;
	return recallTurns({
		branch,
		requests: open().recount(readHistory(branch, messages), () => fixed),
		wholeOf: (request) => request.state(),
		about: ({ tokens }) => ({ part, used: tokens, window: 10_000 }),
	});
}

test("the last ten turns are measured again from a session's messages and passes", () => {
	const turns = recallWith();
	expect(turns).toHaveLength(10);
	expect(turns.map(({ inSight }) => inSight < 1)).toEqual(turns.map((_, at) => at >= 7));
	expect(turns.map(({ evictionRate }) => evictionRate > 0)).toEqual(turns.map((_, at) => at >= 7));
	expect(turns[7]?.utilization).toBeLessThan(turns[6]?.utilization ?? 0);
});

const steering = (data: object) => ({ type: "custom", customType: STEERING_ENTRY, data });

test.each<readonly [string, BranchEntry, number]>([
	["a compaction", { type: "compaction", summary: "S" }, 4],
	["an undo", { type: "custom", customType: UNDO_ENTRY, data: { version: 1 } }, 4],
	["/cwl on", steering({ enabled: true }), 4],
	["another budget", steering({ budget: "60k" }), 10],
])(
	"after %s the turns that a trend compares are those since then, unless it changes no size",
	(_what, entry, left) => {
		// Behind the ninth answer and its result.
		expect(recallWith({ position: 19, entry })).toHaveLength(left);
	},
);
