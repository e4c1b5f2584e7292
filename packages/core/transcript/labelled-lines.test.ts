import { expect, test } from "vitest";
import { splitLabelled } from "./labelled-lines.ts";

test.each([
	["Task: port the parser", "task=port the parser"],
	["- Decided: no new   dependency", "decision=no new dependency"],
	["* to do: tests", "todo=tests"],
	["To-do: docs", "todo=docs"],
	["1. **Done:** docs", "done=docs"],
	["**Open**: why is it slow?", "open=why is it slow?"],
	["Constraint: keep the API", "constraint=keep the API"],
	[
		"It is in a.ts. Decided: keep it; To do: tests, docs; Open: none.",
		"decision=keep it todo=tests, docs open=none.",
	],
	["Read it (Decided: keep it", "decision=keep it"],
	["src/a.ts: the task: x\nNote: y\nconstructor: z\nTask:\nTask: ", ""],
	["http://Open:80 Decided:now", ""],
	["```yaml\nopen: true\n```\nI decided to keep it. Next steps: the docs", ""],
])("%j is labelled as %j", (line, labelled) => {
	expect(
		splitLabelled(line)
			.labelled.map(({ kind, text }) => `${kind}=${text}`)
			.join(" "),
	).toBe(labelled);
});

test("the words around a label in the middle of a line stay, and lines without one are as they were", () => {
	expect(splitLabelled("It is in a.ts. Decided: keep it.\n- Done: x\n  - plain").rest).toEqual([
		"It is in a.ts.",
		"  - plain",
	]);
});
