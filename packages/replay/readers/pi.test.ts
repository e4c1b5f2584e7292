import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { scratchFolder } from "../../workspace/test-support/scratch.ts";
import { damages, outline, useSessionFolder } from "../test-support/session-folder.ts";
import type { RecordedSession } from "./recorded-session.ts";
import { readSession } from "./registry.ts";

const folder = scratchFolder();
const { readLines: read } = useSessionFolder();

type Entry = Readonly<Record<string, unknown>>;

function header(version?: number): Entry {
	return { type: "session", id: "h", cwd: "/w", ...(version && { version }) };
}

function said(text: string, marks: Entry = {}, role = "user"): Entry {
	const message = { role, customType: "x", content: [{ type: "text", text }], timestamp: 1 };
	return { type: "message", timestamp: "2026-01-01T00:00:00.000Z", message, ...marks };
}

const replied = (...content: readonly unknown[]) => ({
	type: "message",
	message: { role: "assistant", content },
});

const texts = (session: RecordedSession) => outline(session).map((line) => line.split(": ")[1]);

test("version 1 is a list; a message without a timestamp has that of its entry", async () => {
	const { message, ...entry } = said("a");
	const undated = { ...entry, message: { ...Object(message), timestamp: undefined } };
	const session = await read(header(), undated, { type: "model_change" }, said("b", {}, "assistant"));
	expect(texts(session)).toEqual(["a", "b"]);
	expect(session.messages[0]?.timestamp).toBe(Date.parse("2026-01-01T00:00:00.000Z"));
	expect(session).toMatchObject({ name: "session", format: "pi", damage: [] });
});

test("a tree is read along the branch of its last entry, in which version 2 called custom messages hook messages", async () => {
	const session = await read(
		header(2),
		said("root", { id: "1", parentId: null }),
		said("left", { id: "2", parentId: "1" }),
		said("left tip", { id: "3", parentId: "2" }),
		{ type: "label", id: "4", parentId: "1" },
		said("right", { id: "5", parentId: "4" }, "hookMessage"),
		{ type: "session_info", id: "6", parentId: "5", name: "n" },
	);
	expect(outline(session)).toEqual(["user: root", "custom: right"]);
	expect(session.damage).toEqual([]);
});

test("summaries of a recorded compaction are left out, and what no person typed is a note", async () => {
	const session = await read(
		header(3),
		said("a", { id: "1", parentId: null }),
		said("summary", { id: "2", parentId: "1", compactSummary: true }),
		said("b", { id: "3", parentId: "2", synthetic: true }),
		{ type: "compaction", id: "4", parentId: "3", summary: "s", firstKeptEntryId: "3" },
		said("c", { id: "5", parentId: "4" }),
	);
	expect(texts(session)).toEqual(["a", "b", "c"]);
	expect(session.messages.map(({ role }) => role)).toEqual(["user", "custom", "user"]);
	expect(session.summaries?.map(({ text }) => text)).toEqual(["summary", "s"]);
});

test("what pi makes a message of is read, and answers that failed are left out, as pi sends none of them", async () => {
	const answer = (stopReason: string, text: string) => ({
		type: "message",
		message: { role: "assistant", content: [{ type: "text", text }], stopReason, timestamp: 2 },
	});
	const session = await read(
		header(3),
		said("a", { id: "1", parentId: null }),
		{ type: "custom_message", customType: "notes", content: "noted", id: "2", parentId: "1" },
		{ ...answer("error", "half"), id: "3", parentId: "2" },
		{ type: "branch_summary", summary: "what was tried", fromId: "x", id: "4", parentId: "3" },
		{ ...answer("aborted", "cut"), id: "5", parentId: "4" },
		{ ...answer("stop", "done"), id: "6", parentId: "5" },
	);
	expect(session.messages).toMatchObject([
		{ role: "user" },
		{ role: "custom", customType: "notes", content: "noted" },
		{ role: "branchSummary", summary: "what was tried", fromId: "x" },
		{ role: "assistant", stopReason: "stop" },
	]);
	expect(session.branch?.map(({ id }) => id)).toEqual(["1", "2", "4", "6"]);
	expect(session.damage).toEqual([]);
});

test("Oh My Pi writes a title ahead of the header, and reminders as a developer's messages", async () => {
	const title = { type: "title", v: 1, title: "" };
	const session = await read(title, header(3), said("a"), said("<system-reminder>", {}, "developer"));
	expect(outline(session)).toEqual(["user: a", "custom: <system-reminder>"]);
	expect(session.messages[1]).toMatchObject({ customType: "cwl.recorded" });
	expect(session).toMatchObject({ id: "h", cwd: "/w", damage: [] });
});

test("an answer without its API, model or usage is mended, and sealed thinking in it is kept", async () => {
	const sealed = { type: "thinking", thinking: "", thinkingSignature: "c2ln" };
	const { messages } = await read(header(), said("a"), replied(sealed, { type: "text", text: "b" }));
	expect(messages[1]).toMatchObject({
		...{ api: "", provider: "", model: "", stopReason: "stop", content: [sealed, { type: "text" }] },
		usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
	});
});

test("a compaction names the first message that it left", async () => {
	const session = await read(
		header(3),
		said("a", { id: "1", parentId: null }),
		said("b", { id: "2", parentId: "1" }),
		{ type: "compaction", id: "3", parentId: "2", summary: "s", firstKeptEntryId: "2" },
	);
	expect(session.summaries).toMatchObject([{ text: "s", position: 2, firstKept: 1 }]);
});

test("damaged lines are skipped, named, and do not cut the branch", async () => {
	const session = await read(
		header(3),
		said("a", { id: "1", parentId: null }),
		'{"type":"message","id":"2","par',
		"",
		said("b", { id: "3", parentId: "2" }),
		"[]",
		{ type: "message", id: "4", parentId: "3", message: { role: "assistant", content: "text" } },
		{ type: "message", id: "5", parentId: "4", message: { role: "oracle" } },
		{ type: "message", id: "6", parentId: "5", message: { role: "system", content: "", sections: {} } },
		said("c", { id: "7", parentId: "6" }),
	);
	expect(texts(session)).toEqual(["a", "b", "c"]);
	expect(damages(session)).toEqual([
		":3 no JSON object: skipped",
		":6 no JSON object: skipped",
		":7 the model's content is no list of blocks: skipped",
		':8 unknown role "oracle": skipped',
		':5 parent "2" not found: joined to the entry before it',
	]);
	expect(session.damage[0]?.place).toBe(`${session.path}:3`);
});

test.each([
	["a block that is no object", [1]],
	["a block of an unknown type", [{ type: "oracle" }]],
	["a call without an id", [{ type: "toolCall", name: "read", arguments: {} }]],
	["thinking without text", [{ type: "thinking" }]],
])("a reply with %s is damage", async (_, content) => {
	const session = await read(header(), said("a"), replied(...content));
	expect(texts(session)).toEqual(["a"]);
	expect(session.damage).toHaveLength(1);
});

test("a block that cannot be read costs nothing but itself; arguments may be recorded as their JSON", async () => {
	const call = { type: "toolCall", id: "1", name: "read" };
	const valid = { ...call, id: "2", arguments: { path: "a" } };
	const written = { ...valid, arguments: '{"path":"a"}' };
	const content = [{ type: "text", text: "b" }, call, written, { type: "oracle" }];
	const session = await read(header(), said("a"), replied(...content));
	expect(session.messages[1]).toMatchObject({
		content: [{ type: "text", text: "b" }, { ...call, arguments: {} }, valid],
	});
	expect(damages(session)).toEqual([
		':3 the arguments of call "1" are no object: mended',
		':3 the arguments of call "2" are no object: mended',
		':3 unknown content block "oracle": left out',
	]);
});

test("a last line that was cut off is told apart", async () => {
	const path = join(folder, "cut.jsonl");
	await writeFile(path, `${JSON.stringify(header())}\n${JSON.stringify(said("a"))}\n{"type":"mess`);
	const session = await readSession(path);
	expect(texts(session)).toEqual(["a"]);
	expect(damages(session)).toEqual([":3 cut off while it was written: skipped"]);
});

test("a damaged header does not hide the session", async () => {
	const entries = [said("a", { id: "1", parentId: null }), said("b", { id: "2", parentId: "1" })];
	const session = await read('{"type":"session","ver', ...entries);
	expect(texts(session)).toEqual(["a", "b"]);
	expect(damages(session)).toEqual([
		":1 no JSON object: skipped",
		":2 no header before the first entry: read as the newest version",
	]);
});

test.each<[string, readonly (readonly [id: string, parentId: unknown])[], string]>([
	["a cycle of parents is not followed for ever", Object.entries({ a: "b", b: "a" }), "0 1"],
	["of two entries with one id, the earlier one is the parent", pairs("a null, b a, a b"), "0 1 2"],
	["a parent that is missing leads to the entry before", pairs("1 null, 2 gone, 3 2"), "0 1 2"],
	["what is off the branch is left out", pairs("1 null, 2 gone, 3 1"), "0 2"],
])("%s", async (_, links, branch) => {
	const entries = links.map(([id, parentId], index) => said(`${index}`, { id, parentId }));
	const session = await read(header(3), ...entries);
	expect(texts(session)).toEqual(branch.split(" "));
	const missing = damages(session).map((each) => each.replace(/^:\d+ /, ""));
	const expected = branch.includes("1") && links.some(([, parent]) => parent === "gone");
	expect(missing).toEqual(expected ? ['parent "gone" not found: joined to the entry before it'] : []);
});

/** Ids with their parents, as `id parent`. */
function pairs(text: string): (readonly [string, unknown])[] {
	return text.split(", ").map((pair) => {
		const [id = "", parent] = pair.split(" ");
		return [id, parent === "null" ? null : parent];
	});
}

test("a newer version is refused with file, version and remedy", async () => {
	const message = /session\.any: session version 4; this program reads versions 1 to 3: update it, or leave/;
	await expect(read(header(4), said("a"))).rejects.toMatchObject({
		code: "newer-version",
		message: expect.stringMatching(message),
	});
});

test("of very many damaged lines the first are told one by one, and the rest by their number", async () => {
	const session = await read(header(3), ...Array.from({ length: 1005 }, () => "{cut"), said("a"));
	expect(texts(session)).toEqual(["a"]);
	expect(session.damage).toHaveLength(1001);
	expect(session.damage.at(-1)).toEqual({ place: session.path, reason: "5 more damaged places" });
});
