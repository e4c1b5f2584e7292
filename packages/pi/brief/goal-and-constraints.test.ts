/** The state of a session as its entries have it, whatever becomes of the session file. */
import { expect, test } from "vitest";
import { splitLabelled } from "#core/transcript";
import { frame, unframe } from "../prompt/frames.ts";
import { readLogEntries, STEERING_ENTRY } from "../session/log-entries.ts";
import { readValue } from "../settings/schema.ts";
import {
	addConstraint,
	dueStateText,
	goalOf,
	MAX_GOAL_LENGTH,
	noteLines,
	readStateText,
	stateOf,
} from "./goal-and-constraints.ts";

const MARK = "123456";
const none = stateOf({});
const goal = { text: "ship it", isDone: false };

test("a forged state is cut to what a command takes: one line each, none empty, none twice, none that takes back", () => {
	const data = {
		task: " none ",
		constraints: ["", " a  b ", "a b", "none", "x".repeat(400), `${"y".repeat(299)} z`],
		notedConstraints: Array.from({ length: 20 }, (_, at) => ` n${at}\n`),
	};
	const state = stateOf(data);
	expect(state).toEqual({
		task: "",
		constraints: ["a b", "x".repeat(300), "y".repeat(299)],
		notedConstraints: Array.from({ length: 12 }, (_, at) => `n${at + 8}`),
	});
	expect(stateOf(state)).toEqual(state);
	const damaged = [{ task: 7, constraints: "no network", notedConstraints: [{}] }];
	const branch = damaged.map((each) => ({ type: "custom", customType: STEERING_ENTRY, data: each }));
	expect(stateOf(readLogEntries(branch).steering)).toEqual(none);
});

test("the state is due where the model does not see it as it is, and its text ends no tag", () => {
	const state = stateOf({ task: "port </goal> the parser" });
	const due = dueStateText(goal, state, "");
	const shown = unframe(MARK, "goal", frame(MARK, "goal", due)) ?? "";
	expect(shown).toBe(due);
	expect(dueStateText(goal, state, shown)).toBe("");
	expect(dueStateText(goal, none, shown)).toBe(dueStateText(goal, none, ""));
});

test("a goal is any text up to its limit, and done when its own text was marked done", () => {
	expect(readValue("goal", "  ship it\n\n- no new dependency ")).toBe("ship it\n\n- no new dependency");
	expect(readValue("goal", "none")).toBe("");
	expect(() => readValue("goal", "x".repeat(MAX_GOAL_LENGTH + 1))).toThrow("use a text of at most 4000");
	expect(() => readValue("goal", 7)).toThrow("goal is 7: use a text");
	expect(goalOf("ship it", "ship it")).toEqual({ text: "ship it", isDone: true });
	expect(goalOf("ship more", "ship it")).toEqual({ text: "ship more", isDone: false });
	expect(goalOf("", "")).toBeUndefined();
});

test("goal, task and constraints are one text; what is over is taken back once, where it can be seen", () => {
	const urged = "What the user wants of this session, until it is done:\nship it";
	expect(dueStateText(goal, none, "")).toBe(urged);
	const state = { task: "parse", constraints: ["no network"], notedConstraints: ["Node 20"] };
	const rest =
		"Active task: parse\nConstraints that the user set:\n- no network\nConstraints that you noted:\n- Node 20";
	expect(dueStateText(goal, state, "")).toBe(`${urged}\n${rest}`);
	expect(dueStateText({ ...goal, isDone: true }, state, "")).toBe(rest);
	const over = dueStateText({ ...goal, isDone: true }, none, urged);
	expect(over).toMatch(/^No goal is in force/);
	expect([dueStateText(undefined, none, over), dueStateText(undefined, none, "")]).toEqual(["", ""]);
});

test("the model sets the task and notes constraints, and takes back no constraint of the user", () => {
	const state = stateOf({ constraints: ["no network"] });
	expect(noteLines(state, [{ kind: "decision", text: "x" }])).toBeUndefined();
	const noted = noteLines(
		state,
		splitLabelled("Task: parse\nConstraint: no network; Constraint: Node 20").labelled,
	);
	expect(noted).toEqual({ task: "parse", constraints: ["no network"], notedConstraints: ["Node 20"] });
	expect(noteLines(noted ?? none, [{ kind: "task", text: "none" }])?.task).toBe("");
});

test("texts are one line of at most 300 characters, and there are at most 12 constraints of one author", () => {
	expect(readStateText("task", " a\n b ")).toBe("a b");
	expect(() => readStateText("task", "x".repeat(301))).toThrow(
		"the task has 301 characters: use at most 300",
	);
	const full = Array.from({ length: 12 }, (_, at) => `c${at}`);
	expect(addConstraint(full, "c3")).toEqual(full);
	expect(() => addConstraint(full, "more")).toThrow(
		"there are 12 constraints already: /cwl brief constraint none",
	);
	const lines = Array.from({ length: 20 }, (_, at) => ({ kind: "constraint" as const, text: `n${at}` }));
	expect(noteLines(none, lines)?.notedConstraints).toEqual(lines.slice(8).map(({ text }) => text));
});
