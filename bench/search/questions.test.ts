import { expect, test } from "vitest";
import { answerTo, listQuestions } from "./ways.ts";

const parse = "export function urlEquals(text) {\n\tconst one = 1;\n\treturn text;\n}\n";
const send = "export const sendHeader = (text) => {\n\turlEquals(text);\n};\n";
const tree = new Map([
	["src/audio-url.ts", parse],
	["src/send.ts", send],
]);

test("every answer consists of the lines of the tree that have to be seen", () => {
	const answer = (type: "definition" | "uses" | "exports", about: string) => answerTo({ type, about }, tree);
	expect(answer("definition", "urlEquals")).toEqual([
		{ path: "src/audio-url.ts", lines: parse.split("\n").slice(0, 4) },
	]);
	expect(answer("uses", "urlEquals").map(({ lines }) => lines)).toEqual([
		["export function urlEquals(text) {"],
		["\turlEquals(text);"],
	]);
	expect(answer("exports", "audio").map(({ path }) => path)).toEqual(["src/audio-url.ts"]);
	expect(listQuestions(2)).toHaveLength(6);
});
