import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { newestOf } from "../planning/make-pass.ts";
import * as draft from "../test-support/message-builders.ts";
import { passTaking } from "../test-support/passes.ts";
import type { Pass } from "./pass.ts";
import { findRegrets } from "./regret.ts";
import { viewOfLog } from "./view.ts";

const { call, failure, fold, labelled, model, person, result } = draft;

type Lines = readonly number[];

function use(tool: string, id: string, lines: Lines, args = { path: "a.ts" }): readonly draft.MessageDraft[] {
	return [model(call(id, tool, args)), result(id, 100, { lines })];
}

const read = (id: string, lines: Lines) => use("read", id, lines);

interface Step {
	readonly drafts: readonly draft.MessageDraft[];
	/** Call ids that a pass takes once these messages are there. */
	readonly takes?: readonly string[];
}

/** Play the steps, then look for regrets: `[call id, tokens, pass, times]`. */
function regretsOf(...steps: readonly Step[]) {
	const log: Pass[] = [];
	let drafts: readonly draft.MessageDraft[] = [person()];
	for (const step of steps) {
		drafts = [...drafts, ...step.drafts];
		if (step.takes) log.push(take(drafts, step.takes));
	}
	const graph = fold(...drafts);
	const regrets = findRegrets(graph, viewOfLog(log));
	return regrets.map(({ call: { callId }, tokens, pass, times }) => [callId, tokens, pass, times]);
}

function take(drafts: readonly draft.MessageDraft[], callIds: readonly string[]): Pass {
	const graph = fold(...drafts);
	const items = labelled(graph, ...callIds).map(({ id }) => id);
	return { ...passTaking("e", items, 100), ...newestOf({ graph }) };
}

describe("what is read again after a pass took it", () => {
	test("is a regret of that pass, in the share of its lines that came again", () => {
		const first = { drafts: read("a", [1, 2, 3, 4]), takes: ["a"] };
		expect(regretsOf(first, { drafts: read("b", [1, 2, 3, 4]) })).toEqual([["b", 100, 1, 1]]);
		expect(regretsOf(first, { drafts: read("b", [1, 2, 3, 9]) })).toEqual([["b", 75, 1, 1]]);
		expect(regretsOf(first, { drafts: read("b", [1, 2, 8, 9]) })).toEqual([["b", 50, 1, 1]]);
	});

	test("is none where the call was made before the pass", () => {
		const [asked, answered] = read("b", [1, 2]);
		const steps = [{ drafts: read("a", [1, 2]) }, { drafts: asked ? [asked] : [], takes: ["a"] }];
		expect(regretsOf(...steps, { drafts: answered ? [answered] : [] })).toEqual([]);
	});

	test("belongs to the pass that took most of it, of two that took as much to the earlier", () => {
		const passOf = (second: Lines, again: Lines) => {
			const taken = [
				{ drafts: read("a", [1]), takes: ["a"] },
				{ drafts: read("b", second), takes: ["b"] },
			];
			return regretsOf(...taken, { drafts: read("c", again) }).map(([, , pass]) => pass);
		};
		expect([passOf([2, 3], [1, 2, 3]), passOf([2], [1, 2])]).toEqual([[2], [1]]);
	});

	test("counts up while it is taken and read again, and again", () => {
		const steps = ["a", "b", "c"].map((id) => ({ drafts: read(id, [1, 2]), takes: [id] }));
		expect(regretsOf(...steps)).toEqual([
			["b", 100, 1, 1],
			["c", 100, 2, 2],
		]);
	});
});

describe("no regret", () => {
	const first = { drafts: read("a", [1, 2, 3, 4]), takes: ["a"] };

	test("a result that comes twice", () => {
		const [, again] = read("a", [1, 2, 3, 4]);
		expect(regretsOf(first, { drafts: again ? [again] : [] })).toEqual([]);
	});

	test("what a run, an edit or a failure prints", () => {
		const lines = [1, 2, 3, 4];
		const run = use("bash", "b", lines, { path: "x" });
		const failed = [model(call("f", "read")), failure("f")];
		expect(regretsOf(first, { drafts: [...run, ...use("edit", "e", lines), ...failed] })).toEqual([]);
	});
});

const anyStep: fc.Arbitrary<readonly [lines: readonly number[], takesLast: boolean]> = fc.tuple(
	fc.uniqueArray(fc.nat({ max: 5 }), { maxLength: 4 }),
	fc.boolean(),
);

test("what comes later changes no regret of before, and none is larger than what was read", () => {
	fc.assert(
		fc.property(fc.array(anyStep, { maxLength: 12 }), (chosen) => {
			const steps = chosen.map(([lines, takesLast], at) => ({
				drafts: read(`r${at}`, lines),
				...(takesLast && { takes: [`r${at}`] }),
			}));
			const all = regretsOf(...steps);
			for (const end of steps.keys()) {
				const part = regretsOf(...steps.slice(0, end));
				expect(part).toEqual(all.slice(0, part.length));
				expect(all.slice(part.length).every(([id]) => Number(String(id).slice(1)) >= end)).toBe(true);
			}
			const passes = steps.filter(({ takes }) => takes).length;
			for (const [, tokens, pass, times] of all) {
				expect(tokens).toBeLessThanOrEqual(100);
				expect(pass).toBeGreaterThanOrEqual(1);
				expect(pass).toBeLessThanOrEqual(passes);
				expect(times).toBeGreaterThanOrEqual(1);
			}
		}),
	);
});
