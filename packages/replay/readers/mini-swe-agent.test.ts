import { expect, test } from "vitest";
import { damages, outline, useSessionFolder } from "../test-support/session-folder.ts";

const { readDocument } = useSessionFolder();

const wrap = (...messages: readonly unknown[]) => ({
	info: { model_stats: { api_calls: 1 }, mini_version: "2.0.0" },
	messages: [{ role: "system", content: "You are" }, { role: "user", content: "fix it" }, ...messages],
	trajectory_format: "mini-swe-agent-1.1",
});

test("a command in fenced text is a call of the shell, and the next turn tells what came of it", async () => {
	const session = await readDocument(
		wrap(
			{ role: "assistant", content: "Look.\n```bash\nls\n```", extra: { timestamp: 5 } },
			{ role: "user", content: "<returncode>1</returncode>\n<output>no</output>" },
			{ role: "assistant", content: "Which?\n```bash\na\n```\n```bash\nb\n```" },
			{ role: "user", content: "Exactly one command, please" },
			{ role: "user", content: "Stop that", extra: { interrupt_type: "UserInterruption" } },
			{ role: "exit", content: "submitted" },
			{ role: "oracle", content: "?" },
		),
	);
	expect(outline(session)).toEqual([
		"user: fix it",
		'assistant: Look.\n```bash\nls\n``` | bash#c2-0 {"command":"ls"}',
		"toolResult: bash#c2-0 failed <returncode>1</returncode>\n<output>no</output>",
		"assistant: Which?\n```bash\na\n```\n```bash\nb\n```",
		"custom: Exactly one command, please",
		"user: Stop that",
	]);
	// Time is counted in seconds.
	expect(session.messages[1]?.timestamp).toBe(5000);
	expect(damages(session)).toEqual(['#8 message of role "oracle": skipped']);
});

test("whole responses of the Responses API are replies", async () => {
	const output = [
		{ type: "reasoning", summary: [{ text: "where?" }] },
		{ type: "message", role: "assistant", content: [{ type: "output_text", text: "Look." }] },
		{ type: "function_call", call_id: "f1", name: "bash", arguments: '{"command":"ls"}' },
	];
	const session = await readDocument(
		wrap(
			{ object: "response", output },
			{ type: "function_call_output", call_id: "f1", output: "a.py", extra: { returncode: 0 } },
		),
	);
	expect(outline(session).slice(1)).toEqual([
		'assistant: (where?) | Look. | bash#f1 {"command":"ls"}',
		"toolResult: bash#f1 a.py",
	]);
});
