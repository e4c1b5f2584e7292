import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Assignment, parseAssignment, phraseAssignment, surroundWithChatter } from "./phrasing.ts";
import { createRandom } from "./random.ts";

const name = fc.stringMatching(/^[A-Za-z][A-Za-z0-9_]{0,20}$/);
const path = fc.stringMatching(/^[a-z]{1,8}\/[a-z-]{1,12}\.(ts|md|json)$/);
const description = fc.stringMatching(/^[a-z]{1,9}( [a-z]{1,9}){1,5}$/);
const folders = fc.array(fc.stringMatching(/^[a-z]{4,8}(\/[a-z-]{1,12})?$/), { minLength: 1, maxLength: 3 });
const operator = fc.constantFrom("<", "<=", ">", ">=");
const value = fc.nat();

const assignments: fc.Arbitrary<Assignment> = fc.oneof(
	fc.record({ type: fc.constant("constant" as const), name, value }),
	fc.record({ type: fc.constant("bug" as const), name, wrong: operator, right: operator }),
	fc.record({ type: fc.constant("rename" as const), from: name, to: name, folders }),
	fc.record({ type: fc.constant("formerly" as const), old: name, to: name, folders }),
	fc.record({ type: fc.constant("undo" as const), name }),
	fc.record({
		type: fc.constant("option" as const),
		option: name,
		value,
		config: path,
		settingsType: name,
		name,
		local: name,
	}),
	fc.record({ type: fc.constant("introduce" as const), description, value, path }),
	fc.record({ type: fc.constant("adjust" as const), description, value }),
	fc.record({ type: fc.constant("match" as const), description, model: description }),
	fc.record({
		type: fc.constant("question" as const),
		name,
		fact: fc.constantFrom("value" as const, "file" as const),
		notes: path,
	}),
	fc.record({ type: fc.constant("reuse" as const), noted: name, name }),
);

describe("a prompt", () => {
	it("is parsed back to its assignment, in every wording and with any chatter around it", () => {
		fc.assert(
			fc.property(assignments, fc.nat(), (assignment, seed) => {
				for (const wording of phraseAssignment(assignment)) {
					const prompt = surroundWithChatter(createRandom(seed), wording);
					expect(parseAssignment(prompt)).toEqual(assignment);
				}
			}),
		);
	});

	it("holds no task if it is only chatter", () => {
		fc.assert(
			fc.property(fc.nat(), (seed) => {
				expect(parseAssignment(surroundWithChatter(createRandom(seed), ""))).toBeUndefined();
			}),
		);
	});
});
