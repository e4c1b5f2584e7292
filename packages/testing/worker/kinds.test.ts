import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { kindOf, parseAssignment, phraseAssignment, surroundWithChatter } from "./kinds.ts";
import { createRandom } from "./random.ts";
import { LINKED_ROUND, makeHardTasks, makeTasks } from "./tasks/index.ts";

describe("a prompt", () => {
	it("is parsed back to its assignment, in every wording and with any chatter around it", () => {
		fc.assert(
			fc.property(fc.nat(), (seed) => {
				const tasks = [
					...makeTasks(seed, LINKED_ROUND.length, LINKED_ROUND),
					...makeHardTasks(seed, 40, { low: 1, high: 9 }),
				];
				for (const { id, prompt } of tasks) {
					const assignment = parseAssignment(prompt);
					expect(id).toContain(`-${assignment && (kindOf(assignment).id ?? assignment.type)}`);
					for (const wording of assignment ? phraseAssignment(assignment) : []) {
						const surrounded = surroundWithChatter(createRandom(seed), wording);
						expect(parseAssignment(surrounded)).toEqual(assignment);
					}
				}
			}),
			{ numRuns: 20 },
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
