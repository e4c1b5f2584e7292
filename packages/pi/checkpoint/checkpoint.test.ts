import fc from "fast-check";
import { expect, test } from "vitest";
import { foldTranscript } from "#core/graph";
import * as draft from "../../core/test-support/message-builders.ts";
import { stateOf } from "../prompt/task-and-constraints.ts";
import { defaultToolTable } from "../tool-profiles.ts";
import { type Checkpoint, composeCheckpoint, startText } from "./checkpoint.ts";
import { formatCheckpoint, judgeCheckpoint } from "./checkpoint-file.ts";
import { describeGap } from "./rest-time.ts";

const explores = (name: string, description: string) => [
	draft.model(draft.startExpl(`${name} start`, name)),
	draft.result(`${name} start`, 1),
	draft.model(draft.end(`${name} end`, description)),
	draft.result(`${name} end`, 1),
];

function compose(descriptions: readonly string[], open?: string): Checkpoint {
	const drafts = descriptions.flatMap((description, at) => explores(`e${at}`, description));
	const begun = open === undefined ? [] : [draft.model(draft.startExpl("open", open)), draft.result("open")];
	const graph = foldTranscript(draft.build([draft.person(), ...drafts, ...begun]), defaultToolTable);
	return composeCheckpoint({
		...{ session: "s1", cwd: "/w", last: "m2", savedAt: "2026-11-22T00:00:00.000Z", graph },
		goal: { text: "ship it", isDone: false },
		state: stateOf({ task: "parse", constraints: ["no network"] }),
		manifest: new Map([["src/a.ts", "3:abc"]]),
	});
}

const expected = { session: "s1", cwd: "/w", messages: ["m1", "m2"] };
const judge = (data: unknown, more: Partial<typeof expected> = {}) => {
	const text = typeof data === "string" ? data : JSON.stringify(data);
	const loaded = judgeCheckpoint("/s.checkpoint.json", text, { ...expected, ...more });
	return loaded.type === "refused" ? loaded.reason : loaded.type;
};

test("a checkpoint has the marked lines once each, what was done later taken back, and what is in progress", () => {
	const checkpoint = compose(
		[
			"It is in a.ts.\nTo do: tests\nTo do: docs\nDecided: no network",
			"Done: Docs.\nOpen: why?\nTo do: tests",
		],
		"look",
	);
	expect(checkpoint).toMatchObject({
		...{ goal: "ship it", current: { task: "parse", episodes: ["look"] }, doneBefore: 0 },
		done: [
			{ name: "e0", kind: "expl" },
			{ name: "e1", kind: "expl" },
		],
		...{ todo: ["tests"], decisions: ["no network"], openIssues: ["why?"] },
		...{ constraints: { user: ["no network"], noted: [] }, artifacts: { "src/a.ts": "3:abc" } },
	});
	expect(startText(checkpoint)).toBe(
		"In progress when it ended, so not finished:\n- look\nTo do, not begun:\n- tests\nDecided:\n- no network\nOpen issues:\n- why?",
	);
	expect(startText(compose(["nothing marked"]))).toBe("");
	expect(formatCheckpoint(checkpoint)).toContain("## To do\n\n- tests\n\n## Decisions\n\n- no network\n");
});

test("whatever the descriptions are, a checkpoint is bounded, reads back as it is, and is the same again", () => {
	const word = fc.constantFrom(
		"To do: ",
		"Done: ",
		"Decided: ",
		"Open: ",
		"\n",
		"x".repeat(3_000),
		"\u202e",
		'"}',
		"a",
	);
	const description = fc.array(word, { minLength: 1, maxLength: 12 }).map((words) => `.${words.join("")}`);
	fc.assert(
		fc.property(fc.array(description, { maxLength: 60 }), (descriptions) => {
			const checkpoint = compose(descriptions);
			expect(compose(descriptions)).toEqual(checkpoint);
			const text = JSON.stringify(checkpoint);
			expect(judgeCheckpoint("f", text, expected)).toEqual({ type: "loaded", checkpoint });
			expect(checkpoint.done.length).toBeLessThanOrEqual(40);
			expect(checkpoint.done.length + checkpoint.doneBefore).toBe(descriptions.length);
		}),
	);
});

test("damaged, foreign, newer, stale and orphaned files are refused, with file, key, value and remedy", () => {
	const checkpoint = compose(["x"]);
	expect(judge(checkpoint)).toBe("loaded");
	expect(judge("{")).toMatch(/^\/s\.checkpoint\.json: not valid JSON \(.*\); mend it, or remove the file/);
	expect(judge({ a: 1 })).toContain('format is missing, not "cwl-checkpoint"; it is another program\'s file');
	expect(judge([])).toContain('format is [], not "cwl-checkpoint"');
	expect(judge({ ...checkpoint, version: 7 })).toContain(
		"version is 7, and this cwl reads up to 1; a newer cwl",
	);
	expect(judge({ ...checkpoint, todo: ["a", 3] })).toContain('"todo.1" is 3: it must be a string; mend it');
	expect(judge({ ...checkpoint, todo: 3 })).toContain('"todo" is 3: it must be an array; mend it');
	expect(judge({ ...checkpoint, todos: [] })).toContain(
		'"todos" is []: it is no key of a checkpoint; mend it',
	);
	expect(judge({ ...checkpoint, artifacts: { a: "?" } })).toContain('"artifacts.a" is "?"');
	expect(judge(checkpoint, { session: "s2" })).toContain('session is "s1", not "s2"');
	expect(judge(checkpoint, { cwd: "/other" })).toContain(
		'cwd is "/w", not "/other"; it belongs to another folder',
	);
	expect(judge(checkpoint, { messages: ["m1"] })).toContain('last is "m2", which is not on this branch');
	expect(judge(checkpoint, { messages: ["m2", "m3", "m4"] })).toContain(
		'stale: the session has 2 messages after "m2"',
	);
});

test("a rest of twelve hours is long, and one that cannot be known is none", () => {
	const now = Date.parse("2026-11-22T12:00:00Z");
	expect(describeGap("2026-11-22T00:00:01Z", now)).toBeUndefined();
	expect(describeGap("2026-11-22T00:00:00Z", now)).toBe("12 hours");
	expect(describeGap("2026-11-19T00:00:00Z", now)).toBe("3 days");
	expect(describeGap(undefined, now)).toBeUndefined();
	expect(describeGap("soon", now)).toBeUndefined();
});
