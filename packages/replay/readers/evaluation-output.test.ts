import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { scratchFolder } from "../../workspace/test-support/scratch.ts";
import { reportWith, underBudget } from "../test-support/replay-run.ts";
import { damages, outline } from "../test-support/session-folder.ts";
import type { RecordedSession } from "./recorded-session.ts";
import { readSession } from "./registry.ts";
import { findSessionFiles } from "./session-files.ts";

type Fields = Readonly<Record<string, unknown>>;

const task = { id: 0, source: "user", action: "message", args: { content: "fix it" } };
const run = { id: 1, source: "agent", action: "run", args: { command: "ls", thought: "Look." } };
const shown = { id: 2, cause: 1, observation: "run", content: "a.py", extras: { exit_code: 0 } };
const nothing = { observation: "null", content: "", extras: {} };

const told = ["user: fix it", 'assistant: Look. | run#c1 {"command":"ls"}', "toolResult: run#c1 a.py"];

function record(instance_id: string, history: unknown): Fields {
	return { instance_id, test_result: { git_patch: "diff" }, instruction: "fix it", history, metrics: {} };
}

const folder = scratchFolder();

async function writeOutput(...lines: readonly unknown[]): Promise<string> {
	const path = join(folder, "output.jsonl");
	const texts = lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line)));
	await writeFile(path, texts.join("\n"));
	return path;
}

/** The sessions of a file, by their names. */
async function readAll(path: string): Promise<ReadonlyMap<string | undefined, RecordedSession>> {
	const sessions = new Map<string | undefined, RecordedSession>();
	for (const { path: file, line } of (await findSessionFiles([path])).places) {
		sessions.set(line?.name, await readSession(file, line));
	}
	return sessions;
}

const events = [task, run, shown];

test("each line of an evaluation is a session, whether it holds events or pairs of them", async () => {
	const pairs = [
		[task, nothing],
		[run, shown],
	];
	const sessions = await readAll(await writeOutput(record("a__a-1", events), record("b__b-2", pairs)));
	expect([...sessions.keys()]).toEqual(["a__a-1", "b__b-2"]);
	expect(outline(sessions.get("a__a-1") ?? { messages: [] })).toEqual(told);
	// Of a pair the place counts in the list as it is told here: the action is the third event.
	expect(outline(sessions.get("b__b-2") ?? { messages: [] })).toEqual(
		told.map((line) => line.replace("#c1", "#c2")),
	);
	expect(sessions.get("b__b-2")).toMatchObject({ format: "openhands", damage: [] });
});

test("an evaluation of one line, and one of the agent SDK, are read alike", async () => {
	const message = { kind: "MessageEvent", source: "user", llm_message: { role: "user", content: "fix it" } };
	const sessions = await readAll(await writeOutput(record("only", [message])));
	expect(sessions.get("only")).toMatchObject({ format: "openhands-sdk", messages: [{ role: "user" }] });
});

test("what is damaged inside of a line is told by line and event", async () => {
	const sessions = await readAll(await writeOutput(record("a", events), record("b", [...events, "?"])));
	const session = sessions.get("b");
	expect(session && damages(session)).toEqual(["#3 no JSON object: skipped"]);
	expect(session?.damage[0]?.place).toMatch(/output\.jsonl:2#3$/);
});

test("lines without a session are counted as damage, and the others are replayed", async () => {
	const failed = { ...record("failed", null), error: "no container" };
	const path = await writeOutput(failed, record("x/1", events), "", "{cut", record("x/1", events));
	const report = await reportWith({ paths: [path], arms: underBudget("none") });
	expect(report.damage).toEqual([
		{ place: `${path}:1`, reason: "no session of events: skipped" },
		{ place: `${path}:4`, reason: "no JSON object: skipped" },
	]);
	expect(report).toMatchObject({ problems: [], sessions: { replayed: 2, formats: { openhands: 2 } } });
	expect(report.policies[0]?.bySession.map(({ session }) => session)).toEqual(["x-1", "x-1~2"]);
});

const speaking = { role: "user", content: '{"instance_id": "a"}', timestamp: 1 };

test.each([
	[["a", "b"].map((instance_id) => ({ instance_id, messages: events }))],
	[["a", "b"].map((instance_id) => ({ instance_id, steps: events }))],
	[
		[
			{ type: "session", id: "s" },
			{ type: "message", message: speaking },
		],
	],
])("lines that only speak of an instance, or hold no events, are no evaluation: %j", async (lines) => {
	const path = await writeOutput(...lines);
	expect((await findSessionFiles([path])).places).toEqual([{ path }]);
});
