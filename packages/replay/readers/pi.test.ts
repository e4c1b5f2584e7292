import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { scratchFolder } from "../../workspace/test-support/scratch.ts";
import { outline } from "../test-support/session-folder.ts";
import { readSession } from "./registry.ts";

const path = join(scratchFolder(), "session.jsonl");
const message = { type: "message", message: { role: "user", content: "a", timestamp: 1 } };

/** A session of a version, with these lines before its only message and after it. */
async function read(version: number, before = "", after = "") {
	const header = { type: "session", id: "h", cwd: "/w", version };
	await writeFile(path, `${JSON.stringify(header)}\n${before}${JSON.stringify(message)}\n${after}`);
	return readSession(path);
}

test("a last line that was cut off is told apart", async () => {
	const session = await read(1, "", '{"type":"mess');
	expect(outline(session)).toEqual(["user: a"]);
	expect(session.damage).toEqual([{ place: `${path}:3`, reason: "cut off while it was written: skipped" }]);
});

test("calls outside of the branch count with it: on other branches, failed, and the agent's own", async () => {
	const usage = { input: 10, output: 2, cacheRead: 3, cacheWrite: 4 };
	const entry = (id: string, parentId: string | null, own: object) =>
		`${JSON.stringify({ id, parentId, ...own })}\n`;
	const answer = (id: string, parentId: string, input: number, stopReason = "stop") => {
		const content = [{ type: "text", text: id }];
		const spent = { ...usage, input };
		return entry(id, parentId, {
			type: "message",
			message: { role: "assistant", content, stopReason, usage: spent },
		});
	};
	const lines = [
		JSON.stringify({ type: "session", id: "h", cwd: "/w", version: 3 }),
		entry("a", null, message),
		answer("left", "a", 1),
		answer("failed", "a", 2, "error"),
		entry("warm", "failed", { type: "usage", usage: { ...usage, input: 3 } }),
		answer("kept", "warm", 4),
		entry("summary", "kept", { type: "compaction", summary: "s", usage: { ...usage, input: 5 } }),
	];
	await writeFile(path, `${lines[0]}\n${lines.slice(1).join("")}`);
	/** Those of other branches are negative. */
	const inputs = async (leaf?: string) => {
		const { messages, otherCalls } = await readSession(path, undefined, leaf);
		return [messages.length, otherCalls?.map((call) => (call.isElsewhere ? -1 : 1) * call.usage.input)];
	};
	expect(await inputs()).toEqual([2, [-1, 2, 3]]);
	expect(await inputs("left")).toEqual([2, [-2, -3, -4, -5]]);
	const bare = lines.with(-1, entry("summary", "kept", { type: "compaction", summary: "s" }));
	await writeFile(path, `${bare[0]}\n${bare.slice(1).join("")}`);
	expect((await readSession(path)).otherCompactions).toEqual([]);
	expect((await readSession(path, undefined, "left")).otherCompactions).toEqual(["summary"]);
});

test("a newer version is refused with file, version and remedy", async () => {
	await expect(read(4)).rejects.toMatchObject({
		code: "newer-version",
		message: expect.stringMatching(
			/session\.jsonl: session version 4; this program reads versions 1 to 3: update it, or leave/,
		),
	});
});

test("of very many damaged lines the first are told one by one, and the rest by their number", async () => {
	const session = await read(3, "{cut\n".repeat(1005));
	expect(outline(session)).toEqual(["user: a"]);
	expect(session.damage).toHaveLength(1001);
	expect(session.damage.at(-1)).toEqual({ place: path, reason: "5 more damaged places" });
});
