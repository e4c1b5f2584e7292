/** Policies of other projects: stride, demand-paging, coref, dcp and trim. */
import { expect, test } from "vitest";
import type { HostMessage } from "#pi";
import { openRecording } from "../recording/recording.ts";
import { replaySession } from "../simulation/replay.ts";
import { calls, countQuarters, recorded, reply, result, says, user } from "../test-support/messages.ts";
import { parsePolicies } from "./registry.ts";
import { isOmitted } from "./shortened-output.ts";

/** The messages of the last request of a session under a policy. */
function lastRequest(policy: string, ...messages: readonly HostMessage[]): readonly HostMessage[] {
	const [contender] = parsePolicies(policy);
	if (!contender) throw new Error(`no policy ${policy}`);
	const recording = openRecording(recorded(...messages, reply(says("end"))), countQuarters);
	const settings = { contender, budget: 1_000, fixed: { system: 0, tools: 0 }, now: () => 0 };
	return [...replaySession(recording, settings)].at(-1)?.messages ?? [];
}

const read = (id: string, path: string) => reply(calls(id, "read", { path }));
const long = "a line of some length\n".repeat(60);

/** The ids of the calls whose output is a placeholder. */
function omitted(messages: readonly HostMessage[]): readonly string[] {
	return messages.flatMap((message) =>
		message.role === "toolResult" && isOmitted(message) ? [message.toolCallId] : [],
	);
}

test("stride moves its boundary by whole strides", () => {
	const turns = (count: number) =>
		Array.from({ length: count }, (_, n) => [read(`r${n}`, `${n}`), result(`r${n}`, long)]).flat();
	const policy = "stride:stride=4:keep=2";
	expect(omitted(lastRequest(policy, user("go"), ...turns(2)))).toEqual([]);
	expect(omitted(lastRequest(policy, user("go"), ...turns(3)))).toEqual(["r0"]);
	expect(omitted(lastRequest(policy, user("go"), ...turns(4)))).toEqual(["r0"]);
	expect(omitted(lastRequest(policy, user("go"), ...turns(5)))).toEqual(["r0", "r1", "r2"]);
});

test("demand paging lets old outputs go, keeps small ones, and pins what was asked for again", () => {
	const old = [
		user("1"),
		read("a", "a"),
		result("a", long),
		read("b", "b"),
		result("b", "short"),
		user("2"),
		user("3"),
	];
	const policy = "demand-paging:age=2";
	expect(omitted(lastRequest(policy, ...old.slice(0, -1)))).toEqual([]);
	expect(omitted(lastRequest(policy, ...old))).toEqual(["a"]);
	const fault = [
		...old,
		reply(says("hm")),
		read("a2", "a"),
		result("a2", long),
		user("4"),
		user("5"),
		user("6"),
	];
	expect(omitted(lastRequest(policy, ...fault))).toEqual(["a"]);
});

test("coref takes outputs whose names nobody used before those that were used", () => {
	const shows = (name: string) => `export const ${name} = 1;\n${long}`;
	const session = [
		user("go"),
		...[read("used", "a.ts"), result("used", shows("veryUsefulName"))],
		...[read("unused", "b.ts"), result("unused", shows("otherUnusedName"))],
		reply(says("now veryUsefulName it is"), calls("e", "edit", { path: "c.ts", oldText: "veryUsefulName" })),
		...[result("e", "ok"), read("last", "d.ts"), result("last", long)],
	];
	const left = lastRequest("coref:low=.8", ...session).flatMap((message) =>
		message.role === "toolResult" ? [message.toolCallId] : [],
	);
	expect(left).toContain("used");
	expect(left).not.toContain("unused");
});

test("dcp keeps the newest of repeated outputs, and drops what a file held before it was read again", () => {
	const session = [
		user("go"),
		...[
			read("1", "a"),
			result("1", long),
			read("2", "b"),
			result("2", long),
			read("3", "a"),
			result("3", long),
		],
		...[reply(calls("w", "write", { path: "src/c.ts", content: long })), result("w", "ok")],
	];
	const written = (messages: readonly HostMessage[]) => JSON.stringify(messages).includes("[input omitted]");
	const before = lastRequest("dcp", ...session);
	expect(omitted(before)).toEqual(["1"]);
	expect(written(before)).toBe(false);
	expect(written(lastRequest("dcp", ...session, read("4", "src/c.ts"), result("4", long)))).toBe(true);
});

test("trim shortens the output of a command from its first request on, and no other output", () => {
	const lines = Array.from({ length: 200 }, (_, n) => `line ${n}\n\n`).join("");
	const run = [reply(calls("c", "bash", { command: "npm test" })), result("c", lines)];
	const look = [read("r", "a"), result("r", lines)];
	const texts = lastRequest("trim", user("go"), ...run, ...look).flatMap((message) =>
		message.role === "toolResult" ? [JSON.stringify(message.content)] : [],
	);
	expect(texts[0]).toContain("line 19\\n[140 lines omitted]\\nline 160");
	expect(texts[1]).toContain("line 100");
});
