import { expect, test } from "vitest";
import { outline, useSessionFolder } from "../test-support/session-folder.ts";
import { makeTrajectory } from "./atif-writer.ts";

const { readDocument } = useSessionFolder();

const said = (text: string) => [{ type: "text", text }];
const args = { command: "ls" };
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
