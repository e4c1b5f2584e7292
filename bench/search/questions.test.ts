import { expect, test } from "vitest";
import { makeQuestions } from "./questions.ts";

const tree = new Map([
	[
		"src/parse-header.ts",
		"export function parseHeader(text) {\n\tconst one = 1;\n\tconst two = 2;\n\treturn text;\n}\n",
	],
	["src/send-header.ts", "export const sendHeader = (text) => {\n\tparseHeader(text);\n};\n"],
]);

test("every answer consists of lines of the tree and is complete", () => {
	const questions = makeQuestions(tree, 5);
	expect(questions.map((question) => question.type)).toEqual(["definition", "uses", "exports"]);
	const [definition, uses, exported] = questions.map(({ answer }) => answer);
	expect(definition).toEqual([
		{ path: "src/parse-header.ts", lines: tree.get("src/parse-header.ts")?.split("\n").slice(0, 5) },
	]);
	expect(uses?.map(({ path }) => path)).toEqual([...tree.keys()]);
	expect(exported?.map(({ lines }) => lines.length)).toEqual([1, 1]);
});

test("no question asks for a name that is defined twice", () => {
	const twice = new Map([...tree, ["copy.ts", tree.get("src/parse-header.ts") ?? ""]]);
	expect(makeQuestions(twice, 5).map(({ type }) => type)).toEqual(["exports"]);
});

test("makes no more questions than asked for, the same ones each time", () => {
	expect(makeQuestions(tree, 1)).toHaveLength(3);
	expect(makeQuestions(tree, 1)).toEqual(makeQuestions(tree, 1));
});
