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
