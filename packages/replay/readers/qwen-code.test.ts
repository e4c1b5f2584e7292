import { expect, test } from "vitest";
import { damages, outline, useSessionFolder } from "../test-support/session-folder.ts";

const { readLines } = useSessionFolder();

type Fields = Readonly<Record<string, unknown>>;

function entry(
	uuid: string,
	parentUuid: string | null,
	type: string,
	parts: readonly Fields[],
	fields: Fields = {},
) {
	const message = { role: type === "assistant" ? "model" : "user", parts };
	return {
		uuid,
		parentUuid,
		sessionId: "s",
		cwd: "/w",
		timestamp: "2026-09-01T10:00:00.000Z",
		type,
		message,
		...fields,
	};
}

const call = (id: string, args: Fields) => ({ functionCall: { id, name: "read_file", args } });
const response = (id: string, shown: Fields) => ({
	functionResponse: { id, name: "read_file", response: shown },
});

test("the branch that ends at the last entry is read, with calls, their results and the provider's count", async () => {
	const usageMetadata = { promptTokenCount: 1_000, cachedContentTokenCount: 400, candidatesTokenCount: 30 };
	const session = await readLines(
		{ uuid: "0", parentUuid: null, sessionId: "s", type: "system", subtype: "ui_telemetry" },
		entry("1", "0", "user", [{ text: "go" }]),
		entry("x", "1", "assistant", [{ text: "taken back" }]),
		entry(
			"2",
			"1",
			"assistant",
			[{ text: "where?", thought: true }, { text: "I look." }, call("c1", { path: "a" })],
			{
				model: "qwen3-coder-plus",
				usageMetadata,
			},
		),
		entry("3", "2", "tool_result", [response("c1", { output: "let a" })]),
		entry("4", "3", "assistant", [call("c2", { path: "b" })]),
		entry("5", "4", "tool_result", [response("c2", { error: "no such file" })]),
		entry("6", "5", "dream", []),
		entry("7", "6", "assistant", [{ text: "Done." }]),
	);
	expect(session).toMatchObject({ format: "qwen-code", id: "s", cwd: "/w" });
	expect(outline(session)).toEqual([
		"user: go",
		'assistant: (where?) | I look. | read_file#c1 {"path":"a"}',
		"toolResult: read_file#c1 let a",
		'assistant: read_file#c2 {"path":"b"}',
		"toolResult: read_file#c2 failed no such file",
		"assistant: Done.",
	]);
	expect(damages(session)).toEqual([':8 entry of kind "dream": skipped']);
	expect(session.messages[1]).toMatchObject({
		model: "qwen3-coder-plus",
		usage: { input: 600, cacheRead: 400, output: 30 },
	});
});
