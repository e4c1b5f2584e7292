import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { changesBetween } from "./recipes/recipe.ts";
import { ALL_TOOLS } from "./test-support/scratch-tools.ts";
import * as toolbox from "./toolbox.ts";

const { changeFile, occursOnce, readAction, spellAction } = toolbox;

const text = fc.string();
const actions: fc.Arbitrary<toolbox.Action> = fc.oneof(
	fc.record({ type: fc.constant("search" as const), pattern: text }),
	fc.record({ type: fc.constant("read" as const), path: text }),
	fc.record({ type: fc.constant("write" as const), path: fc.stringMatching(/^[\w/' .-]+$/), content: text }),
);
const offers = fc.subarray([...ALL_TOOLS]);

describe("spellAction", () => {
	it("spells an action so that it can be read back, whatever tools are offered", () => {
		fc.assert(
			fc.property(actions, offers, (action, tools) => {
				expect(readAction({ ...spellAction(action, tools), id: "c" })).toEqual(action);
			}),
		);
	});
});

/** Few different lines, so that most occur more than once. */
const files = fc.array(fc.constantFrom("a", "b", "}", "", "a b"), { minLength: 2, maxLength: 30 });

/** Applies edits like the edit tool, which looks every old text up in the original. */
function applyTogether(text: string, edits: readonly toolbox.Edit[]): string {
	let cursor = 0;
	let edited = "";
	for (const { oldText, newText } of edits) {
		const at = text.indexOf(oldText);
		edited += text.slice(cursor, at) + newText;
		cursor = at + oldText.length;
	}
	return edited + text.slice(cursor);
}

describe("changeFile", () => {
	it("makes edits that fit once each, and lead to the intended text", () => {
		fc.assert(
			fc.property(files, fc.infiniteStream(fc.boolean()), (lines, picks) => {
				const changes = lines.flatMap((line, index): toolbox.LineChange[] =>
					picks.next().value ? [{ start: index, end: index, lines: [`${line}!`] }] : [],
				);
				const text = lines.join("\n");
				const intended = lines.map((line, index) =>
					changes.some((it) => it.start === index) ? `${line}!` : line,
				);
				const action = changeFile("f", text, changes);
				for (const edit of action.edits) expect(occursOnce(text, edit.oldText)).toBe(true);
				expect(applyTogether(text, action.edits)).toBe(intended.join("\n"));
			}),
		);
	});

	it("makes an insertion that cannot be made twice", () => {
		const lines = ["{", '\t"a": 1', "}"];
		const action = changeFile(
			"f",
			lines.join("\n"),
			changesBetween(lines, lines.toSpliced(1, 0, '\t"b": 2,')),
		);
		const result = applyTogether(lines.join("\n"), action.edits);
		expect(action.edits.map((edit) => result.includes(edit.oldText))).toEqual([false]);
	});
});
