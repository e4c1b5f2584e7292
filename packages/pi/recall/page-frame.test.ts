import { expect, test } from "vitest";
import { joinRecalled } from "./page-frame.ts";

const page = (...lines: readonly string[]) => ['recall "x": in 2 parts.', ...lines, "---"].join("\n");

test("a text that goes on from page to page is put together, at a line end or inside a line", () => {
	const first = page('--- "e#1" read {} result, lines 1-2 of 4, cut to character 3', "one", "two");
	const second = page('--- "e#1" result, lines 2-3 of 4, cut from character 4', "-and", "three");
	const third = page('--- "e#1" result, lines 4-4 of 4', "four");
	expect(joinRecalled([first, second, third])).toEqual(["one\ntwo-and\nthree\nfour"]);
});

test("stretches from the middle of texts stay apart", () => {
	const found = page(
		'--- "e#1" read {} result, lines 5-6 of 9',
		"five",
		"six",
		'--- "e#1" result, lines 8-8 of 9',
		"eight",
		'--- "e#2" read {} result, lines 9-9 of 9',
		"nine",
	);
	expect(joinRecalled([found])).toEqual(["five\nsix", "eight", "nine"]);
});
