import { describe, expect, it } from "vitest";
import type { HostMessage } from "../codec/host-message.ts";
import { calls, image, reply, result, user, words } from "../test-support/host-messages.ts";
import { isInSight, type ReadAnswer } from "./repeated-read.ts";

const cwd = "/work";
const text = "one\ntwo\n";

/** A read that was answered so. */
function read(id: string, call: ReadAnswer["call"], answer = text): readonly HostMessage[] {
	return [reply([calls(id, "read", call)]), result(id, [words(answer)])];
}

const inSight = (visible: readonly HostMessage[], call: ReadAnswer["call"]) =>
	isInSight([user("go on"), ...visible], { cwd, call, text });

describe("a text is in sight", () => {
	it("when the newest read of these lines shows it", () => {
		expect(inSight(read("1", { path: "a.ts" }), { path: "a.ts" })).toBe(true);
		expect(inSight(read("1", { path: "a.ts" }), { path: "/work/a.ts" })).toBe(true);
		expect(inSight(read("1", { path: "a.ts", offset: 3 }), { path: "a.ts", offset: 3 })).toBe(true);
	});

	it("with what was attached to it since", () => {
		const attached = [
			reply([calls("1", "read", { path: "a.ts" })]),
			result("1", [words(text), words("more")]),
		];
		expect(inSight(attached, { path: "a.ts" })).toBe(true);
	});
});

describe("a text is not in sight", () => {
	it.each([
		["nothing", []],
		["other lines", read("1", { path: "a.ts", offset: 2 })],
		["another file", read("1", { path: "b.ts" })],
		["an earlier content", read("1", { path: "a.ts" }, "one\n")],
		["what is left of it", read("1", { path: "a.ts" }, "[output removed]")],
		[
			"it, and then another content",
			[...read("1", { path: "a.ts" }), ...read("2", { path: "a.ts" }, "three\n")],
		],
		["a call without its result", read("1", { path: "a.ts" }).slice(0, 1)],
		["a result without its call", read("1", { path: "a.ts" }).slice(1)],
		[
			"the answer of another tool",
			[reply([calls("1", "grep", { path: "a.ts" })]), result("1", [words(text)])],
		],
		["an error", [reply([calls("1", "read", { path: "a.ts" })]), result("1", [words(text)], 0, true)]],
		["an image", [reply([calls("1", "read", { path: "a.ts" })]), result("1", [words(text), image])]],
	])("when there is %s", (_what, visible) => {
		expect(inSight(visible, { path: "a.ts" })).toBe(false);
	});
});
