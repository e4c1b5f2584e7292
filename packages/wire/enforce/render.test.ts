import { expect, test } from "vitest";
import { createConversations } from "../conversation/follow-conversation.ts";
import { anthropicMessages } from "../formats/anthropic-messages.ts";
import { quarters, readingSession } from "../test-support/small-requests.ts";
import { renderRequest } from "./render.ts";

/** Escapes that few writers use, numbers that no parser gives back, and a byte that is no UTF-8. */
const ODD = `"\\u00e9 \\/ \xff"`;
const block = `{ "type":"text", "text":${ODD}, "x":1.0, "y":9007199254740993 }`;
const added = '{"type":"text","text":"[line]"}';

test.each([
	["a text", ODD, `${ODD.slice(0, -1)}\\n\\n[line]"`],
	["a list", `[ ${block}\n]`, `[ ${block},${added}\n]`],
	["an empty list", "[ ]", `[${added} ]`],
	["no known form", "1.0", '"[line]"'],
])("a line is added to a result without a change of its other bytes: %s", (_, content, expected) => {
	const [before = "", after = ""] = JSON.stringify(readingSession(2, 1)).split('"1"');
	const body = Buffer.from(before + content + after, "latin1");
	const conversations = createConversations(quarters, (entry) => entry);
	const { request, transcript } = conversations.follow(body, anthropicMessages);
	const rendered = renderRequest(request, anthropicMessages, transcript, {
		parts: [
			...[0, 1, 2].map((message) => ({ type: "whole", message }) as const),
			{ type: "marker", message: 3, text: "[line]" },
			...[3, 4].map((message) => ({ type: "whole", message }) as const),
		],
		offerRecall: (line) => line,
	});
	expect(rendered.toString("latin1")).toBe(before + expected + after);
});
