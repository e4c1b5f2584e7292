import { expect, test } from "vitest";
import type { ModelRequest } from "#testing";
import { faults, withBadMarks } from "./bad-marks.ts";
import { parseConditions, readSettings } from "./conditions.ts";

const names = (list: string, budgets: string) =>
	parseConditions(list, budgets).map(({ name, mode, manager }) => `${name} ${mode} ${manager}`);

test("each policy comes once per budget, and a policy without a budget comes once", () => {
	expect(names("isolated,cwl,cwl,none,compaction", "80k,20k")).toEqual([
		"isolated isolated cwl",
		"cwl-80k single cwl",
		"cwl-20k single cwl",
		"none single replay",
		"compaction-80k single pi",
		"compaction-20k single pi",
	]);
});

test("a condition can have a budget of its own, the automatic one too", () => {
	const [automatic, fixed, full] = parseConditions("cwl@auto,compaction@40k,compaction-full", "80k");
	expect(automatic).toMatchObject({ name: "cwl-auto", isAuto: true, budget: 160_000 });
	expect(fixed).toMatchObject({ name: "compaction-40k", isAuto: false, budget: 40_000, manager: "pi" });
	expect(full).toMatchObject({ name: "compaction-full-80k", manager: "pi" });
	expect(() => parseConditions("cwl@much", "80k")).toThrow(/budget is "much"/);
});

test("an unknown policy names the known ones", () => {
	expect(() => names("oracle", "80k")).toThrow(/use one or more of none, window/);
});

test("the name of a policy of the extension holds its settings", () => {
	const plain = { policy: "cwl", lowWater: "balanced", hasRecall: true, hasMarks: true, marks: undefined };
	expect(readSettings("cwl")).toEqual(plain);
	expect(readSettings("cwl-without-marks")).toEqual({ ...plain, hasMarks: false });
	expect(readSettings("cwl-quality")).toEqual({ ...plain, lowWater: "quality" });
	expect(readSettings("cwl-economy-without-recall-flipped-20")).toEqual({
		...plain,
		...{ lowWater: "economy", hasRecall: false, marks: { fault: "flipped", share: 20 } },
	});
	for (const fault of faults)
		expect(readSettings(`paper-${fault}-50`)).toEqual({
			...plain,
			policy: "paper",
			marks: { fault, share: 50 },
		});
});

const request: ModelRequest = {
	...{ system: "", tools: [] },
	messages: [
		{
			...{ type: "assistant", thinking: "", text: "" },
			calls: [{ id: "1", name: "delimiter", arguments: { action: "start", name: "old", type: "expl" } }],
		},
	],
};
const start = {
	name: "delimiter",
	arguments: { action: "start", name: "do", type: "act", dependencies: ["find"] },
};
const end = { name: "delimiter", arguments: { action: "end" } };
const read = { name: "read", arguments: { path: "a" } };

test.each([
	["cwl-flipped-100", [["start", "do", "expl"], "read", ["end"]]],
	["cwl-dependencies-dropped-100", [["start", "do", "act", []], "read", ["end"]]],
	["cwl-dependencies-invented-100", [["start", "do", "act", ["find", "old"]], "read", ["end"]]],
	["cwl-never-ended-100", [["start", "do", "act", ["find"]], "read"]],
	["cwl-name-reused-100", [["start", "work", "act", ["find"]], "read", ["end"]]],
	["cwl-unmarked-100", ["read", ["end"]]],
	["cwl-unmarked-0", [["start", "do", "act", ["find"]], "read", ["end"]]],
	["cwl", [["start", "do", "act", ["find"]], "read", ["end"]]],
])("%s damages the marks, and no other call", (condition, expected) => {
	const { marks } = readSettings(condition);
	const { calls = [] } = withBadMarks(() => ({ calls: [start, read, end] }), marks)(request);
	const marked = calls.map(({ name, arguments: { name: episode, type, dependencies, action } }) =>
		name === "read" ? name : [action, episode, type, dependencies].filter((field) => field !== undefined),
	);
	expect(marked).toEqual(expected);
});
