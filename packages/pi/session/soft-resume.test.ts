import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as pi from "@mariozechner/pi-coding-agent";
import { expect, test } from "vitest";
import { foldTranscript } from "#core/graph";
import * as draft from "../../core/test-support/message-builders.ts";
import { act, use } from "../../core/test-support/small-sessions.ts";
import { createScratch } from "../../workspace/test-support/scratch.ts";
import * as say from "../test-support/host-messages.ts";
import { defaultToolTable } from "../tool-profiles.ts";
import { readOldSession } from "./read-only-session.ts";
import { planSoftStart, SOFT_MESSAGE, TURN_MESSAGE } from "./soft-resume.ts";

const count = (text: string) => text.length;

function graphOf(names: readonly string[]) {
	const work = names.flatMap((name) => act(name, [], ...use("read", name)));
	return foldTranscript(draft.build([draft.person(), ...work]), defaultToolTable);
}

test("user turns come along byte for byte and in order, those of sessions before the last one first", () => {
	const messages = [
		say.custom(TURN_MESSAGE, "from before\n"),
		say.custom(SOFT_MESSAGE, "lines of before"),
		say.user(" first "),
		say.custom("cwl.git", "status"),
		say.reply("answer"),
		say.user([say.words("second"), say.image]),
	];
	expect(planSoftStart(messages, graphOf([]), count, 1_000)).toEqual({
		turns: ["from before\n", " first ", [say.words("second"), say.image]],
		indexes: ["lines of before"],
	});
});

test("the lines of the episodes keep to their room: the older ones share lines first", () => {
	const names = Array.from({ length: 40 }, (_, i) => `task-${i}`);
	const lines = (most: number) => {
		const [index = ""] = planSoftStart([], graphOf(names), count, most).indexes;
		return index.split("\n").slice(2, -1);
	};
	expect(lines(1_000_000)).toHaveLength(40);
	const half = lines(1_800);
	expect(half.join("").length).toBeLessThanOrEqual(1_800);
	expect(half[0]).toMatch(/^\[8 episodes, .*"task-0".*"task-7"\]$/);
	expect(half.at(-1)).toMatch(/^\[act "task-39", /);
	expect(lines(10)).toEqual([expect.stringMatching(/^\[40 episodes, .* "task-0" to "task-39"\]$/)]);
	expect(planSoftStart([], graphOf(["one"]), count, 1).indexes[0]).toContain('[act "one", ');
});

async function writeSession(text: string): Promise<string> {
	const path = join(createScratch(), "s.jsonl");
	await writeFile(path, text);
	return path;
}

test("an old session is its last branch, whole, and reading it changes nothing", async () => {
	const entry = (id: string, parentId: string | null, text: string) => ({
		type: "message",
		id,
		parentId,
		timestamp: "2026-01-01T00:00:00.000Z",
		message: { role: "user", content: text, timestamp: 1 },
	});
	const kept = { summary: "s", firstKeptEntryId: "b", tokensBefore: 1 };
	const compaction = { type: "compaction", id: "c", parentId: "b", ...kept };
	const header = { type: "session", version: 3, id: "abc", cwd: "/w", timestamp: "2026-01-01T00:00:00.000Z" };
	const begun = [entry("a", null, "one"), entry("x", "a", "elsewhere"), entry("b", "a", "two")];
	const entries = [header, ...begun, compaction, entry("d", "c", "three")];
	const text = `${entries.map((each) => JSON.stringify(each)).join("\n")}\nnot JSON\n`;
	const path = await writeSession(text);
	const { id, cwd, messages } = await readOldSession(path, pi);
	expect([id, cwd]).toEqual(["abc", "/w"]);
	const said = messages.map((message) => message.role === "user" && message.content);
	expect(said).toEqual(["one", "two", "three"]);
	expect(await readFile(path, "utf8")).toBe(text);
});

test.each(["", "hello", '{"type":"session"}', "[]\n3"])(
	"what is no session is refused and left as it is: %j",
	async (text) => {
		const path = await writeSession(text);
		await expect(readOldSession(path, pi)).rejects.toThrow(/is no pi session/);
		expect(await readFile(path, "utf8")).toBe(text);
		await expect(readOldSession(`${path}.none`, pi)).rejects.toThrow(/cannot be read \(ENOENT\)/);
	},
);
