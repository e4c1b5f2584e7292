import { expect, test } from "vitest";
import { splitLabelled } from "./labelled-lines.ts";
import examples from "./labelled-lines-examples.json" with { type: "json" };

test.each(examples)("$text is labelled as $labelled", ({ text: line, labelled }) => {
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
