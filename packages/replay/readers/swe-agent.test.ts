import { expect, test } from "vitest";
import { damages, outline, useSessionFolder } from "../test-support/session-folder.ts";

const { readDocument } = useSessionFolder();

const step = (action: string, observation: string) => ({ action, observation, thought: "Well." });

test("an action in text is a call of the command that it begins with, and the next turn tells what came of it", async () => {
	const session = await readDocument({
		environment: "swe_main",
		trajectory: [step("ls", "a.py")],
		history: [
			{ role: "system", content: "You are", agent: "main" },
			{ role: "user", content: "Here is a demonstration", is_demo: true },
			{ role: "user", content: "fix it" },
			{ role: "assistant", content: "Look.\n```\nls -F\n```", thought: "Look.", action: "ls -F" },
			{ role: "user", content: "a.py" },
			{ role: "assistant", content: "Open.\n```\nopen a.py\n```", thought: "Open.", action: "open a.py\n" },
			{ role: "user", content: [{ type: "text", text: "[File: a.py]", cache_control: {} }] },
			{ role: "assistant", content: "I am lost.", thought: "I am lost.", action: "" },
			{ role: "user", content: "Your output was not formatted" },
			{ role: "oracle", content: "?" },
		],
	});
	expect(outline(session)).toEqual([
		"custom: Here is a demonstration",
		"user: fix it",
		'assistant: Look. | bash#c3 {"command":"ls -F"}',
		"toolResult: bash#c3 a.py",
		'assistant: Open. | open#c5 {"command":"open a.py\\n"}',
		"toolResult: open#c5 [File: a.py]",
		"assistant: I am lost.",
		"custom: Your output was not formatted",
	]);
	expect(session.format).toBe("swe-agent");
	expect(damages(session)).toEqual(['#9 message of role "oracle": skipped']);
});

const bash = (id: string) => ({ id, function: { name: "bash", arguments: "{}" } });

test.each<[string, readonly unknown[], readonly string[]]>([
	[
		"a fenced block is no call without an action",
		[
			{ role: "assistant", content: "So:\n```bash\nls\n```" },
			{ role: "user", content: "no" },
		],
		["assistant: So:\n```bash\nls\n```", "custom: no"],
	],
	[
		"a turn ends the calls of a reply",
		[
			{ role: "assistant", content: "", tool_calls: [bash("t1"), bash("t2")] },
			...["one", "two"].map((content) => ({ role: "user", content })),
		],
		["assistant: bash#t1 {} | bash#t2 {}", "toolResult: bash#t1 one", "custom: two"],
	],
])("%s", async (_, messages, told) => {
	const session = await readDocument({
		history: [{ role: "user", content: "fix it", agent: "main" }, ...messages],
	});
	expect(outline(session).slice(1)).toEqual(told);
	expect(session.damage).toEqual([]);
});

test("without a history the steps are read", async () => {
	const session = await readDocument({
		trajectory: [step("ls", "a.py"), step("submit", ""), { thought: "Hm." }],
		info: {},
	});
	expect(outline(session)).toEqual([
		'assistant: Well. | bash#c0 {"command":"ls"}',
		"toolResult: bash#c0 a.py",
		'assistant: Well. | submit#c1 {"command":"submit"}',
		"toolResult: submit#c1 ",
		"assistant: Hm.",
	]);
});
