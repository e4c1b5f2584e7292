import { expect, test } from "vitest";
import { foldTranscript } from "../fold.ts";
import { computeLedger } from "../ledger.ts";
import { goneBy } from "../levels.ts";
import { foldLog, type Pass } from "../log.ts";
import * as draft from "../test-support/drafts.ts";
import { countMarker, planInput } from "../test-support/simulation.ts";
import { defaultToolTable } from "../tool-table.ts";
import { paper } from "./paper.ts";

const { call, model, person, reasoning, result, text } = draft;
type Drafts = readonly draft.MessageDraft[];

/** Delimiter calls and their results cost 1 token each here, so that the work is what counts. */
function mark(item: draft.ItemDraft): draft.ItemDraft {
	return { ...item, tokens: 1 };
}

function expl(name: string, ...work: Drafts): Drafts {
	return [
		model(mark(draft.startExpl(`${name} start`, name))),
		result(`${name} start`, 1),
		...work,
		model(mark(draft.end(`${name} end`, "x"))),
		result(`${name} end`, 100),
	];
}

function act(name: string, dependencies: readonly string[], ...work: Drafts): Drafts {
	return [
		model(mark(draft.startAct(`${name} start`, name, ...dependencies))),
		result(`${name} start`, 1),
		...work,
		model(mark(draft.end(`${name} end`))),
		result(`${name} end`, 1),
	];
}

/** One exchange: reasoning, a call and its result. */
function use(tool: string, id: string): Drafts {
	return [model(reasoning(20), call(id, tool)), result(id, 90)];
}

const lookAndFix: Drafts = [
	person(),
	...expl("look", ...use("grep", "g1"), ...use("read", "r1"), ...use("edit", "w1")),
	...act("fix", ["look"], ...use("grep", "g2"), ...use("read", "r2"), ...use("edit", "w2")),
	model(text(5)),
];

/** What is evicted when this session is to shrink by so many tokens, and how the pass describes itself. */
function shrink(drafts: Drafts, tokens: number, log: readonly Pass[] = []) {
	const graph = foldTranscript(draft.build(drafts), defaultToolTable);
	const fixed = { system: 0, tools: 0 };
	const { total } = computeLedger(graph, foldLog(log), fixed);
	const pass = paper.plan(planInput(graph, foldLog(log), { budget: total - tokens, fixed }));
	const passes = pass ? [...log, pass] : log;
	const { removed } = foldLog(passes);
	const gone = goneBy(graph, (id) => removed.has(id));
	const evicted = graph.messages.flatMap((message) => message.items.filter(gone)).map(draft.labelOf);
	const nameOf = (id: string) => graph.episodes.find((episode) => episode.id === id)?.name;
	const levels = pass?.strips.map((strip) => [nameOf(strip.episode), strip.level]);
	return {
		pass,
		total,
		evicted,
		log: passes,
		levels,
	};
}

test("at the budget there is no pass, one token above it there is", () => {
	expect(shrink(lookAndFix, 0).pass).toBeUndefined();
	expect(shrink(lookAndFix, 1).pass?.strips).toHaveLength(1);
});

test("an act gives its bulk outputs first, then its intermediate artifacts, then everything", () => {
	expect(shrink(lookAndFix, 1).evicted).toEqual(["reasoning", "g2", "g2 result"]);
	expect(shrink(lookAndFix, 121).evicted).toEqual([
		"reasoning",
		"g2",
		"g2 result",
		"reasoning",
		"r2",
		"r2 result",
	]);
	expect(shrink(lookAndFix, 241).levels).toEqual([["fix", 4]]);
	expect(shrink(lookAndFix, 241).evicted).toEqual(
		expect.arrayContaining(["fix start", "fix start result", "w2", "w2 result", "fix end", "fix end result"]),
	);
});

test("reasoning is no level of its own in an act", () => {
	const thinking = [
		person(),
		...act("fix", [], model(reasoning(50), text()), ...use("grep", "g")),
		model(text()),
	];
	expect(shrink(thinking, 1).evicted).toEqual(["reasoning", "g", "g result"]);
});

test("an expl gives its reasoning first, then bulk outputs, then intermediate artifacts, then everything", () => {
	const look = [
		person(),
		...expl("look", ...use("grep", "g"), ...use("read", "r"), ...use("edit", "w")),
		person(),
		model(text()),
	];
	expect(shrink(look, 1).evicted).toEqual(["reasoning", "reasoning", "reasoning"]);
	expect(shrink(look, 61).evicted).toEqual(["reasoning", "g", "g result", "reasoning", "reasoning"]);
	expect(shrink(look, 161).evicted).toEqual([
		"reasoning",
		"g",
		"g result",
		"reasoning",
		"r",
		"r result",
		"reasoning",
	]);
	expect(shrink(look, 261).levels).toEqual([["look", 4]]);
});

test("reasoning of the tool loop in progress stays as long as anything that it led to", () => {
	const loop = [person(), ...expl("look", ...use("grep", "g"), ...use("edit", "w")), model(text())];
	expect(shrink(loop, 1).evicted).toEqual(["reasoning", "g", "g result"]);
	const shared = [
		person(),
		...use("read", "q"),
		model(reasoning(), mark(draft.startExpl("s", "look"))),
		result("s"),
		model(reasoning(), mark(draft.end("e", "x")), mark(draft.startAct("s2", "fix", "look"))),
		result("e"),
		result("s2"),
		model(text()),
	];
	expect(shrink(shared, 100_000).levels).toEqual([["unmarked-1", 4]]);
});

test("a pass stops at the level that meets the budget", () => {
	expect(shrink(lookAndFix, 120).levels).toEqual([["fix", 2]]);
	expect(shrink(lookAndFix, 121).levels).toEqual([["fix", 3]]);
	expect(shrink(lookAndFix, 240).levels).toEqual([["fix", 3]]);
});

test("acts leave before expls, oldest first, whatever their place in the session", () => {
	const session = [
		person(),
		...expl("a", ...use("read", "1")),
		...act("b", [], ...use("read", "2")),
		...expl("c", ...use("read", "3")),
		...act("d", [], ...use("read", "4")),
		model(text()),
	];
	expect(shrink(session, 100_000).levels).toEqual([
		["b", 4],
		["d", 4],
		["a", 4],
		["c", 4],
	]);
	expect(shrink(session, 120).levels).toEqual([["b", 3]]);
});

test("an expl is not even stripped while an act that declared it is open", () => {
	const session = [
		person(),
		...expl("look", ...use("read", "r")),
		model(mark(draft.startAct("s", "fix", "look"))),
		result("s", 1),
		model(text()),
	];
	const { pass, evicted } = shrink(session, 1);
	expect(evicted).toEqual([]);
	expect(pass?.blockers.length).toBeGreaterThan(0);
});

test("an expl is not even stripped while an act that declared it reaches into the exchange in progress", () => {
	const session = [
		person(),
		...expl("look", ...use("read", "r")),
		...act("fix", ["look"], ...use("read", "q")),
	];
	expect(shrink(session, 100_000).evicted).toEqual(["reasoning", "q", "q result"]);
	expect(shrink([...session, model(text())], 100_000).levels).toEqual([
		["fix", 4],
		["look", 4],
	]);
});

test("an episode that reaches into the exchange in progress gives up levels 1 to 3 of what came before it", () => {
	const session = [
		person(),
		...act("fix", [], ...use("read", "a"), ...use("edit", "b")).slice(0, -2),
		model(call("c", "read"), mark(draft.end("fix end"))),
		result("c", 90),
		result("fix end", 1),
	];
	const first = shrink(session, 100_000);
	expect(first.levels).toEqual([["fix", 3]]);
	expect(first.evicted).toEqual(["reasoning", "a", "a result"]);
	const later = shrink([...session, model(text())], 1, first.log);
	expect(later.evicted).toEqual(["reasoning", "a", "a result", "c", "c result"]);
});

test("what was in progress at an earlier pass is stripped from the lowest level on", () => {
	const session = [
		person(),
		...expl("look", ...use("read", "a")).slice(0, -2),
		model(reasoning(), text(), call("b", "grep"), mark(draft.end("look end", "x"))),
		result("b", 90),
		result("look end", 100),
	];
	const first = shrink(session, 100_000);
	expect(first.levels).toEqual([["look", 3]]);
	const later = [...session, person(), model(text())];
	const second = shrink(later, 1, first.log);
	expect(second.evicted).toEqual(["reasoning", "a", "a result", "reasoning"]);
	expect(second.levels).toEqual([["look", 3]]);
	expect(shrink(later, 11, first.log).evicted).toContain("b");
});

test("a removed expl leaves its description, a removed act leaves nothing", () => {
	const strips = shrink(lookAndFix, 100_000).pass?.strips ?? [];
	expect(strips.map((strip) => strip.episode)).toEqual(["fix", "look"]);
	expect(strips[0]?.marker).toBeUndefined();
	expect(strips[1]?.marker?.text).toMatch(/look.*x/);
});

test("a description that is as long as what it stands for keeps its episode at level 3", () => {
	const description = "long ".repeat(100);
	const session = [
		person(),
		model(mark(draft.startExpl("s", "look"))),
		result("s", 1),
		...use("read", "r"),
		...use("read", "q"),
		model(mark(draft.end("e", description))),
		result("e", 1),
		model(text()),
	];
	const first = shrink(session, 100_000);
	expect(first.levels).toEqual([["look", 3]]);
	expect(first.pass?.strips[0]?.marker).toBeUndefined();
	expect(first.pass?.after).toBe(first.total - 240);
	expect(shrink(session, 100_000, first.log).pass?.strips).toEqual([]);
});

test("what nobody marked goes last in a session that has marks", () => {
	const session = [
		person(),
		...use("edit", "w"),
		...expl("look", ...use("read", "r")),
		...act("fix", [], ...use("read", "q")),
		person(),
		model(text()),
	];
	expect(shrink(session, 100_000).levels?.map(([episode]) => episode)).toEqual(["fix", "look", "unmarked-1"]);
});

test("what nobody marked is an implicit expl: its reasoning goes first, though it wrote", () => {
	const session = [person(), ...use("edit", "w"), ...act("fix", []), person(), model(text())];
	expect(shrink(session, 10).evicted.filter((label) => label === "w")).toEqual([]);
	expect(shrink(session, 10).levels).toEqual([
		["fix", 4],
		["unmarked-1", 1],
	]);
});

test("in a session without any mark, runs that wrote go before runs that read", () => {
	const session = [person(), ...use("read", "r"), ...use("edit", "w"), person(), model(text())];
	expect(shrink(session, 100_000).levels?.map(([episode]) => episode)).toEqual(["unmarked-2", "unmarked-1"]);
});

test("a failed call stays until its episode goes", () => {
	const failing = [model(call("bad", "read")), draft.failure("bad", 90)];
	const session = [person(), ...act("fix", [], ...failing, ...use("read", "good")), model(text())];
	expect(shrink(session, 1).evicted).toEqual(["reasoning", "good", "good result"]);
	expect(shrink(session, 121).evicted).toContain("bad result");
});

test("parallel calls leave one by one, each with its result", () => {
	const parallel = [
		model(call("g", "grep"), call("r", "read"), call("w", "edit")),
		...["w", "g", "r"].map((id) => result(id)),
	];
	const session = [person(), ...act("fix", [], ...parallel), model(text())];
	expect(shrink(session, 1).evicted).toEqual(["g", "g result"]);
	expect(shrink(session, 21).evicted).toEqual(["g", "r", "g result", "r result"]);
});

test("reasoning stays while the call that it led to stays, and leaves with it", () => {
	const session = [
		person(),
		...act(
			"fix",
			[],
			model(reasoning(1), call("w", "edit"), reasoning(2), call("g", "grep")),
			result("w"),
			result("g"),
		),
		model(text()),
	];
	const { pass, total } = shrink(session, 1);
	expect(shrink(session, 1).evicted).toEqual(["reasoning", "g", "g result"]);
	expect(pass?.after).toBe(total - 22);
});

test("a result too many leaves with bulk outputs, never after its call", () => {
	const session = [
		person(),
		...act("fix", [], model(call("r", "read")), result("r"), result("r"), result("nobody")),
		model(text()),
	];
	expect(shrink(session, 1).evicted).toEqual(["r result", "nobody result"]);
	expect(shrink(session, 21).evicted).toEqual(["r", "r result", "r result", "nobody result"]);
});

test("a call that never got its result leaves alone", () => {
	const session = [person(), ...act("fix", [], model(call("r", "read"))), model(text())];
	expect(shrink(session, 1).evicted).toEqual(["r"]);
});

test("prologue, user turns, open episodes and the exchange in progress stay, and are named as blockers", () => {
	const session = [
		person(5),
		...act("done", []),
		model(mark(draft.startExpl("s", "look"))),
		result("s", 1),
		...use("read", "a"),
		person(7),
		...use("read", "b"),
	];
	const { pass, evicted } = shrink(session, 100_000);
	expect(evicted).toEqual(["done start", "done start result", "done end", "done end result"]);
	expect(pass?.blockers.map(({ what, tokens }) => [what, tokens])).toEqual([
		['open episode "look"', 242],
		["user turns", 7],
		["prologue", 5],
	]);
	for (const { remedy } of pass?.blockers ?? []) expect(remedy).not.toBe("");
});

test("blockers account for every token that is left", () => {
	const session = [
		...lookAndFix,
		person(3),
		model(mark(draft.startAct("s", "more"))),
		result("s", 1),
		model(text()),
	];
	const { pass } = shrink(session, 100_000);
	const sum = pass?.blockers.reduce((tokens, blocker) => tokens + blocker.tokens, 0);
	expect(sum).toBe(pass?.after);
	expect(pass?.after).toBeGreaterThan(countMarker(pass?.strips[1]?.marker?.text ?? ""));
});

test("an open run that nobody marked blocks with a remedy that a user can follow", () => {
	const { pass } = shrink([person(), ...use("read", "r"), ...use("read", "q")], 100_000);
	const run = pass?.blockers.find((blocker) => blocker.what.includes("unmarked-1"));
	expect(run?.tokens).toBe(240);
	expect(run?.remedy).not.toContain("end the episode");
});

test("a pass tells its policy, its budget, the size before and after, and no blockers when it met the budget", () => {
	const { pass, total } = shrink(lookAndFix, 100);
	expect(pass).toMatchObject({
		version: 1,
		policy: "paper",
		budget: total - 100,
		before: total,
		after: total - 120,
	});
	expect(pass?.blockers).toEqual([]);
});

test("the fixed cost counts toward the budget", () => {
	const graph = foldTranscript(draft.build(lookAndFix), defaultToolTable);
	const fixed = { system: 1_000, tools: 2_000 };
	const { total } = computeLedger(graph, foldLog([]), { system: 0, tools: 0 });
	const plan = (budget: number) => paper.plan(planInput(graph, foldLog([]), { budget, fixed }));
	expect(plan(total + 3_000)).toBeUndefined();
	expect(plan(total + 2_999)?.strips).toHaveLength(1);
});
