import { describe, expect, it } from "vitest";
import { exchange, replyTo, said, user } from "./test-support/exchange.ts";
import type { NewCall } from "./toolbox.ts";

const PATH = "lib/limits.js";
const TEXT = "function isWithin(lines) {\n  return lines.filter((line) => line.amount < 7)\n}\n";
const GREP: NewCall = { name: "grep", arguments: { pattern: "\\bisWithin\\b" } };
const READ: NewCall = { name: "read", arguments: { path: PATH } };
const FIXED = user(
	"There is a bug in the function `isWithin`: its comparison uses `<=` where it should use `<`. Please fix it there and only there.",
);
const UNDO = user(
	"The comparison that we changed in the function `isWithin` was right before we touched it. Please put back the operator that stood there, and change nothing else.",
);

const found = exchange(GREP, `${PATH}\n1: function isWithin(lines) {`);
const surveyed = (commands: readonly NewCall[]) =>
	commands.flatMap((call) => exchange(call, "abc the first commit"));

function consultHistory(): NewCall {
	const [consult] = replyTo([UNDO, ...found]).calls;
	if (!consult) throw new Error("expected a look into the history");
	return consult;
}

describe("a task that depends on an earlier one", () => {
	it("uses the earlier prompt while it is visible", () => {
		const seen = [...found, ...exchange(READ, TEXT)];
		const history = replyTo([FIXED, UNDO, ...seen]);
		const { calls } = replyTo([FIXED, UNDO, ...seen, ...surveyed(history.calls)]);
		expect(calls[0]).toMatchObject({
			name: "edit",
			arguments: { edits: [{ newText: "  return lines.filter((line) => line.amount <= 7)" }] },
		});
	});

	it("uses the git history once the prompt is evicted", () => {
		const consult = consultHistory();
		expect(String(consult.arguments.command)).toMatch(/^git log .*limits\.js'$/);
		const hunk = `@@ -2 +2 @@ function isWithin (value) {\n-  return value <= 7\n+  return value < 7\n`;
		const told = [...found, ...exchange(consult, `abc1234\n\ndiff --git a/x b/x\n${hunk}`)];
		const again = replyTo([UNDO, ...told]);
		expect(again.calls).toEqual([READ]);
		expect(again.text).toContain("isWithin compared with `<=` before and with `<` now");
	});

	it("uses its own note once the output of the git history is evicted", () => {
		const note = said("Step 3: Reading. Note: isWithin compared with `<=` before and with `<` now.");
		expect(replyTo([UNDO, note, ...found]).calls).toEqual([READ]);
	});

	it("is given up if the git history does not tell", () => {
		const { calls, text } = replyTo([UNDO, ...found, ...exchange(consultHistory(), "(no output)")]);
		expect(calls).toEqual([]);
		expect(text).toMatch(/^I stop here/);
	});
});
