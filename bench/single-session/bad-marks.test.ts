import { expect, test } from "vitest";
import type { ModelRequest } from "#loopback";
import { readBadMarks, withBadMarks } from "./bad-marks.ts";
import { extensionSettings, parseConditions } from "./conditions.ts";
import { faults } from "./damage-marks.ts";

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

function marked(condition: string) {
	const { marks } = readBadMarks(condition);
	const { calls = [] } = withBadMarks(() => ({ calls: [start, read, end] }), marks)(request);
	return calls.map(({ name, arguments: { name: episode, type, dependencies, action } }) =>
		name === "read" ? name : [action, episode, type, dependencies].filter((field) => field !== undefined),
	);
}

test.each([
	["cwl-flipped-100", [["start", "do", "expl"], "read", ["end"]]],
	["cwl-dependencies-dropped-100", [["start", "do", "act", []], "read", ["end"]]],
	["cwl-dependencies-invented-100", [["start", "do", "act", ["find", "old"]], "read", ["end"]]],
	["cwl-never-ended-100", [["start", "do", "act", ["find"]], "read"]],
	["cwl-name-reused-100", [["start", "work", "act", ["find"]], "read", ["end"]]],
	["cwl-unmarked-100", ["read", ["end"]]],
	["cwl-unmarked-0", [["start", "do", "act", ["find"]], "read", ["end"]]],
	["cwl", [["start", "do", "act", ["find"]], "read", ["end"]]],
])("%s damages the marks, and no other call", (condition, calls) => {
	expect(marked(condition)).toEqual(calls);
});

test("a condition with bad marks is a condition of its own under the same policy", () => {
	for (const fault of faults) {
		const [condition] = parseConditions(`paper-${fault}-50`, [80_000]);
		expect(condition).toMatchObject({ name: `paper-${fault}-50-80k`, manager: "cwl" });
		expect(extensionSettings({ policy: `paper-${fault}-50` })).toMatchObject({
			policy: "paper",
			hasRecall: true,
		});
	}
	expect(extensionSettings({ policy: "cwl-economy-without-recall-flipped-20" })).toEqual({
		...{ policy: "cwl", lowWater: "economy", hasRecall: false },
	});
});
