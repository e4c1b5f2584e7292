import { expect, test } from "vitest";
import { foldTranscript } from "#core/graph";
import { defaultToolTable } from "#pi";
import { type HostMessage, messageKey, readMessage, toolCallsOf } from "#pi/codec";
import * as say from "../test-support/messages.ts";
import { type Annotation, annotateMessages } from "./annotation.ts";

const { calls, countQuarters, inOrder, reply, result, says, thinks, user } = say;

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
	const { episodes } = foldTranscript(transcript, defaultToolTable);
	return episodes.map(({ origin, kind, state }) => `${origin} ${kind} ${state}`);
}

test("as recorded, the model's own marks count", () => {
	expect(annotateMessages(marked, "recorded")).toBe(marked);
	const found = ["declared expl closed", "inferred act closed", "inferred expl open"];
	expect(episodes("recorded", marked)).toEqual(found);
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
	const found = ["expl closed", "act closed", "expl open"].map((words) => `inferred ${words}`);
	expect(episodes("inferred", marked)).toEqual(found);
});

test("by runs, each run of reading or changing replies of a turn is one, and an act declares what it built upon", () => {
	const session = inOrder(
		user("fix a"),
		reply(says("I look"), calls("r1", "read", { path: "src/a.ts" })),
		result("r1", "text"),
		reply(calls("r2", "grep", { pattern: "b" })),
		result("r2", "text"),
		reply(says("found it"), calls("w1", "edit", { path: "src/a.ts" })),
		result("w1", "ok"),
		user("and b"),
		reply(calls("r3", "read", { path: "src/b.ts" })),
		result("r3", "text"),
		reply(calls("w2", "edit", { path: "src/a.ts" })),
		result("w2", "ok"),
		user("and c"),
		reply(calls("w3", "edit", { path: "src/c.ts" })),
		result("w3", "ok"),
	);
	const found = ["expl closed", "act closed", "expl closed", "act closed", "act open"];
	expect(episodes("runs", session)).toEqual(found.map((words) => `declared ${words}`));
	const made = annotateMessages(session, "runs").flatMap(toolCallsOf);
	const marks = made.flatMap(({ name, arguments: args }) => (name === "delimiter" ? [args] : []));
	expect(marks.map((mark) => mark.dependencies ?? mark.description ?? mark.action)).toEqual([
		...["start", "I look", ["run-1"], "end", "start", "found it", ["run-1", "run-3"], "end", []],
	]);
});
