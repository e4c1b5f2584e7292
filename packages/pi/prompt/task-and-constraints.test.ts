import { expect, test } from "vitest";
import { goalText } from "./goal.ts";
import { addConstraint, noteLines, readStateText, stateOf, stateText } from "./task-and-constraints.ts";

const none = stateOf({});
const goal = { text: "ship it", isDone: false };

test("with a goal alone, the text is that of the goal; with nothing, nothing is said", () => {
	expect(stateText(goal, none, "")).toBe(goalText(goal, ""));
	expect(stateText(undefined, none, "")).toBe("");
	expect(stateText(undefined, none, "Active task: x")).toMatch(/^No goal is in force/);
});

test("task and constraints follow the goal, and those of the user stand apart from those of the model", () => {
	const state = { task: "parse", constraints: ["no network"], notedConstraints: ["Node 20"] };
	const rest =
		"Active task: parse\nConstraints that the user set:\n- no network\nConstraints that you noted:\n- Node 20";
	expect(stateText(goal, state, "")).toBe(`${goalText(goal, "")}\n${rest}`);
	expect(stateText({ ...goal, isDone: true }, state, "")).toBe(rest);
});

test("the model sets the task and notes constraints, and takes back no constraint of the user", () => {
	const state = stateOf({ constraints: ["no network"] });
	expect(noteLines(state, [{ kind: "decision", text: "x" }])).toBeUndefined();
	const noted = noteLines(state, [
		{ kind: "task", text: "parse" },
		{ kind: "constraint", text: "no network" },
		{ kind: "constraint", text: "Node 20" },
	]);
	expect(noted).toEqual({ task: "parse", constraints: ["no network"], notedConstraints: ["Node 20"] });
	expect(noteLines(noted ?? none, [{ kind: "task", text: "none" }])?.task).toBe("");
});

test("texts are one line of at most 300 characters, and there are at most 12 constraints of one author", () => {
	expect(readStateText("task", " a\n b ")).toBe("a b");
	expect(() => readStateText("task", "x".repeat(301))).toThrow(
		"the task has 301 characters: use at most 300",
	);
	const full = stateOf({ constraints: Array.from({ length: 12 }, (_, at) => `c${at}`) });
	expect(addConstraint(full, "c3")).toEqual(full.constraints);
	expect(() => addConstraint(full, "more")).toThrow("there are 12 constraints already: /cwl constraint none");
	const lines = Array.from({ length: 20 }, (_, at) => ({ kind: "constraint" as const, text: `n${at}` }));
	expect(noteLines(none, lines)?.notedConstraints).toEqual(lines.slice(8).map(({ text }) => text));
	expect(stateOf({ task: "a\nb", constraints: ["x".repeat(400)] })).toEqual({
		...{ task: "a b", constraints: ["x".repeat(300)], notedConstraints: [] },
	});
});
