import { expect, test } from "vitest";
import { foldTranscript } from "#core";
import type { HostMessage } from "#pi";
import { messageKey, readMessage } from "#pi";
import {
	calls,
	countQuarters,
	inOrder,
	reply,
	result,
	says,
	thinks,
	user,
} from "../test-support/messages.ts";
import { type Annotation, annotateMessages, countAnnotation, kindsFor } from "./annotation.ts";

const start = { action: "start", name: "look", type: "expl" };
const marked = inOrder(
	user("go"),
	reply(thinks("hm"), calls("s", "delimiter", start), calls("r", "read", { path: "a" })),
	result("s", "ok"),
	result("r", "text of a"),
	reply(calls("e", "delimiter", { action: "end", description: "a is fine" })),
	result("e", "ok"),
	reply(says("now the change"), calls("w", "edit", { path: "a", oldText: "x" })),
	result("w", "ok"),
	user("and?"),
	reply(says("done")),
);

/** The episodes that a session has under a way of annotating it. */
function episodes(annotation: Annotation, messages: readonly HostMessage[]) {
	const transcript = annotateMessages(messages, annotation).map((message, index) =>
		readMessage(message, index, `${index} ${messageKey(message)}`, countQuarters),
	);
	const { episodes } = foldTranscript(transcript, kindsFor(annotation));
	return episodes.map(({ origin, kind, state }) => `${origin} ${kind} ${state}`);
}

test("as recorded, the model's own marks count", () => {
	expect(annotateMessages(marked, "recorded")).toBe(marked);
	expect(episodes("recorded", marked)).toEqual([
		"declared expl closed",
		"inferred act closed",
		"inferred expl open",
	]);
});

test("inferred, the marks are gone with their results, and with replies that held nothing else", () => {
	const bare = annotateMessages(marked, "inferred");
	expect(JSON.stringify(bare)).not.toContain("delimiter");
	expect(bare).toHaveLength(marked.length - 4 + 1);
	expect(bare).toEqual([
		marked[0],
		{ ...marked[1], content: [thinks("hm"), calls("r", "read", { path: "a" })] },
		...[marked[3], marked[6], marked[7], marked[8], marked[9]],
	]);
	expect(episodes("inferred", marked)).toEqual([
		"inferred expl closed",
		"inferred act closed",
		"inferred expl open",
	]);
});

test("by turns, each user turn that makes calls is one declared episode", () => {
	const asks = (n: number) => [
		user(`turn ${n}`),
		reply(says(`I look ${n}`), calls(`r${n}`, "read", { path: "a" })),
		result(`r${n}`, "text"),
		reply(says(`it is ${n}`)),
	];
	const session = inOrder(...asks(1), user("thanks"), reply(says("welcome")), ...asks(2), ...marked);
	expect(episodes("turns", session)).toEqual([
		"declared expl closed",
		"declared expl closed",
		"declared act open",
	]);
	expect(JSON.stringify(annotateMessages(session, "turns"))).toContain("it is 1");
});

test("with none, nothing but user turns tells episodes apart", () => {
	expect(episodes("none", marked)).toEqual(["inferred expl closed", "inferred expl open"]);
});

test("requests that only annotate are counted", () => {
	expect(countAnnotation(marked)).toEqual({ requests: 4, only: 1 });
});
