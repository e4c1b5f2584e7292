import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ALL_TOOLS } from "./test-support/scratch-tools.ts";
import { type Action, readAction, spellAction } from "./toolbox.ts";

const text = fc.string();
const actions: fc.Arbitrary<Action> = fc.oneof(
	fc.record({ type: fc.constant("search" as const), pattern: text }),
	fc.record({ type: fc.constant("read" as const), path: text }),
	fc.record({ type: fc.constant("write" as const), path: fc.stringMatching(/^[\w/' .-]+$/), content: text }),
);
const offers = fc.subarray([...ALL_TOOLS]);

describe("spellAction", () => {
	it("spells an action so that it can be read back, whatever tools are offered", () => {
		fc.assert(
			fc.property(actions, offers, (action, tools) => {
				const calls = spellAction(action, tools);
				expect(calls.map((call) => readAction({ ...call, id: "c" }))).toEqual([action]);
			}),
		);
	});

	it("uses only offered tools and bash", () => {
		fc.assert(
			fc.property(actions, offers, (action, tools) => {
				const names = new Set(["bash", ...tools.map((tool) => tool.name)]);
				for (const call of spellAction(action, tools)) expect(names).toContain(call.name);
			}),
		);
	});

	it("spells several edits as one call each for an edit tool that takes one edit", () => {
		const edits = [
			{ oldText: "a", newText: "b" },
			{ oldText: "c", newText: "d" },
		];
		const tool = { name: "edit", description: "", parameters: { properties: { oldText: {}, newText: {} } } };
		const calls = spellAction({ type: "change", path: "f", edits, result: "" }, [tool]);
		expect(calls.map((call) => call.arguments)).toEqual(edits.map((edit) => ({ path: "f", ...edit })));
	});
});
