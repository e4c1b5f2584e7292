import { describe, expect, test } from "vitest";
import { foldTranscript } from "../fold.ts";
import { computeLedger } from "../ledger.ts";
import { goneBy } from "../levels.ts";
import { foldLog, type Pass } from "../log.ts";
import type { PlanInput } from "../plan.ts";
import {
	build,
	call,
	failure,
	labelOf,
	type MessageDraft,
	model,
	person,
	result,
	startAct,
	startExpl,
	text,
} from "../test-support/drafts.ts";
import { planInput } from "../test-support/simulation.ts";
import { expl } from "../test-support/small-sessions.ts";
import { defaultToolTable } from "../tool-table.ts";
import { cwl } from "./cwl.ts";

const fixed = { system: 0, tools: 0 };

/** One exchange: a call and its result, 100 tokens. */
function use(
	tool: string,
	id: string,
	path = `${id}.ts`,
	lines: readonly number[] = [],
): readonly MessageDraft[] {
	const asked = { ...call(id, tool, { path }), digest: { lines: [], paths: [path] } };
	const answered = result(id, 90);
	return [
		model(asked),
		{ ...answered, items: answered.items.map((item) => ({ ...item, digest: { lines, paths: [] } })) },
	];
}

/** A pass over this session, with what it evicted. Low water is at the budget unless told, so that it takes little. */
function pass(drafts: readonly MessageDraft[], change: Partial<PlanInput> = {}, log: readonly Pass[] = []) {
	const graph = foldTranscript(build(drafts), defaultToolTable);
	const { total } = computeLedger(graph, foldLog(log), fixed);
	const input = {
		...planInput(graph, foldLog(log), { budget: total - 1, fixed }),
		lowWater: 0.999,
		...change,
	};
	const made = cwl.plan(input);
	const view = foldLog(made ? [...log, made] : log);
	const gone = goneBy(graph, (id) => view.removed.has(id));
	const evicted = graph.messages.flatMap(({ items }) => items.filter(gone)).map(labelOf);
	return { made, total, evicted, log: made ? [...log, made] : log };
}

const ending = [person(1), model(text(400))];

describe("what goes first", () => {
	test("searches and runs go before the content of files, and what the agent wrote", () => {
		const work = [...use("read", "r"), ...use("edit", "w"), ...use("bash", "b")];
		const session = [person(), ...work, ...ending];
		expect(pass(session).evicted).toEqual(["b", "b result"]);
		expect(pass(session, { budget: 600 }).evicted).toEqual(["r", "r result", "b", "b result"]);
	});

	test("a read whose lines are shown again goes before one that shows them alone", () => {
		const session = [
			person(),
			...use("read", "old", "a.ts", [1, 2, 3]),
			...use("read", "other", "b.ts", [7, 8, 9]),
			...use("read", "new", "a.ts", [1, 2, 3]),
			...ending,
		];
		expect(pass(session).evicted).toEqual(["old", "old result"]);
	});

	test("what the disk can give back goes before what nothing can", () => {
		const session = [person(), ...use("read", "kept"), ...use("read", "changed"), ...ending];
		const can = (callId: string) => callId !== "kept";
		expect(pass(session, { canRestore: (each) => can(each.callId) }).evicted).toEqual([
			"changed",
			"changed result",
		]);
		expect(pass(session, { canRestore: (each) => !can(each.callId) }).evicted).toEqual([
			"kept",
			"kept result",
		]);
	});

	test("what shows otherwise because the agent changed it is not lost for good", () => {
		const reads = [...use("read", "a"), ...use("read", "b")];
		const edits = [...use("edit", "edit-a", "a.ts"), ...use("edit", "edit-b", "b.ts")];
		const canRestore: PlanInput["canRestore"] = ({ callId }) => (callId === "a" ? false : undefined);
		const session = [person(), ...reads, ...edits, ...ending];
		expect(pass(session, { canRestore }).evicted).toEqual(["a", "a result"]);
	});

	test("what recall brought back goes first, but for the newest copy of what was asked for again", () => {
		const recall = (id: string, query: string) => [model(call(id, "recall", { query })), result(id, 90)];
		const look = [...use("bash", "b"), ...recall("once", "a.ts"), ...use("read", "r")];
		expect(pass([person(), ...look, ...ending]).evicted).toEqual(["once", "once result"]);
		const again = [...look, ...recall("other", "a.ts, page 2"), ...recall("again", " A.ts")];
		const session = [person(), ...again, ...ending];
		const { total } = pass(session);
		expect(
			pass(session, { budget: total - 250 }).evicted.filter((label) => !label.endsWith("result")),
		).toEqual(["b", "once", "other"]);
	});

	test("what had to be read again after a pass stays longer than what was read once, and the longer the oftener", () => {
		const lines = [1, 2, 3, 4];
		const first = [person(), ...use("read", "a", "a.ts", lines), ...use("bash", "b", "b.ts"), ...ending];
		const { log, evicted } = pass(first, { budget: 450 });
		expect(evicted).toContain("a");
		const again = [
			...first,
			...use("read", "again", "a.ts", lines),
			...use("read", "once", "c.ts", [7, 8, 9]),
		];
		const session = [...again, person(), ...ending];
		expect(pass(session, {}, log).evicted).not.toContain("again");
		expect(pass(session, {}, log).evicted).toContain("once");
		expect(pass(session).evicted).not.toContain("once");
	});

	test("what an open act depends on stays longest", () => {
		const session = [
			person(),
			...expl("needed", ...use("read", "n")),
			...expl("other", ...use("read", "o")),
			model(startAct("s", "fix", "needed")),
			result("s", 1),
			...use("edit", "w"),
			...ending,
		];
		expect(pass(session).evicted).toContain("o");
		expect(pass(session).evicted).not.toContain("n");
	});
});

test("old reasoning goes before any call, and as the lowest level", () => {
	const thinks = (id: string) => [
		model({ type: "reasoning", tokens: 60 }, call(id, "grep"), text()),
		result(id, 90),
	];
	const session = [person(), ...thinks("a"), person(), ...thinks("b"), person(), ...ending];
	const { made, evicted } = pass(session);
	expect(evicted).toEqual(["reasoning"]);
	expect(made?.strips.map(({ level }) => level)).toEqual([1]);
});

test("words are as old as the last of them, and the young stay longer than a search of the same turn", () => {
	const turns = Array.from({ length: 4 }, () => [person(), model(text(10))]).flat();
	const session = [...turns, person(), ...use("grep", "g"), person(1), model(text(100)), ...ending];
	const { total } = pass(session);
	const { evicted } = pass(session, { budget: total - 100, lowWater: 1 });
	expect(evicted).toContain("g");
});

test("low water leaves a share of the budget, and .35 of what can leave at all", () => {
	const graph = foldTranscript(build([person(400), model(text(1))]), defaultToolTable);
	const lowWater = (share: number) =>
		cwl.lowWater?.({ ...planInput(graph, foldLog([]), { budget: 1_000, fixed }), lowWater: share });
	expect([lowWater(0.75), lowWater(0.35)]).toEqual([750, 610]);
});

describe("a pass", () => {
	const session = [
		person(),
		...Array.from({ length: 10 }, (_, at) => use("read", `r${at}`)).flat(),
		...ending,
	];

	test("happens only above the budget, and goes down to low water in one batch", () => {
		const { total } = pass(session);
		expect(pass(session, { budget: total }).made).toBeUndefined();
		const { made } = pass(session, { lowWater: 0.6 });
		expect(made?.after).toBeLessThanOrEqual(0.6 * (total - 1));
		expect(made?.strips.length).toBeGreaterThan(0);
	});

	test("takes no step beyond its target, nor anything spared for a budget that is just met", () => {
		const first = pass(session, { lowWater: 0.6 });
		const again = pass(session, { lowWater: (first.made?.after ?? 0) / (first.total - 1) });
		expect(again.made?.after).toBe(first.made?.after);
		const open = [
			person(),
			model(startExpl("s", "look")),
			result("s", 1),
			...use("grep", "g1"),
			...use("grep", "g2"),
			model(text(400)),
		];
		const { total } = pass(open);
		expect(pass(open, { budget: total - 100, lowWater: 1 }).evicted).toEqual(["g1", "g1 result"]);
		expect(pass(open, { budget: total - 101, lowWater: 1 }).evicted).toEqual([
			"g1",
			"g1 result",
			"g2",
			"g2 result",
		]);
	});

	test("happens above low water when the cache is cold anyway", () => {
		const cold = { budget: 1_600, lowWater: 0.5, isCold: true };
		expect(pass(session, cold).made?.after).toBeLessThanOrEqual(800);
		expect(pass(session, { ...cold, isCold: false }).made).toBeUndefined();
		expect(pass(session, { ...cold, lowWater: 0.9 }).made).toBeUndefined();
	});

	test("is not made at the budget where nothing can leave", () => {
		const begun = [person(), ...use("read", "r")];
		const { total } = pass(begun);
		expect(pass(begun, { budget: total, lowWater: 0.5, isCold: true }).made).toBeUndefined();
	});

	test("tells what it was decided on", () => {
		const prices = { read: 0.1, write: 1.25 };
		const { made } = pass(session, { lowWater: 0.6, prices });
		expect(made?.decision).toMatchObject({
			reason: "over budget",
			freed: (made?.before ?? 0) - (made?.after ?? 0),
			requestsToNext: Math.floor(((made?.budget ?? 0) - (made?.after ?? 0)) / ((made?.before ?? 0) / 11)),
		});
		expect(made?.decision?.paidBackAfter).toBeGreaterThan(0);
		expect(
			pass(session, { budget: 1_600, lowWater: 0.5, isCold: true, prices }).made?.decision,
		).toMatchObject({
			reason: "cold cache",
			paidBackAfter: 0,
		});
	});

	test("is small where caching is not cheap", () => {
		const low = (prices: PlanInput["prices"]) =>
			pass(session, { lowWater: 0.5, ...(prices && { prices }) }).made?.after ?? 0;
		expect(low({ read: 1, write: 1 })).toBeGreaterThan(low({ read: 0.1, write: 1.25 }));
	});
});

describe("what is spared goes only when the budget would break", () => {
	test("failed calls stay until their episode goes", () => {
		const work = [...use("read", "r1"), model(call("f", "read")), failure("f", 90), ...use("read", "r2")];
		const session = [person(), ...expl("look", ...work), ...ending];
		expect(pass(session).evicted).toEqual(["r1", "r1 result"]);
		expect(pass(session, { budget: 470 }).evicted).toContain("f");
	});

	test("outputs of an open episode, oldest bulk first", () => {
		const open = [
			model(startExpl("s", "look")),
			result("s", 1),
			...use("grep", "g1"),
			...use("read", "r1"),
			...use("grep", "g2"),
		];
		const session = [person(), ...open, model(text(400))];
		expect(pass(session).evicted).toEqual(["g1", "g1 result"]);
		expect(pass(session, { budget: 620 }).evicted).toEqual(["g1", "g1 result", "g2", "g2 result"]);
	});

	test("what worked before what failed, though that is older", () => {
		const failed = [model(call("f", "read")), failure("f", 90)];
		const session = [person(), ...failed, ...use("read", "hot"), model(text(1))];
		const { total } = pass(session);
		expect(pass(session, { budget: total - 100, lowWater: 1 }).evicted).toEqual(["hot", "hot result"]);
		expect(pass(session, { budget: total - 101, lowWater: 1 }).evicted).toContain("f");
	});

	test("the hot tail, and never the exchange in progress", () => {
		const session = [
			person(),
			...use("read", "old"),
			...use("read", "hot"),
			model(call("now", "read"), text(10)),
			result("now", 90),
		];
		expect(pass(session, { budget: 300 }).evicted).toEqual(["old", "old result"]);
		const { evicted, made } = pass(session, { budget: 20 });
		expect(evicted).toEqual(["old", "old result", "hot", "hot result"]);
		expect(made?.blockers.length).toBeGreaterThan(0);
	});
});

test("the hot tail is a tenth of what user turns and prologue leave of the budget", () => {
	const failed = [model(call("f", "read")), failure("f", 600)];
	const session = (since: number) => [
		person(10),
		...failed,
		...use("grep", "g"),
		model(text(since - 11)),
		person(10),
		model(text(1)),
	];
	// Of a budget of 1,020 people wrote 20: what is younger than 100 tokens is hot.
	const takes = (since: number) =>
		pass(session(since), { budget: 1_020, isCold: true, lowWater: 0 }).evicted.includes("g");
	expect([takes(99), takes(100)]).toEqual([false, true]);
});

describe("what stays behind", () => {
	const episode = (at: number) => expl(`look-${at}`, ...use("read", `r${at}`, `src/file-${at}.ts`));

	test("one line for an evicted episode: kind, name, size, files, and how to have it back", () => {
		const { made } = pass([person(), ...episode(1), ...ending], { budget: 450 });
		const [strip] = made?.strips ?? [];
		expect(strip?.level).toBe(4);
		expect(strip?.marker?.text).toMatch(
			/^\[expl "look-1", evicted 20\d: src\/file-1\.ts; recall "look-1"\] /,
		);
	});

	test("lines that outgrow their share fold into groups, and those into groups of groups", () => {
		const many = Array.from({ length: 100 }, (_, at) => episode(at)).flat();
		const { made } = pass([person(), ...many, ...ending], { budget: 3_000, lowWater: 0.5 });
		expect(made?.after).toBeLessThanOrEqual(3_000);
		const sizes = (made?.folds ?? []).map(({ episodes }) => episodes.length);
		expect(sizes.filter((size) => size === 8).length).toBeGreaterThan(1);
		expect(Math.max(...sizes)).toBeGreaterThan(8);
		expect(made?.folds?.[0]?.marker.text).toMatch(/^\[\d+ episodes, evicted .*; recall by name or file: /);
	});

	test("lines fold when only that brings the session back to its budget", () => {
		const session = [person(), ...episode(1), ...episode(2), person(1), model(text(50))];
		const { episodes } = foldTranscript(build(session), defaultToolTable);
		const strips = episodes.map(({ id, items }) => {
			const marker = { anchor: items[0]?.id ?? "", text: `a long line for ${id}`, tokens: 500 };
			return { episode: id, level: 4 as const, items: items.map((item) => item.id), tokens: 0, marker };
		});
		const log = [
			{ version: 1 as const, policy: "paper", budget: 0, before: 0, after: 0, strips, blockers: [] },
		];
		const { made, total } = pass(session, {}, log);
		expect(made?.folds).toHaveLength(1);
		expect(made?.after).toBeLessThan(total);
	});
});
