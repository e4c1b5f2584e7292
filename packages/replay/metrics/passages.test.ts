import fc from "fast-check";
import { expect, test } from "vitest";
import { createTextSearch, type Passage, squash } from "./passages.ts";

test.each([
	["     1→\tconst a = 1;\n     2→\n     3→\treturn a;", "const a = 1;\n\nreturn a;"],
	["src/a.ts:12:const a = 1;\nsrc/a.ts-13-return a;", "const a = 1;\nreturn a;"],
	["  1\tconst a = 1;\r\n  2\treturn a;", "const a = 1;\n  return a;"],
])("line numbers and white space are left out of %j", (shown, text) => {
	expect(squash(shown)).toBe(squash(text));
});

test("finds exactly the passages that show the text, in order", () => {
	const text = fc.string({ unit: fc.constantFrom("a", "b", " "), maxLength: 6 });
	const needle = fc.string({ unit: fc.constantFrom("a", "b"), minLength: 1, maxLength: 3 });
	fc.assert(
		fc.property(fc.array(text, { minLength: 1 }), needle, fc.nat({ max: 12 }), (texts, searched, limit) => {
			const passages = texts.map(
				(each, message): Passage => ({ message, block: 0, author: "tool", text: each }),
			);
			const found = createTextSearch(passages)(searched, limit);
			expect(found).toEqual(passages.slice(0, limit).filter((each) => squash(each.text).includes(searched)));
		}),
	);
});
