import { expect, test } from "vitest";
import { damages, outline, useSessionFolder } from "../test-support/session-folder.ts";

const { readLines } = useSessionFolder();

type Fields = Readonly<Record<string, unknown>>;

function entry(uuid: string, parentUuid: string | null, fields: Fields): Fields {
	const timestamp = "2026-01-02T03:04:05.000Z";
	return { uuid, parentUuid, isSidechain: false, sessionId: "s", timestamp, ...fields };
}

function user(uuid: string, parent: string | null, content: unknown, marks: Fields = {}): Fields {
	return entry(uuid, parent, { type: "user", message: { role: "user", content }, ...marks });
}

/** One line of the reply `id`. */
function reply(uuid: string, parent: string | null, id: string, block: Fields, marks: Fields = {}): Fields {
	const message = { id, role: "assistant", model: "claude-x", content: [block] };
	return entry(uuid, parent, { type: "assistant", message, ...marks });
}

const text = (said: string) => ({ type: "text", text: said });
const call = (id: string, name = "Read", input: Fields = {}) => ({ type: "tool_use", id, name, input });
const result = (id: string, content: unknown, marks: Fields = {}) => [
	{ type: "tool_result", tool_use_id: id, content, ...marks },
];

test("results of parallel calls hang next to the branch and belong to it, and every block goes to its reply", async () => {
	const session = await readLines(
		{ type: "file-history-snapshot", messageId: "m", snapshot: {} },
		user("1", null, "go"),
		reply("2", "1", "m1", call("t1")),
		reply("3", "2", "m1", call("t2")),
		user("4", "2", result("t1", [text("one")]), { toolUseResult: { file: "x" } }),
		user("5", "3", result("t2", "two", { is_error: true })),
		reply("6", "5", "m2", call("t3")),
		user("7", "6", result("t3", "three")),
		reply("8", "6", "m2", call("t4")),
		user("9", "8", result("t4", "four")),
		reply("10", "9", "m3", text("All.")),
	);
	expect(outline(session)).toEqual([
		"user: go",
		"assistant: Read#t1 {} | Read#t2 {}",
		"toolResult: Read#t1 one",
		"toolResult: Read#t2 failed two",
		"assistant: Read#t3 {} | Read#t4 {}",
		"toolResult: Read#t3 three",
		"toolResult: Read#t4 four",
		"assistant: All.",
	]);
	expect(session.damage).toEqual([]);
	expect(session.messages[0]?.timestamp).toBe(Date.parse("2026-01-02T03:04:05.000Z"));
});

test("what a person took back is left out", async () => {
	const session = await readLines(
		user("1", null, "first try"),
		reply("2", "1", "m1", call("t1")),
		user("3", "2", result("t1", "one")),
		user("4", null, "second try"),
		reply("5", "4", "m2", text("Yes.")),
	);
	expect(outline(session)).toEqual(["user: second try", "assistant: Yes."]);
});

test("a compaction is undone: its summary stands apart, and what it replaced is there, although older versions link it to nothing", async () => {
	const boundary = entry("3", null, { type: "system", subtype: "compact_boundary", logicalParentUuid: "2" });
	const session = await readLines(
		user("1", null, "go"),
		reply("2", "1", "m1", text("Step one.")),
		boundary,
		user("4", "3", "All so far: step one.", { isCompactSummary: true, isVisibleInTranscriptOnly: true }),
		reply("5", "4", "m2", text("Step two.")),
		user("6", null, "So far: two steps.", { isCompactSummary: true }),
		reply("7", "6", "m3", text("Step three.")),
	);
	const steps = ["one", "two", "three"].map((step) => `assistant: Step ${step}.`);
	expect(outline(session)).toEqual(["user: go", ...steps]);
	expect(session.summaries).toMatchObject([
		{ text: "All so far: step one." },
		{ text: "So far: two steps." },
	]);
	expect(session.damage).toEqual([]);
});

test("the work of sub-agents is no part of the session, save in a file of its own", async () => {
	const side = [
		user("a", null, "look for x", { isSidechain: true }),
		reply("b", "a", "m9", text("Found."), { isSidechain: true }),
	];
	const main = [user("1", null, "go"), reply("2", "1", "m1", text("Well."))];
	expect(outline(await readLines(...main, ...side))).toEqual(["user: go", "assistant: Well."]);
	expect(outline(await readLines(...side))).toEqual(["user: look for x", "assistant: Found."]);
});

test("what no person typed is a note, and what was written meanwhile is a person's", async () => {
	const queued = { type: "attachment", attachment: { type: "queued_command", prompt: "and hurry" } };
	const session = await readLines(
		user("1", null, "go"),
		user("2", "1", "Caveat: not typed", { isMeta: true }),
		user("3", "2", "<local-command-stdout>bye</local-command-stdout>"),
		reply("4", "3", "m1", text("Well.")),
		entry("5", "4", queued),
		reply("6", "5", "m2", text("Faster.")),
	);
	const roles = session.messages.map(({ role }) => role).join(" ");
	expect(roles).toBe("user custom custom assistant user assistant");
});

test("replies that no model gave are left out, and entries that a resumed session repeats count once", async () => {
	const lines = [
		user("1", null, "go"),
		reply("2", "1", "m1", text("API error"), { isApiErrorMessage: true }),
		reply("3", "2", "m2", text("Here.")),
	];
	expect(outline(await readLines(...lines, ...lines))).toEqual(["user: go", "assistant: Here."]);
});

test("damaged lines are skipped and told with their place, and the rest is joined", async () => {
	const session = await readLines(
		user("1", null, "go"),
		'{"type":"assistant","uuid":"2","pare',
		user("3", "2", "more"),
		reply("4", "3", "m2", { type: "hologram" }),
		reply("5", "4", "m3", text("Well.")),
	);
	expect(outline(session)).toEqual(["user: go", "user: more", "assistant: ", "assistant: Well."]);
	expect(damages(session)).toEqual([
		":2 no JSON object: skipped",
		':4 content block of kind "hologram": left out',
		':3 parent "2" not found: joined to the entry before it',
	]);
});

const live = [
	user("1", null, "go"),
	reply("2", "1", "m1", call("t1")),
	reply("3", "2", "m1", call("t2")),
	user("4", "2", result("t1", "one")),
	reply("5", "4", "m2", text("Well.")),
	user("6", "5", "more"),
	reply("7", "6", "m3", text("Done.")),
];
const notification = "<task-notification>build ended</task-notification>";

test.each([
	["a result", user("8", "3", result("t2", "two")), "toolResult: Read#t2 two"],
	["a note", user("8", "3", notification), `custom: ${notification}`],
	[
		"a message that was queued",
		entry("8", "3", { type: "attachment", attachment: { type: "queued_command", prompt: "and hurry" } }),
		"user: and hurry",
	],
])(
	"%s that is written late, on an old parent, leaves the live conversation whole",
	async (_what, late, line) => {
		const lines = outline(await readLines(...live, late));
		expect(lines.filter((each) => each !== line)).toEqual([
			"user: go",
			"assistant: Read#t1 {} | Read#t2 {}",
			"toolResult: Read#t1 one",
			"assistant: Well.",
			"user: more",
			"assistant: Done.",
		]);
		expect(lines).toContain(line);
		// The model was sent a late result next to the other one of its reply.
		if (line.startsWith("toolResult")) expect(lines[3]).toBe(line);
	},
);

test("what a person wrote last, unanswered yet, belongs to the conversation", async () => {
	const lines = outline(await readLines(...live, user("8", "7", "thanks")));
	expect(lines.at(-1)).toBe("user: thanks");
});

test("a block that was written twice under one reply counts once, the longer one", async () => {
	const session = await readLines(
		user("1", null, "go"),
		reply("2", "1", "m1", text("I lo")),
		reply("3", "2", "m1", text("I look.")),
		reply("4", "3", "m1", call("t1")),
		reply("5", "4", "m1", call("t1", "Read", { file_path: "a.ts" })),
	);
	expect(outline(session).slice(1)).toEqual(['assistant: I look. | Read#t1 {"file_path":"a.ts"}']);
});

test("thinking without text is kept by its signature, redacted thinking by its data, with model and usage", async () => {
	const usage = {
		input_tokens: 3,
		cache_read_input_tokens: 900,
		cache_creation_input_tokens: 90,
		output_tokens: 7,
	};
	const iteration = { type: "message", input_tokens: 1, cache_read_input_tokens: 450, output_tokens: 4 };
	const said = (block: Fields, more: Fields) => ({ id: "m1", role: "assistant", content: [block], ...more });
	const line = (uuid: string, parent: string, message: Fields) =>
		entry(uuid, parent, { type: "assistant", message });
	const sealed = { type: "thinking", thinking: "", signature: "c2ln" };
	const { messages } = await readLines(
		user("1", null, "go"),
		line("2", "1", said(sealed, { model: "claude-opus-5", usage: { ...usage, output_tokens: 1 } })),
		line("3", "2", said({ type: "redacted_thinking", data: "ZGF0YQ" }, { model: "claude-opus-5", usage })),
		line("4", "3", {
			...said(text("Well."), { usage: { ...usage, iterations: [iteration, iteration] } }),
			id: "m2",
		}),
	);
	expect(messages[1]).toMatchObject({
		content: [
			{ type: "thinking", thinking: "", thinkingSignature: "c2ln" },
			{ type: "thinking", thinkingSignature: "ZGF0YQ", redacted: true },
		],
		api: "anthropic-messages",
		provider: "anthropic",
		model: "claude-opus-5",
		usage: { input: 3, cacheRead: 900, cacheWrite: 90, output: 7 },
	});
	// Summed over the provider's own calls, usage says nothing of the size of a request.
	expect(messages[2]).toMatchObject({ usage: { input: 1, cacheRead: 450, cacheWrite: 0, output: 7 } });
});

test("what the program attached and the model read is a note, and parts of the provider's own tools are no damage", async () => {
	const attached = (uuid: string, parent: string, attachment: Fields) =>
		entry(uuid, parent, { type: "attachment", attachment });
	const session = await readLines(
		user("1", null, "go"),
		attached("2", "1", { type: "edited_text_file", filename: "a.ts", snippet: "1\tlet a" }),
		attached("3", "2", { type: "task_reminder", content: [], itemCount: 0 }),
		attached("4", "3", { type: "hook_system_message", content: "shown to the person" }),
		reply("5", "4", "m1", { type: "server_tool_use", id: "s1", name: "advisor", input: { q: 1 } }),
		reply("6", "5", "m1", {
			type: "advisor_tool_result",
			content: { type: "advisor_redacted_result", encrypted_content: "x" },
		}),
		reply("7", "6", "m1", call("t1", "ToolSearch")),
		user("8", "7", result("t1", [{ type: "tool_reference", tool_name: "TaskOutput" }])),
	);
	expect(outline(session)).toEqual([
		"user: go",
		"custom: 1\tlet a",
		'assistant: advisor {"q":1} | advisor_redacted_result | ToolSearch#t1 {}',
		"toolResult: ToolSearch#t1 tool TaskOutput",
	]);
	expect(session.damage).toEqual([]);
});

test("a file may begin with records that nobody knows", async () => {
	const unknown = ["mode", "agent-name", "custom-title", "ai-title", "last-prompt", "pr-link", "a", "b", "c"];
	const session = await readLines(...unknown.map((type) => ({ type, sessionId: "s", value: "x" })), ...live);
	expect(outline(session)[0]).toBe("user: go");
});

test("the stream that the program prints is read as well", async () => {
	const printed = (type: string, fields: Fields) => ({ type, session_id: "s", ...fields });
	const session = await readLines(
		printed("system", { subtype: "init" }),
		printed("assistant", { message: { id: "m1", content: [call("t1")] }, parent_tool_use_id: null }),
		printed("assistant", { message: { id: "m7", content: [text("side")] }, parent_tool_use_id: "t1" }),
		printed("user", { message: { role: "user", content: result("t1", "one") } }),
		printed("result", { result: "Done." }),
	);
	expect(outline(session)).toEqual(["assistant: Read#t1 {}", "toolResult: Read#t1 one"]);
});
