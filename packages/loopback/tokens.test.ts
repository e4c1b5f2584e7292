import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { expect, test } from "vitest";
import { countTokens } from "./tokens.ts";

const LINES = Array.from({ length: 400 }, (_, line) => `const value${line} = call(${line}, "text");`).join(
	"\n",
);

test("counts as the tokenizer does where runs are short", () => {
	expect(countTokens(LINES)).toBe(encode(LINES).length);
});

test("counts control tokens as the text they are", () => {
	expect(countTokens("<|endoftext|>")).toBeGreaterThan(1);
});

test.each([["a"], [" "], ["-"], ["\u{1f600}"]])(
	"stays within a hundredth on an unbroken run of %j",
	(unit) => {
		const run = `x${unit.repeat(3000)}`;
		const exact = encode(run).length;
		expect(Math.abs(countTokens(run) - exact)).toBeLessThanOrEqual(Math.ceil(exact / 100));
	},
);

test("never cuts a character in two", () => {
	const run = `x${"\u{1f600}".repeat(3000)}`;
	expect(countTokens(run)).toBe(encode(run).length);
});
