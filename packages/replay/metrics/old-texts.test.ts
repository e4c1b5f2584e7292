import { expect, test } from "vitest";
import { findOldTexts } from "./needs.ts";

test.each([
	[{ path: "a", oldText: "old", newText: "new" }],
	[{ file_path: "a", old_string: "old", new_string: "new" }],
	[{ command: "str_replace", old_str: "old", new_str: "new" }],
	[{ search: "old", replace: "new" }],
	[{ path: "a", edits: [{ oldText: "old", newText: "new" }] }],
])("what %j replaces", (args) => {
	expect(findOldTexts(args)).toEqual(["old"]);
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

test("context and removed lines of each hunk", () => {
	expect(findOldTexts({ input: patch })).toEqual(["context\nwas", "gone"]);
});

test("a patch in a here-document, and two of them", () => {
	const command = `apply_patch <<'EOF'\n${patch}\nEOF\n${patch}`;
	const once = ["context\nwas", "gone"];
	expect(findOldTexts({ command: ["bash", "-lc", command] })).toEqual([...once, ...once]);
});

test("a patch as a string of a script", () => {
	const quoted = patch.replace("-was", '-say("\\t")');
	const script = `await tools.apply_patch(${JSON.stringify(quoted)});`;
	expect(findOldTexts({ input: script })).toEqual(['context\nsay("\\t")', "gone"]);
});

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

test("context and removed lines of a unified diff, and nothing past its hunks", () => {
	const command = `git apply <<'EOF'\n${diff}\nEOF\necho done`;
	expect(findOldTexts({ command })).toEqual(["context\n-- was\nmore", "gone"]);
	expect(findOldTexts({ path: "a.diff", content: diff })).toEqual([]);
});

test("other calls have none", () => {
	expect(findOldTexts({ command: "ls", limit: 3, nothing: null, search: "x" })).toEqual([]);
});
