import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { expect, test } from "vitest";
import { countTokens } from "./tokens.ts";

const LINES = Array.from({ length: 400 }, (_, line) => `const value${line} = call(${line}, "text");`).join(
	"\n",
);

test.each([
	["short runs", LINES],
	["a long run of characters that take two units", `x${"\u{1f600}".repeat(3000)}`],
])("counts %s as the tokenizer does", (_, text) => {
	expect(countTokens(text)).toBe(encode(text).length);
});

test("counts control tokens as the text they are", () => {
	expect(countTokens("<|endoftext|>")).toBeGreaterThan(1);
});

test.each(["a", " ", "-"])("stays within a hundredth on an unbroken run of %j", (unit) => {
	const run = `x${unit.repeat(3000)}`;
	const exact = encode(run).length;
	expect(Math.abs(countTokens(run) - exact)).toBeLessThanOrEqual(Math.ceil(exact / 100));
});
