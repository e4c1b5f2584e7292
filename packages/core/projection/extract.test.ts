import fc from "fast-check";
import { expect, test } from "vitest";
import { createExtracts, extract } from "./roll-up.ts";

const FINDING =
	"Tokens are checked in src/auth/verify.ts, called from src/server.ts and src/routes/login.ts. It was hard to see. " +
	"Expiry is 3600 seconds; renewToken was renamed to refreshToken.";

test("a text that fits is whole, on one line", () => {
	expect(extract("found\n  it ", 8)).toBe("found it");
	expect(extract(FINDING, 500)).toBe(FINDING);
	expect(extract("", 10)).toBe("");
});

test("the beginning stays, and of the rest the sentences with most names and numbers for their length, in order", () => {
	expect(extract(FINDING, 120)).toBe(
		"Tokens are checked in src/auth/verify.ts, called ... Expiry is 3600 seconds; renewToken was renamed to refreshToken.",
	);
	expect(extract(FINDING, 80)).toBe("Tokens are checked in ... renewToken was renamed to refreshToken.");
});

test("sentences without a name or number give their room to the beginning", () => {
	expect(extract("The parser is in src/parse.ts, mostly. It is slow. It is old. It is fine.", 45)).toBe(
		"The parser is in src/parse.ts, mostly.",
	);
});

test("a sentence is taken whole beside the first, or not at all where that has no room for it", () => {
	const telling = `It reads ${"x".repeat(36)} 42.`;
	const text = `Short one. ${telling} ${"And so on ".repeat(4)}.`;
	expect([telling.length, extract(text, 62)]).toEqual([49, `Short one. ${telling}`]);
	expect([extract(text, 61), extract(text, 60)]).toEqual([`Short one. ${telling}`, "Short one."]);
});

test("of sentences that tell as much, the earlier is taken; of others, the one that tells more for its length", () => {
	const same = "It began. See a.ts, line 1. See b.ts, line 2. Then it went on for a long while.";
	expect(extract(same, 30)).toBe("It began. See a.ts, line 1.");
	const long = "It also has to do with c.ts and d.ts, which were there from the very beginning.";
	expect(extract(`It began. ${long} See a.ts.`, 92)).toBe("It began. See a.ts.");
});

test("a beginning that fits exactly is whole, and a word that ends in the first half is no place to cut", () => {
	expect(extract("alpha beta x. It is slow and so on.", 13)).toBe("alpha beta x.");
	expect(extract("abcde fghijklmno", 10)).toBe("abcde fghi");
	expect(extract("abcdef ghijklmno", 10)).toBe("abcdef");
});

test("a word is not cut in two unless it takes more than half of the room", () => {
	expect(extract("alpha beta gamma", 12)).toBe("alpha beta");
	expect(extract("abcdefghijklmnop", 5)).toBe("abcde");
});

test("an extract has at most so many characters, each word of it stands in the text, and no character is halved", () => {
	const word = fc.constantFrom(
		"src/a.ts",
		"is",
		"1234",
		"oldName",
		"\u{1f600}".repeat(9),
		"x".repeat(50),
		"end.",
		"so;",
	);
	fc.assert(
		fc.property(fc.array(word, { maxLength: 40 }), fc.nat(200), (words, most) => {
			const text = words.join(" ");
			const short = extract(text, most);
			expect(short.length).toBeLessThanOrEqual(most);
			expect(short).not.toMatch(/\p{Cs}/u);
			expect(extract(text, most)).toBe(short);
			for (const part of short.split(" ")) if (part !== "...") expect(text).toContain(part);
		}),
	);
});

test("extracts of several lengths are those of each length by itself, in any order", () => {
	const extractWith = createExtracts(FINDING);
	for (const most of [120, 40, 500, 80, 0, 120]) expect(extractWith(most)).toBe(extract(FINDING, most));
});
