import { execFileSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ToolCall } from "#core/transcript";
import { scratchFolder } from "../../workspace/test-support/scratch.ts";
import type { HostMessage } from "../codec/host-message.ts";
import { calls, image, reply, result, user, words } from "../test-support/host-messages.ts";
import { createDiskCheck, isStillSent, type ReadAnswer } from "./disk-recovery.ts";

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

const cwd = "/work";
const text = "one\ntwo\n";

/** A read that was answered so. */
function read(id: string, call: ReadAnswer["call"], answer = text): readonly HostMessage[] {
	return [reply([calls(id, "read", call)]), result(id, [words(answer)])];
}

const inSight = (visible: readonly HostMessage[], call: ReadAnswer["call"]) =>
	isStillSent([user("go on"), ...visible], { cwd, call, text });

const own = { path: "a.ts" };

const again = { path: "a.ts", offset: 3 };
const attached = [reply([calls("1", "read", own)]), result("1", [words(text), words("more")])];

test.each([
	["the newest read of the same lines", read("1", own), own, true],
	["a read under another name of the file", read("1", own), { path: "/work/a.ts" }, true],
	["a read of the same part", read("1", again), again, true],
	["a result to which a text was attached since", attached, own, true],
	["nothing", [], own, false],
	["other lines", read("1", { path: "a.ts", offset: 2 }), own, false],
	["another file", read("1", { path: "b.ts" }), own, false],
	["an earlier content", read("1", own, "one\n"), own, false],
	["what is left of it", read("1", own, "[output removed]"), own, false],
	["it, and then another content", [...read("1", own), ...read("2", own, "three\n")], own, false],
	["a call without its result", read("1", own).slice(0, 1), own, false],
	["a result without its call", read("1", own).slice(1), own, false],
	["another tool's answer", [reply([calls("1", "grep", own)]), result("1", [words(text)])], own, false],
	["an error", [reply([calls("1", "read", own)]), result("1", [words(text)], 0, true)], own, false],
	["an image", [reply([calls("1", "read", own)]), result("1", [words(text), image])], own, false],
])("with %s in the context, a text is in sight or not", (_what, visible, call, isIt) => {
	expect(inSight(visible, call)).toBe(isIt);
});
