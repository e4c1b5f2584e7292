import { describe, expect, test } from "vitest";
import type { ProjectedPart } from "#core/projection";
import * as say from "../test-support/host-messages.ts";
import { renderProjection } from "./rendering.ts";

const whole = (message: number): ProjectedPart => ({ type: "whole", message });
const part = (message: number, ...blocks: number[]): ProjectedPart => ({ type: "part", message, blocks });

test("a marker is a message of ours that people do not see, with the time of the message it stands before", () => {
	const asked = say.user("go", 7);
	const rendered = renderProjection([{ type: "marker", message: 0, text: "one\ntwo" }, whole(0)], [asked]);
	expect(rendered).toEqual([say.custom("cwl.marker", "one\ntwo", 7), asked]);
});

test("after a tool's result a marker is a text of it, so that it does not end the tool loop that it stands in", () => {
	const loop = say.inOrder(
		say.user("go"),
		say.reply(say.calls("c1")),
		say.result("c1", "A"),
		say.reply(say.calls("c2")),
		say.result("c2", "B"),
	);
	const marker = { type: "marker", message: 3, text: "one" } as const;
	const rendered = renderProjection([...[0, 1, 2].map(whole), marker, ...[3, 4].map(whole)], loop);
	expect(rendered.map(({ role }) => role)).toEqual(loop.map(({ role }) => role));
	expect(rendered[2]).toEqual({ ...loop[2], content: [say.words("A"), say.words("one")] });
	expect(loop[2]).toMatchObject({ content: [say.words("A")] });
});

describe("a marker after an answer", () => {
	const loop = say.inOrder(say.user("go"), say.reply(say.calls("c1")), say.result("c1", []));
	const rendered = (stopReason: "toolUse" | "stop", before = loop) => {
		const messages = [...before, { ...say.reply([say.thinks()]), stopReason }];
		const parts = messages.map((_, index) => whole(index));
		return renderProjection([...parts, { type: "marker", message: before.length, text: "one" }], messages);
	};

	test("in mid-loop is a text of the result before it", () => {
		expect(rendered("toolUse")[2]).toEqual({ ...loop[2], content: [say.words("one")] });
		expect(rendered("toolUse")).toHaveLength(4);
	});

	test("of a loop without results stands before the loop", () => {
		expect(rendered("toolUse", loop.slice(0, 1)).map(({ role }) => role)).toEqual([
			"user",
			"custom",
			"assistant",
		]);
	});

	test("that ends its loop is a message after it", () => {
		expect(rendered("stop")[4]).toMatchObject({ role: "custom", content: "one" });
	});
});

test("calls that repeat an id, with item ids of their own, stay apart and keep their results without their reasoning", () => {
	const long = "a".repeat(64);
	const messages = say.inOrder(
		say.reply([say.thinks(), say.calls("a|fc_1"), say.calls("a|fc_2")]),
		say.result("a|fc_1", "first"),
		say.result("a|fc_2", "second"),
		say.reply([say.thinks(), say.calls(`${long}|fc_3`), say.calls(`${long}b|fc_4`)]),
		say.result(`${long}|fc_3`, "third"),
		say.result(`${long}b|fc_4`, "fourth"),
		say.reply(say.calls("a")),
		say.result("a", "fifth"),
	);
	const parts = [part(0, 1, 2), whole(1), whole(2), part(3, 1, 2), ...[4, 5, 6, 7].map(whole)];
	const ids = renderProjection(parts, messages).map((message) => {
		if (message.role === "toolResult") return [message.toolCallId];
		if (message.role !== "assistant") return [];
		return message.content.flatMap((block) => (block.type === "toolCall" ? [block.id] : []));
	});
	const calls = [0, 3, 6].flatMap((index) => ids[index] ?? []);
	// As pi gives them to Anthropic, which refuses an id that comes twice.
	expect(new Set(calls.map((id) => id.slice(0, 64))).size).toBe(5);
	expect([1, 2, 4, 5, 7].flatMap((index) => ids[index] ?? [])).toEqual(calls);
	expect(calls[0]).toBe("a");
	for (const id of calls) expect(id).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
	for (let end = 1; end <= parts.length; end += 1) {
		expect(renderProjection(parts.slice(0, end), messages)).toEqual(
			renderProjection(parts, messages).slice(0, end),
		);
	}
});

test("two calls of one message with one id keep one id, and so do their results", () => {
	const messages = say.inOrder(
		say.reply([say.thinks(), say.calls("a|fc_1"), say.calls("a|fc_1")]),
		say.result("a|fc_1", "first"),
		say.result("a|fc_1", "second"),
	);
	const rendered = renderProjection([part(0, 1, 2), whole(1), whole(2)], messages);
	expect(rendered[0]).toMatchObject({ content: [{ id: "a" }, { id: "a" }] });
	for (const result of rendered.slice(1)) expect(result).toMatchObject({ toolCallId: "a" });
});

test("a call id that a later message uses again is that message's own", () => {
	const messages = say.inOrder(
		say.reply([say.thinks(), say.calls("a|fc_1")]),
		say.result("a|fc_1", "first"),
		say.reply(say.calls("a|fc_1")),
		say.result("a|fc_1", "second"),
		say.reply([say.thinks(), say.says("aside"), say.calls("a|fc_1")]),
		say.result("a|fc_1", "third"),
	);
	const rendered = renderProjection(
		[part(0, 1), whole(1), whole(2), whole(3), part(4, 0, 2), whole(5)],
		messages,
	);
	const callIds = rendered.map((message) => {
		if (message.role === "toolResult") return message.toolCallId;
		return (
			message.role === "assistant" &&
			message.content.flatMap((b) => (b.type === "toolCall" ? b.id : [])).join()
		);
	});
	expect(callIds).toEqual(["a", "a", "a|fc_1", "a|fc_1", "a|fc_1", "a|fc_1"]);
});

test("when the signed call of a step leaves, the next call of the step carries its signature", () => {
	const signed = { ...say.calls("a"), thoughtSignature: "c2lnbmVk" };
	const step = [say.user("go"), say.reply([say.says("so"), signed, say.calls("b"), say.calls("c")])];
	expect(renderProjection([part(1, 0, 2, 3)], step)).toMatchObject([
		{ content: [say.says("so"), { ...say.calls("b"), thoughtSignature: "c2lnbmVk" }, say.calls("c")] },
	]);
	expect(renderProjection([part(1, 1, 3)], step)).toMatchObject([{ content: [signed, say.calls("c")] }]);
	expect(renderProjection([part(1, 0)], step)).toMatchObject([{ content: [say.says("so")] }]);
});

test("texts of one message that lost their reasoning are not taken for one item", () => {
	const reply = say.reply([say.thinks(), say.says("one", "msg_1"), say.says("two", "msg_2")], 7);
	const [rendered] = renderProjection([part(0, 1, 2)], [reply]);
	const signatures =
		rendered?.role === "assistant" &&
		rendered.content.map((block) => (block.type === "text" ? block.textSignature : undefined));
	expect(signatures).toEqual([undefined, "msg_7_1"]);
});
