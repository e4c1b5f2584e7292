import { expect, test } from "vitest";
import { addMissedEdits, countMissedEdits } from "./missed-edits.ts";

const output = {
	role: "toolResult" as const,
	...{ toolCallId: "r", toolName: "read", content: [], isError: false, timestamp: 1 },
};
const history = [output, { role: "user" as const, content: "a plan", timestamp: 2 }];

function missed(message: number, isCross: boolean, kind: "edit" | "path" = "edit") {
	const need = { kind, isCross, sources: [{ message, block: 0 }], queries: [] };
	return { need, isKept: false, isRecallable: true };
}

test("edits that miss their text count by the tool that showed it last, its size and its age", () => {
	const needs = [missed(0, true), missed(0, false), missed(1, false), missed(0, true, "path")];
	const kept = { ...missed(0, true), isKept: true };
	expect(countMissedEdits([...needs, kept], history, (message) => [message === output ? 3_000 : 20])).toEqual(
		{
			read: { missed: 2, large: 2, acrossTasks: 1 },
			user: { missed: 1, large: 0, acrossTasks: 0 },
		},
	);
});

test("counts of several requests add up", () => {
	const one = { read: { missed: 1, large: 0, acrossTasks: 1 } };
	expect(addMissedEdits(one, { ...one, bash: { missed: 1, large: 1, acrossTasks: 0 } })).toEqual({
		read: { missed: 2, large: 0, acrossTasks: 2 },
		bash: { missed: 1, large: 1, acrossTasks: 0 },
	});
});
