import fc from "fast-check";
import { expect, test } from "vitest";
import { MAX_NAME_LENGTH, nameText, quote, quoteStart, showName, unquote, visibleText } from "./quote.ts";

const odd = fc.constantFrom(
	...'\n\r\u2028\u0085\u202e\u200b\ufeff\u001b\u00ad\u034f\u115f\u180e\u3164\ufe0f\u{e0041}\ue000\u2800\u00a0"\\]',
	"\ud800",
	"\u0301\u0302\u0303",
);
const text = fc.oneof(
	fc.string({ unit: "binary" }),
	fc.array(odd).map((parts) => parts.join("")),
);

const HIDDEN =
	/\p{Cc}|\p{Cf}|\p{Cs}|\p{Co}|\p{Zl}|\p{Zp}|\u034f|\u115f|\u180e|\u3164|\ufe0f|[\u{e0000}-\u{e0fff}]|\u2800|\u00a0|\p{M}{5}/u;

test("a quoted text is one line of printable characters and parses to what it was", () => {
	fc.assert(
		fc.property(text, (original) => {
			const quoted = quote(original);
			expect(quoted).not.toMatch(HIDDEN);
			expect(JSON.parse(quoted)).toBe(original);
		}),
	);
});

test("a text that is too long is cut behind the quotes, where no text can reach", () => {
	expect(quoteStart("abc", 3)).toBe('"abc"');
	expect(quoteStart('ab"..."', 3)).toBe('"ab\\""...');
	expect(quoteStart("ab😀c", 3)).toBe('"ab"...');
});

test("a name to read and to type is bare or in quotes, short, and finds its episode again", () => {
	fc.assert(
		fc.property(text, (name) => {
			const shown = nameText(name);
			expect(shown).not.toMatch(HIDDEN);
			expect(shown.length).toBeLessThanOrEqual(12 * MAX_NAME_LENGTH + 5);
			expect(shown.startsWith('"') || /^\S+$/.test(shown)).toBe(true);
			if (name.length <= MAX_NAME_LENGTH && name !== "") expect(unquote(shown)).toBe(name);
		}),
	);
	expect(nameText("fix-parser.2/é#1")).toBe("fix-parser.2/é#1");
	expect(nameText("fix the parser")).toBe('"fix the parser"');
	expect(nameText("n".repeat(MAX_NAME_LENGTH))).toBe("n".repeat(MAX_NAME_LENGTH));
	expect(nameText("n".repeat(100))).toBe(`"${"n".repeat(MAX_NAME_LENGTH)}"...`);
});

test("a name in quotes that is no JSON is what stands between them", () => {
	expect(unquote('"a\\q"')).toBe("a\\q");
	expect(unquote(' "fix it"... ')).toBe("fix it");
	expect(unquote('"')).toBe('"');
});

test("text of several lines keeps its lines and shows a sign for what would hide or turn it", () => {
	expect(visibleText("a\n\tb")).toBe("a\n\tb");
	expect(visibleText("a\r\u202eb\u{e0041}c\u034f\u001b[2J")).toBe("a\ufffd\ufffdb\ufffdc\ufffd\ufffd[2J");
	expect(visibleText("10\u00a0000 x\u2003y")).toBe("10 000 x y");
	fc.assert(
		fc.property(text, (any) => {
			for (const part of visibleText(any).split(/[\n\t]/)) expect(part).not.toMatch(HIDDEN);
		}),
	);
});

/** Any code point that one of the two leaves as it is, the other does too, apart from signs that need quotes only. */
test("names of files and names of episodes hide the same characters", () => {
	const differing: string[] = [];
	for (let point = 0x80; point <= 0x10ffff; point += 1) {
		const char = String.fromCodePoint(point);
		// Bytes that are not UTF-8 have a form of their own, and odd spaces pose in a file's name only.
		if (/\p{Cs}|\p{Zs}/u.test(char)) continue;
		if (quote(char).includes(char) !== showName(char).includes(char)) differing.push(point.toString(16));
	}
	expect(differing).toEqual([]);
});
