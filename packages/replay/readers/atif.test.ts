import { expect, test } from "vitest";
import { damages, outline, useSessionFolder } from "../test-support/session-folder.ts";
import { makeTrajectory } from "./atif-writer.ts";

const { readDocument } = useSessionFolder();

const wrap = (...steps: readonly unknown[]) => ({
	schema_version: "ATIF-v1.4",
	session_id: "s",
	agent: { name: "a", version: "1" },
	steps,
});

const call = (tool_call_id: string) => ({
	tool_call_id,
	function_name: "bash",
	arguments: { command: "ls" },
});

test("a step of the agent is a reply and the results of its calls", async () => {
	const session = await readDocument(
		wrap(
			{ step_id: 1, source: "system", message: "You are" },
			{ step_id: 2, source: "user", message: "fix it", timestamp: "2026-01-02T03:04:05Z" },
			{
				step_id: 3,
				source: "agent",
				message: [{ type: "text", text: "Look." }],
				reasoning_content: "where?",
				tool_calls: [call("t1"), call("t2")],
				observation: {
					results: [
						{ source_call_id: "t1", content: "a.py" },
						{ source_call_id: "t2", content: [{ type: "text", text: "b.py" }] },
					],
				},
			},
			{ step_id: 4, source: "system", message: "Checkpoint." },
			{
				step_id: 5,
				source: "agent",
				message: "",
				tool_calls: [call("t3")],
				observation: { results: [{ content: "c" }] },
			},
			{ step_id: 6, source: "agent", message: "Done.", observation: { results: [{ content: "All well." }] } },
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

test("what our own agent writes is read back", async () => {
	const message = (id: string, parentId: string | null, fields: object) => ({
		type: "message",
		id,
		parentId,
		message: fields,
	});
	const content = [
		{ type: "text", text: "Look." },
		{ type: "toolCall", id: "t1", name: "bash", arguments: { command: "ls" } },
	];
	const failed = {
		role: "toolResult",
		toolCallId: "t1",
		content: [{ type: "text", text: "no" }],
		isError: true,
	};
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
	const said = (id: string, parentId: string) => ({
		...{ type: "message", id, parentId },
		message: { role: "user", content: id },
	});
	const trajectory = makeTrajectory([{ type: "session", id: "s" }, said("1", "2"), said("2", "1")], "1");
	expect(trajectory.steps.map(({ message }) => message)).toEqual(["1", "2"]);
});
