import { expect, test } from "vitest";
import type { HostMessage } from "#pi/codec";
import * as say from "../../pi/test-support/host-messages.ts";
import { calls, inOrder, marker, reply, result, says, thinks, user } from "../test-support/messages.ts";
import { alignRequest } from "./alignment.ts";
import { type CheckedRequest, createRuleCheck } from "./rules.ts";

const history = inOrder(
	user("begin"),
	reply(thinks("hm"), calls("1|fc_1", "read"), calls("2", "read")),
	result("1|fc_1", "a"),
	result("2", "b"),
	user("go on"),
	reply(says("done"), calls("3", "read")),
	result("3", "c"),
	reply(calls("4", "read")),
	user("and then"),
);

const pass = { before: 9, after: 5 };

function request(messages: readonly HostMessage[], marks: Partial<CheckedRequest> = {}): CheckedRequest {
	const alignment = alignRequest(history, messages);
	return { index: 7, history, messages, alignment, pass, fits: false, isExtension: false, ...marks };
}

/** The rules that the last of some requests breaks. */
function broken(...requests: readonly CheckedRequest[]): readonly string[] {
	const check = createRuleCheck();
	return (requests.map(check).at(-1) ?? []).map(({ rule }) => rule);
}

function without(...indexes: readonly number[]): readonly HostMessage[] {
	return history.filter((_, i) => !indexes.includes(i));
}

function withPart(index: number, blocks: readonly number[]): readonly HostMessage[] {
	return history.map((message, i) => {
		if (i !== index || message.role !== "assistant") return message;
		return { ...message, content: message.content.filter((_, block) => blocks.includes(block)) };
	});
}

test("the history itself breaks no rule", () => {
	expect(broken(request(history, { fits: true, pass: undefined, isExtension: true }))).toEqual([]);
});

test("whole pairs, markers in their place and ids without their suffix break no rule", () => {
	const renamed = withPart(1, [1]).map((message) => {
		if (message.role === "toolResult" && message.toolCallId === "1|fc_1")
			return { ...message, toolCallId: "1" };
		if (message.role !== "assistant" || message.timestamp !== 2) return message;
		return { ...message, content: [calls("1", "read")] };
	});
	const projected = renamed.filter((_, i) => ![3, 5, 6].includes(i)).toSpliced(1, 0, marker("[evicted]"));
	expect(broken(request(projected))).toEqual([]);
});

test.each<[string, CheckedRequest]>([
	["identity", request(without(5, 6), { fits: true })],
	["prologue", request(without(0))],
	["user-turns", request(without(4))],
	[
		"user-turns",
		request(history.map((m, i) => (i === 4 ? { ...m, content: "go on!" } : m)) as HostMessage[]),
	],
	["order", request([...without(5, 6), ...history.slice(5, 7)])],
	["order", request([...history, user("never said")])],
	["pairs", request(without(2))],
	["pairs", request(withPart(1, [0, 2]))],
	["prefix", request(history, { pass: undefined })],
	["pass", request(history, { pass: { before: 9, after: 10 } })],
])("%s", (rule, checked) => {
	expect(broken(checked)).toContain(rule);
});

test("what has left does not come back, whole or in part", () => {
	const gone = request(without(1, 2, 3));
	expect(broken(gone, request(history))).toEqual(["levels"]);
	const partly = request(withPart(1, [1, 2]));
	expect(broken(partly, request(history))).toEqual(["levels"]);
	expect(broken(request(history), partly)).toEqual([]);
	expect(broken(partly, gone)).toEqual([]);
	// Hosts hand over a copy of all messages for each request.
	const picture = say.result("2", [say.words("b"), say.image]);
	const seen = inOrder(...history.with(3, picture));
	const requests = [seen, structuredClone(seen)].map((messages) => {
		return { ...request(messages), history: messages, alignment: alignRequest(messages, messages) };
	});
	expect(broken(...requests)).toEqual([]);
});
