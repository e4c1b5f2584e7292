import { describe, expect, it } from "vitest";
import type { ModelMessage } from "../model.ts";
import { phraseAssignment } from "./phrasing.ts";
import { exchange, RECALL } from "./test-support/exchange.ts";
import { ALL_TOOLS } from "./test-support/scratch-tools.ts";
import { recalledFile } from "./visible.ts";
import { createWorker, type WorkerOptions } from "./worker.ts";

const LINE =
	'[expl "find-retries-1", evicted 2.1k: core/retry.ts:1-240, core/main.ts; recall "find-retries-1"]';
const FILE = "export const MAX_RETRIES = 3;\nexport const DELAY = 10;";

function page(...entries: readonly (readonly [label: string, text: string])[]): string {
	const body = entries.map(([label, text]) => `--- "find#3", 2 user turns ago, ${label}\n${text}`);
	return ['recall "core/retry.ts": 1 call on this file, newest first.', ...body, "---"].join("\n");
}

const read = 'read {"path":"src/core/retry.ts"} result, lines 1-2 of 2';

const prompt = phraseAssignment({ type: "constant", name: "MAX_RETRIES", value: 5 })[0] ?? "";
const begun: readonly ModelMessage[] = [
	{ type: "user", text: LINE },
	{ type: "user", text: prompt },
	...exchange(
		{ name: "grep", arguments: { pattern: "\\bMAX_RETRIES\\b" } },
		"src/core/retry.ts:1: export const MAX_RETRIES = 3;",
	),
];

function nextCall(messages: readonly ModelMessage[], options: WorkerOptions, tools = [...ALL_TOOLS, RECALL]) {
	const reply = createWorker(options)({ system: "", tools, messages });
	return (reply.calls ?? []).filter(({ name }) => name !== "delimiter")[0];
}

describe("a worker that needs a file that left the context", () => {
	const recalls: WorkerOptions = { repairsBy: "recall" };

	it("reads it again unless it is told to recall", () => {
		expect(nextCall(begun, {})).toMatchObject({ name: "read", arguments: { path: "src/core/retry.ts" } });
	});

	it("recalls the lines that the line about it names", () => {
		const call = nextCall(begun, recalls);
		expect(call).toMatchObject({ name: "recall", arguments: { query: "core/retry.ts:1-240" } });
	});

	it("reads where no line names the file, or without the tool", () => {
		expect(nextCall(begun.slice(1), recalls)?.name).toBe("read");
		expect(nextCall(begun, recalls, [...ALL_TOOLS])?.name).toBe("read");
	});

	it("works with what the recall gave back, and reads where that is no use", () => {
		const asked = { query: "core/retry.ts:1-240" };
		const helped = [...begun, ...exchange({ name: "recall", arguments: asked }, page([read, FILE]))];
		expect(["read", "recall"]).not.toContain(nextCall(helped, recalls)?.name);
		const useless = [
			...begun,
			...exchange({ name: "recall", arguments: asked }, 'recall "core/retry.ts:1-240": unknown.'),
		];
		expect(nextCall(useless, recalls)?.name).toBe("read");
	});
});

describe("a file on a page of a recall", () => {
	it("is the newest whole read of it", () => {
		expect(recalledFile(page([read, FILE], [read, "older"]))).toEqual({
			path: "src/core/retry.ts",
			text: FILE,
		});
		const skim = 'read {"path":"src/core/retry.ts","limit":1} result, lines 1-1 of 1';
		expect(recalledFile(page([skim, "x"], [read, FILE]))?.text).toBe(FILE);
	});

	it("is not trusted behind a change, in part, or with calls that are still in the context", () => {
		expect(
			recalledFile(page(['edit {"path":"src/core/retry.ts"} result, lines 1-1 of 1', "ok"], [read, FILE])),
		).toBe(undefined);
		expect(recalledFile(page(['read {"path":"a"} result, lines 1-2 of 9', FILE]))).toBe(undefined);
		const visible = page([read, FILE]).replace("\n", "\nStill in context above, so not repeated: x.\n");
		expect(recalledFile(visible)).toBe(undefined);
		expect(recalledFile("---")).toBe(undefined);
	});
});
