import { execFileSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ToolCall } from "#core/transcript";
import { scratchFolder } from "../../workspace/test-support/scratch.ts";
import type { HostMessage } from "../codec/host-message.ts";
import { result, words } from "../test-support/host-messages.ts";
import { createDiskCheck } from "./disk-recovery.ts";

const folder = scratchFolder();

type Content = (HostMessage & { readonly role: "toolResult" })["content"];

function answers(tool: string, args: Readonly<Record<string, unknown>>, content: Content) {
	const call: ToolCall = {
		...{ id: "1.0", message: 1, tokens: 10, type: "call", callId: "c1" },
		...{ tool, arguments: args },
	};
	return createDiskCheck(folder, [result("c1", content)])(call);
}

test.each([
	["one\ntwo\nthree", "one\ntwo\nthree", {}, true],
	["one\ntwo\nthree", "two", { offset: 2, limit: 1 }, true],
	["one\ntwo\nthree", "one\n\n[2 more lines in file. Use offset=2 to continue.]", { limit: 1 }, true],
	["one\nTWO\nthree", "one\ntwo\nthree", {}, false],
	["zero\none\ntwo", "one\ntwo", {}, false],
	["one", "one\ntwo", {}, false],
])(
	"of a file that holds %j, a read that showed %j under %j is recoverable: %j",
	async (file, shown, args, isIt) => {
		await writeFile(join(folder, "a.txt"), file);
		expect(answers("read", { path: "a.txt", ...args }, [words(shown)])).toBe(isIt);
	},
);

test("no read is recoverable when the file is gone, is a folder or a pipe", () => {
	execFileSync("mkfifo", [join(folder, "pipe")]);
	for (const path of ["gone.txt", ".", "pipe"]) expect(answers("read", { path }, [words("one")])).toBe(false);
});

test("commands and web pages are not recoverable, and for searches it is unknown", () => {
	const shown = [words("one")];
	expect(answers("bash", { command: "npm test" }, shown)).toBe(false);
	expect(answers("webfetch", { url: "https://example.org" }, shown)).toBe(false);
	expect(answers("bash", { command: "ls -l" }, shown)).toBeUndefined();
	expect(answers("grep", { pattern: "x" }, shown)).toBeUndefined();
});
