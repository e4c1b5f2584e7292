import { expect, test } from "vitest";
import { readValue } from "../settings/schema.ts";
import { goalOf, goalText, MAX_GOAL_LENGTH } from "./goal.ts";

test("a goal is any text up to its limit, without the white space around it", () => {
	expect(readValue("goal", "  ship it\n\n- no new dependency ")).toBe("ship it\n\n- no new dependency");
	expect(readValue("goal", "x".repeat(MAX_GOAL_LENGTH))).toHaveLength(MAX_GOAL_LENGTH);
	expect(readValue("goal", " ")).toBe("");
	expect(() => readValue("goal", "x".repeat(MAX_GOAL_LENGTH + 1))).toThrow(
		`use a text of at most ${MAX_GOAL_LENGTH} characters`,
	);
	expect(() => readValue("goal", 7)).toThrow("goal is 7: use a text");
});

test("a goal is done when its own text was marked done", () => {
	expect(goalOf("ship it", undefined)).toEqual({ text: "ship it", isDone: false });
	expect(goalOf("ship it", "ship it")).toEqual({ text: "ship it", isDone: true });
	expect(goalOf("ship more", "ship it")).toEqual({ text: "ship more", isDone: false });
	expect(goalOf("", "")).toBeUndefined();
});

test("a goal in force is urged; one that is over is taken back once, where it can be seen", () => {
	const urged = goalText({ text: "ship it", isDone: false }, "");
	expect(urged).toContain("ship it");
	expect(goalText({ text: "ship it", isDone: false }, urged)).toBe(urged);
	const over = goalText({ text: "ship it", isDone: true }, urged);
	expect(over).not.toContain("ship it");
	expect(goalText(undefined, over)).toBe(over);
	expect(goalText(undefined, "")).toBe("");
});
