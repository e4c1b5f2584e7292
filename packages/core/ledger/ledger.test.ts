import { expect, test } from "vitest";
import { readLog } from "../log/read-log.ts";
import { viewOfLog } from "../log/view.ts";
import { tokensBeforeCut } from "../planning/pass-effect.ts";
import { project } from "../projection/projection.ts";
import * as draft from "../test-support/message-builders.ts";
import { passWith } from "../test-support/passes.ts";
import { computeLedger, isEvicted, measureComponents, measureFloor, totalTokens } from "./ledger.ts";

const { call, end, fold, model, note, person, result, shell, startAct, startExpl, text } = draft;

const graph = fold(
	person(100),
	model(text(1)),
	person(200),
	model(startExpl("s1", "look"), end("e1", "x"), startAct("s2", "fix", "look"), call("w", "edit", {}, 3)),
	...["s1", "e1", "s2", "w"].map((id) => result(id, 4)),
	shell(300),
);
const fixed = { system: 1_000, tools: 2_000 };
const marker = { anchor: "3.0", text: "x", tokens: 9 };
const pass = passWith({
	strips: [{ episode: "look", level: 4, items: ["3.0", "3.1"], tokens: 28, marker }],
});

test("what a pass took is off its component, and markers are a component of their own", () => {
	const ledger = computeLedger({ graph, view: viewOfLog([pass]), fixed });
	expect(ledger).toMatchObject({ expl: 0, act: 21, markers: 9, total: 3_650 - 28 + 9 });
});

test("an episode that two passes took in parts is evicted once nothing of it is left, whatever the level of each", () => {
	const look = graph.episodes.find(({ name }) => name === "look");
	const half = (...items: string[]) =>
		passWith({ strips: [{ episode: "look", level: 3, items, tokens: items.length === 1 ? 14 : 28 }] });
	const isGone = (...log: Parameters<typeof viewOfLog>[0]) => look && isEvicted(look, viewOfLog(log));
	expect(look?.tokens).toBe(28);
	expect([isGone(), isGone(half("3.0")), isGone(half("3.0"), half("3.1"))]).toEqual([false, false, true]);
	expect([isGone(half("3.0", "3.1")), isGone(pass)]).toEqual([true, true]);
});

test("a single release counts, and of an item at most its own tokens whatever the log says", () => {
	const totalAfter = (tokens: number) => {
		const releases = [{ item: "2.0", head: 1, tail: 1, mark: "...", tokens }];
		return totalTokens({ graph, view: viewOfLog([passWith({ releases })]), fixed });
	};
	expect([totalAfter(150), totalAfter(200), totalAfter(900)]).toEqual([3_500, 3_450, 3_450]);
});

const answer = (tokens: number) => model(text(tokens));
const drafts = [person(100), note(20), answer(50), person(300), answer(50), person(10), answer(5)];
const talk = fold(...drafts);
const overhead = { system: 7, tools: 3 };

/** The person lets go of 80 of the first message's tokens and 250 of the second's. */
const release = (item: string, tokens: number) => ({ item, head: 1, tail: 1, mark: "...", tokens });
const released = passWith({ releases: [release("0.0", 80), release("3.0", 250)] });
const view = viewOfLog([released]);

test("what people released leaves floor, ledger and projection; a second release of the same changes nothing", () => {
	const floor = measureFloor({ graph: talk, view, fixed: overhead });
	expect(floor).toMatchObject({ tokens: 110, written: 80 });
	expect(computeLedger({ graph: talk, view, fixed: overhead })).toMatchObject({ prologue: 40, user: 60 });
	expect(project(talk, view).filter(({ type }) => type === "cut")).toEqual([
		{ type: "cut", message: 0, release: release("0.0", 80) },
		{ type: "cut", message: 3, release: release("3.0", 250) },
	]);
	const again = viewOfLog([released, { ...released, releases: [release("0.0", 90)] }]);
	expect(project(talk, again)).toEqual(project(talk, view));
});

test("a note that a pass took, and that a compaction made part of the prologue, counts in no size because no request sends it", () => {
	const log = [passWith({ strips: [{ episode: "gone", level: 4, items: ["1.0"], tokens: 20 }] })];
	const content = { graph: talk, view: readLog(log, talk), fixed: overhead };
	expect(project(talk, content.view).map(({ message }) => message)).not.toContain(1);
	const { prologue, total } = computeLedger(content);
	expect({ prologue, total }).toEqual({ prologue: 100, total: totalTokens(content) });
	expect(totalTokens(content)).toBe(10 + 100 + 50 + 300 + 50 + 10 + 5);
	expect(measureFloor(content)).toEqual({ tokens: 10 + 100 + 310, written: 410 });
	expect(measureComponents(content)).toMatchObject({ memory: 0, history: 515 });
});

test("a release breaks the provider's prefix where the first released message stands", () => {
	const second = { ...released, releases: [release("3.0", 250)] };
	expect(tokensBeforeCut(talk, viewOfLog([second]), second)).toBe(170);
	const after = viewOfLog([released, second]);
	expect(tokensBeforeCut(talk, after, { ...second, releases: [release("5.0", 5)] })).toBe(40 + 50 + 50 + 50);
});
