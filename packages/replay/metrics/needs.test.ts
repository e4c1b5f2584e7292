import { expect, test } from "vitest";
import type { HostMessage } from "#pi/codec";
import { openRecording } from "../recording/recording.ts";
import { calls, countQuarters, recorded, reply, result, says, user } from "../test-support/messages.ts";
import { findNeeds, findOldTexts, type Need } from "./needs.ts";

/** The needs of the last reply, with the messages that show each. */
function needsOf(...messages: readonly HostMessage[]): readonly object[] {
	const recording = openRecording(recorded(...messages), countQuarters);
	const last = recording.turns.length - 1;
	const needs: readonly Need[] = findNeeds(recording, last).get(last) ?? [];
	return needs.map(({ sources, kind }) => ({ kind, shown: sources.map(({ message }) => message) }));
}

const edits = (old: string) => reply(calls("9", "edit", { oldText: old, newText: "x" }));
const line = "the line that stands in a";

test("an edit needs what shows its old text, where a result does", () => {
	const session = [user("go"), reply(calls("1", "read")), result("1", `  1\t${line}`)];
	expect(needsOf(...session, user("on"), edits(line))).toEqual([{ kind: "edit", shown: [2] }]);
	const again = [user(line), reply(says(line), calls("1", "read")), result("1", `before ${line} after`)];
	expect(needsOf(...again, edits(line))).toEqual([{ kind: "edit", shown: [0, 1, 2] }]);
});

test("what only the agent itself wrote is its own", () => {
	const wrote = reply(calls("1", "write", { path: "a", content: line }));
	expect(needsOf(user("go"), wrote, result("1", "ok"), edits(line))).toEqual([{ kind: "own", shown: [1] }]);
});

test("old texts that are short, shown later, or shown nowhere are no needs", () => {
	const read = [user("go"), reply(calls("1", "read")), result("1", "short one")];
	expect(needsOf(...read, edits("short one"))).toEqual([]);
	expect(needsOf(...read, edits(line))).toEqual([]);
	const recording = openRecording(recorded(...read, edits(line), result("9", line)), countQuarters);
	expect([...findNeeds(recording, 0).values()].flat()).toEqual([]);
});

test.each([
	["file", "src/a.ts", reply(calls("9", "read", { path: "/home/src/a.ts" }))],
	["identifier", "parseBudget", reply(says("I call parseBudget now"), calls("9", "bash", { command: "ls" }))],
])("a rare %s needs what shows it, when a result showed it first", (_, name, writes) => {
	const shown = [user("go"), reply(calls("1", "ls")), result("1", `${name} and more`)];
	expect(needsOf(...shown, writes)).toEqual([{ kind: "name", shown: [2] }]);
	expect(needsOf(user(name), ...shown.slice(1), writes)).toEqual([]);
	expect(needsOf(user("go"), reply(says(`${name}?`), calls("0", "ls")), ...shown.slice(1), writes)).toEqual(
		[],
	);
	expect(needsOf(user("go"), writes)).toEqual([]);
	const again = Array.from({ length: 3 }, () => result("1", name));
	expect(needsOf(...shown, ...again, writes)).toEqual([]);
});

test("identifiers inside an old text count as the edit", () => {
	const read = [user("go"), reply(calls("1", "read")), result("1", "call parseBudget(text)")];
	expect(needsOf(...read, edits("call parseBudget(text)"))).toMatchObject([{ kind: "edit" }]);
});

test("what a delimiter call says is no need", () => {
	const read = [user("go"), reply(calls("1", "ls")), result("1", "src/a.ts")];
	const ends = reply(calls("9", "delimiter", { action: "end", description: "src/a.ts is fine" }));
	expect(needsOf(...read, ends)).toEqual([]);
});

test("the last request needs labelled lines, descriptions of episodes and the last answer of each turn, in any language", () => {
	const labelled = reply(says("Ich lese weiter. Decided: keep the port"), calls("1", "read"));
	const marked = reply(calls("2", "delimiter", { action: "end", description: "der Port ist falsch" }));
	const answered = reply(says("Fertig: der Test ist grün."));
	const session = [user("go"), labelled, result("1", "x"), marked, result("2", "ok"), answered];
	const last = [user("on"), reply(says("Done."))];
	expect(needsOf(...session, ...last)).toEqual([
		{ kind: "conclusion", shown: [1] },
		{ kind: "conclusion", shown: [3] },
		{ kind: "conclusion", shown: [5] },
	]);
});

test("what the agent says next to a call is no conclusion, whatever words it uses", () => {
	const announced = reply(says("I found it because the bug was here: reading on."), calls("1", "read"));
	const session = [user("go"), announced, result("1", "x"), user("on"), reply(says("Done."))];
	expect(needsOf(...session)).toEqual([]);
});

const patch = `*** Begin Patch
*** Update File: src/a.ts
@@ function a
 context
-was
+is
@@
-gone
*** Add File: src/b.ts
+new
*** End Patch`;
const hunks = ["context\nwas", "gone"];

const diff = `--- a/src/a.ts
+++ b/src/a.ts
@@ -1,3 +1,3 @@ function a
 context
--- was
+is
 more
@@ -9 +9,2 @@
-gone
+here
+too
\\ No newline at end of file`;

const twice = `apply_patch <<'EOF'\n${patch}\nEOF\n${patch}`;
const quoted = JSON.stringify(patch.replace("-was", '-say("\\t")'));

test.each<[string, Readonly<Record<string, unknown>>, readonly string[]]>([
	["an edit of pi", { path: "a", oldText: "old", newText: "new" }, ["old"]],
	["an edit of Claude Code", { file_path: "a", old_string: "old", new_string: "new" }, ["old"]],
	["an edit of OpenHands", { command: "str_replace", old_str: "old", new_str: "new" }, ["old"]],
	["a search", { search: "old", replace: "new" }, ["old"]],
	["several edits", { path: "a", edits: [{ oldText: "old", newText: "new" }] }, ["old"]],
	["each hunk of a patch", { input: patch }, hunks],
	["patches in here-documents", { command: ["bash", "-lc", twice] }, [...hunks, ...hunks]],
	["a patch in a script", { input: `f(${quoted});` }, ['context\nsay("\\t")', "gone"]],
	["a diff", { command: `git apply <<'EOF'\n${diff}\nEOF\necho` }, ["context\n-- was\nmore", "gone"]],
	["no diff that is written", { path: "a.diff", content: diff }, []],
	["no other call", { command: "ls", limit: 3, nothing: null, search: "x" }, []],
])("the old texts of %s are found", (_, args, texts) => {
	expect(findOldTexts(args)).toEqual(texts);
});
