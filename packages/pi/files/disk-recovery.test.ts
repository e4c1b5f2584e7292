import { execFileSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, test } from "vitest";
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

async function readOf(file: string, shown: string, args: Readonly<Record<string, unknown>> = {}) {
	await writeFile(join(folder, "a.txt"), file);
	return answers("read", { path: "a.txt", ...args }, [{ type: "text", text: shown }]);
}

describe("a read is recoverable", () => {
	test("while its lines stand where they stood", async () => {
		expect(await readOf("one\ntwo\nthree", "one\ntwo\nthree")).toBe(true);
		expect(await readOf("one\ntwo\nthree", "two", { offset: 2, limit: 1 })).toBe(true);
		const cut = "one\n\n[2 more lines in file. Use offset=2 to continue.]";
		expect(await readOf("one\ntwo\nthree", cut, { limit: 1 })).toBe(true);
	});

	test("not once they changed, moved or shrank", async () => {
		expect(await readOf("one\nTWO\nthree", "one\ntwo\nthree")).toBe(false);
		expect(await readOf("zero\none\ntwo", "one\ntwo")).toBe(false);
		expect(await readOf("one", "one\ntwo")).toBe(false);
	});

	test("not when the file is gone, is a folder or a pipe", () => {
		const shown: Content = [{ type: "text", text: "one" }];
		expect(answers("read", { path: "gone.txt" }, shown)).toBe(false);
		expect(answers("read", { path: "." }, shown)).toBe(false);
		execFileSync("mkfifo", [join(folder, "pipe")]);
		expect(answers("read", { path: "pipe" }, shown)).toBe(false);
	});
});

test("commands and web pages are not recoverable, and for searches it is unknown", () => {
	const shown: Content = [{ type: "text", text: "one" }];
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

describe("a text is in sight", () => {
	const again = { path: "a.ts", offset: 3 };
	it.each([
		["the newest read of the same lines", read("1", own), own],
		["a read under another name of the file", read("1", own), { path: "/work/a.ts" }],
		["a read of the same part", read("1", again), again],
		[
			"a result to which a text was attached since",
			[reply([calls("1", "read", own)]), result("1", [words(text), words("more")])],
			own,
		],
	])("when %s shows it", (_what, visible, call) => {
		expect(inSight(visible, call)).toBe(true);
	});

	it.each([
		["nothing", []],
		["other lines", read("1", { path: "a.ts", offset: 2 })],
		["another file", read("1", { path: "b.ts" })],
		["an earlier content", read("1", own, "one\n")],
		["what is left of it", read("1", own, "[output removed]")],
		["it, and then another content", [...read("1", own), ...read("2", own, "three\n")]],
		["a call without its result", read("1", own).slice(0, 1)],
		["a result without its call", read("1", own).slice(1)],
		["the answer of another tool", [reply([calls("1", "grep", own)]), result("1", [words(text)])]],
		["an error", [reply([calls("1", "read", own)]), result("1", [words(text)], 0, true)]],
		["an image", [reply([calls("1", "read", own)]), result("1", [words(text), image])]],
	])("not when there is %s", (_what, visible) => {
		expect(inSight(visible, own)).toBe(false);
	});
});
