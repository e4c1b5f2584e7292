import { expect, test } from "vitest";
import { damages, outline, useSessionFolder } from "../test-support/session-folder.ts";
import { makeTrajectory } from "./atif-writer.ts";

const { readDocument } = useSessionFolder();

const said = (text: string) => [{ type: "text", text }];
const wrap = (...steps: readonly unknown[]) => ({
	schema_version: "ATIF-v1.4",
	session_id: "s",
	agent: { name: "a", version: "1" },
	steps,
});

const args = { command: "ls" };
const call = (tool_call_id: string) => ({ tool_call_id, function_name: "bash", arguments: args });
/** A step of the agent, with its results. */
const agent = (step_id: number, message: unknown, results: readonly object[], fields = {}) => ({
	...{ step_id, source: "agent", message, observation: { results }, ...fields },
});

test("a step of the agent is a reply and the results of its calls", async () => {
	const looked = [
		{ source_call_id: "t1", content: "a.py" },
		{ source_call_id: "t2", content: said("b.py") },
	];
	const session = await readDocument(
		wrap(
			{ step_id: 1, source: "system", message: "You are" },
			{ step_id: 2, source: "user", message: "fix it", timestamp: "2026-01-02T03:04:05Z" },
			agent(3, said("Look."), looked, {
				reasoning_content: "where?",
				tool_calls: [call("t1"), call("t2")],
			}),
			{ step_id: 4, source: "system", message: "Checkpoint." },
			agent(5, "", [{ content: "c" }], { tool_calls: [call("t3")] }),
			agent(6, "Done.", [{ content: "All well." }]),
			{ step_id: 7, source: "ghost", message: "?" },
		),
	);
	expect(outline(session)).toEqual([
		"user: fix it",
		'assistant: (where?) | Look. | bash#t1 {"command":"ls"} | bash#t2 {"command":"ls"}',
		"toolResult: bash#t1 a.py",
		"toolResult: bash#t2 b.py",
		"custom: Checkpoint.",
		'assistant: bash#t3 {"command":"ls"}',
		"toolResult: bash#t3 c",
		"assistant: Done.",
		"custom: All well.",
	]);
	expect(session.format).toBe("atif");
	expect(damages(session)).toEqual(['#6 step of source "ghost": skipped']);
});

const message = (id: string, parentId: string | null, fields: object) => ({
	type: "message",
	id,
	parentId,
	message: fields,
});

test("what our own agent writes is read back", async () => {
	const content = [...said("Look."), { type: "toolCall", id: "t1", name: "bash", arguments: args }];
	const failed = { role: "toolResult", toolCallId: "t1", content: said("no"), isError: true };
	const trajectory = makeTrajectory(
		[
			{ type: "session", id: "s" },
			message("1", null, { role: "user", content: "fix it" }),
			message("2", "1", { role: "assistant", content }),
			message("3", "2", failed),
		],
		"1",
	);
	expect(outline(await readDocument(trajectory))).toEqual([
		"user: fix it",
		'assistant: Look. | bash#t1 {"command":"ls"}',
		"toolResult: bash#t1 failed no",
	]);
});

test("a session whose entries lead in a circle is read once around", () => {
	const of = (id: string, parentId: string) => message(id, parentId, { role: "user", content: id });
	const trajectory = makeTrajectory([{ type: "session", id: "s" }, of("1", "2"), of("2", "1")], "1");
	expect(trajectory.steps.map(({ message }) => message)).toEqual(["1", "2"]);
});
