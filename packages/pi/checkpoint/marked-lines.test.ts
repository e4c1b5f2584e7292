import { expect, test } from "vitest";
import { markedLines } from "./marked-lines.ts";

test("lines that begin with a known word are marked, with or without a bullet, whatever the case", () => {
	const description = [
		"The parser is in src/parse.ts.",
		"Task: port the parser",
		"- Decided: no new   dependency",
		"* to do: tests",
		"To-do: docs",
		"TODO: types",
		"Done: docs",
		"Open: why is it slow?",
		"Constraint: keep the API",
	].join("\n");
	expect(markedLines(description).map(({ kind, text }) => `${kind}=${text}`)).toEqual([
		...["task=port the parser", "decision=no new dependency", "todo=tests", "todo=docs", "todo=types"],
		...["done=docs", "open=why is it slow?", "constraint=keep the API"],
	]);
});

test("other words, and words inside of a line, mark nothing", () => {
	expect(markedLines("src/a.ts: the task: x\nNote: y\nconstructor: z\nTask:\nTask: ")).toEqual([]);
});
