import { expect, test } from "vitest";
import { findOldTexts } from "./needs.ts";

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
