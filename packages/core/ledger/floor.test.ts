import { expect, test } from "vitest";
import { foldTranscript } from "../graph/fold.ts";
import { viewOfLog } from "../log/view.ts";
import { tokensBeforeCut } from "../planning/pass-effect.ts";
import { project } from "../projection/projection.ts";
import { build, model, note, person, text } from "../test-support/message-builders.ts";
import { passWith } from "../test-support/passes.ts";
import { testTools } from "../test-support/tools.ts";
import { computeLedger, measureFloor } from "./ledger.ts";

const drafts = [
	person(100),
	note(20),
	model(text(50)),
	person(300),
	model(text(50)),
	person(10),
	model(text(5)),
];
const graph = foldTranscript(build(drafts), testTools);
const fixed = { system: 7, tools: 3 };

/** The person lets go of 80 of the first message's tokens and 250 of the second's. */
const release = (item: string, tokens: number) => ({ item, head: 1, tail: 1, mark: "...", tokens });
const pass = passWith({ releases: [release("0.0", 80), release("3.0", 250)] });
const view = viewOfLog([pass]);

test("the floor is what no pass may take", () => {
	expect(measureFloor({ graph, view: viewOfLog([]), fixed, budget: 10_000 })).toEqual({
		tokens: 440,
		written: 410,
		isHeavy: false,
	});
});

test("it is heavy once what people wrote passes a third of the budget", () => {
	const isHeavy = (budget: number) => measureFloor({ graph, view: viewOfLog([]), fixed, budget }).isHeavy;
	expect(isHeavy(410 * 3)).toBe(false);
	expect(isHeavy(410 * 3 - 1)).toBe(true);
});

test("what people released leaves floor, ledger and projection; a second release of the same changes nothing", () => {
	expect(measureFloor({ graph, view, fixed, budget: 10_000 })).toMatchObject({ tokens: 110, written: 80 });
	expect(computeLedger(graph, view, fixed)).toMatchObject({ prologue: 40, user: 60 });
	expect(project(graph, view).filter(({ type }) => type === "cut")).toEqual([
		{ type: "cut", message: 0, release: release("0.0", 80) },
		{ type: "cut", message: 3, release: release("3.0", 250) },
	]);
	const again = viewOfLog([pass, { ...pass, releases: [release("0.0", 90)] }]);
	expect(project(graph, again)).toEqual(project(graph, view));
});

test("a release breaks the provider's prefix where the first released message stands", () => {
	const second = { ...pass, releases: [release("3.0", 250)] };
	expect(tokensBeforeCut(graph, viewOfLog([second]), second)).toBe(170);
	const after = viewOfLog([pass, second]);
	expect(tokensBeforeCut(graph, after, { ...second, releases: [release("5.0", 5)] })).toBe(40 + 50 + 50 + 50);
});
