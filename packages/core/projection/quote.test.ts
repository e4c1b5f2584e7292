import fc from "fast-check";
import { expect, test } from "vitest";
import { quote, quoteStart } from "./quote.ts";

const odd = fc.constantFrom(
	"\n",
	"\r",
	"\u2028",
	"\u0085",
	"\u202e",
	"\u200b",
	"\ufeff",
	"\u001b",
	'"',
	"\\",
	"]",
);
const text = fc.oneof(
	fc.string({ unit: "binary" }),
	fc.array(odd).map((parts) => parts.join("")),
);

test("a quoted text is one line of printable characters and parses to what it was", () => {
	fc.assert(
		fc.property(text, (original) => {
			const quoted = quote(original);
			expect(quoted).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]/u);
			expect(JSON.parse(quoted)).toBe(original);
		}),
	);
});

test("a text that is too long is cut behind the quotes, where no text can reach", () => {
	expect(quoteStart("abc", 3)).toBe('"abc"');
	expect(quoteStart('ab"..."', 3)).toBe('"ab\\""...');
});
