import { expect, test } from "vitest";
import { outline, useSessionFolder } from "../test-support/session-folder.ts";

const { readDocument, readLines } = useSessionFolder();

const steps = [{ source: "user", message: "go" }];
const trajectory = { schema_version: "ATIF-v1.4", steps };

test("a document is one on a line of its own as on many", async () => {
	expect(outline(await readLines(trajectory))).toEqual(["user: go"]);
	expect(outline(await readDocument(trajectory))).toEqual(["user: go"]);
	expect(outline(await readLines(`\uFEFF${JSON.stringify(trajectory)}`))).toEqual(["user: go"]);
});

test("a document that was cut off is refused with its file and the reason", async () => {
	const cut = JSON.stringify(trajectory, null, 2).slice(0, -4);
	await expect(readLines(cut)).rejects.toMatchObject({
		code: "damaged-document",
		message: expect.stringMatching(/session\.any: .*leave it out/),
	});
});

test.each([["plain text"], [{ name: "package" }], [[1, 2]], [{ messages: [] }], [""]])(
	"%j is no session",
	async (content) => {
		await expect(readLines(content)).rejects.toMatchObject({ code: "unknown-format" });
	},
);
