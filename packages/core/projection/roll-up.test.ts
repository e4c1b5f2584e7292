import fc from "fast-check";
import { expect, test } from "vitest";
import type { Item } from "../transcript/transcript.ts";
import { extract, type IndexedEpisode, rollUpText } from "./roll-up.ts";

const of = (name: string, description?: string, path?: string, tokens = 1): IndexedEpisode => ({
	name,
	tokens,
	description,
	items: path === undefined ? [] : [readOf(path)],
});
const readOf = (path: string): Item => ({
	...{ type: "call", id: "c", callId: "c", message: 0, tokens: 1, tool: "read", arguments: {} },
	digest: { lines: [], paths: [path] },
});
const characters = (text: string) => text.length;
const bare = (episodes: readonly IndexedEpisode[]) => rollUpText(episodes, characters, 0);

test("the line of a group adds up what went, to the token where it is little", () => {
	const sum = (a: number, b: number) =>
		bare([of("a", undefined, undefined, a), of("a", undefined, undefined, b)]);
	expect(sum(40, 40)).toContain("[2 episodes, evicted 80;");
	expect(sum(499, 500)).toContain("evicted 999;");
	expect(sum(500, 500)).toContain("evicted 1.0k;");
	expect(sum(99_950, 50)).toContain("evicted 100.0k;");
});

test("the line of a group names up to eight episodes, of more the first and the last, and their files by count", () => {
	const many = Array.from({ length: 9 }, (_, at) => of(`e${at}`, "said", at === 0 ? "once.ts" : "often.ts"));
	expect(bare(many.slice(0, 8))).toMatch(/: "e0", "e1", "e2", "e3", "e4", "e5", "e6", "e7"\]$/);
	expect(bare(many)).toMatch(/: "e0" to "e8"\]$/);
	expect(bare(many)).toContain("evicted 9: often.ts, once.ts; recall");
	expect(bare([of("a", "", "x.ts"), of("b", "", "y.ts"), of("c", "", "y.ts")])).toContain(
		": y.ts, x.ts; recall",
	);
});

test("with less room, extracts of one length end on three dots; what an earlier one says is not said again", () => {
	const long = `Expiry is in src/auth.ts. ${"Nothing else. ".repeat(50)}`;
	const text = rollUpText([of("look", long), of("again", long)], characters, 250);
	expect(text.length).toBeLessThanOrEqual(250);
	expect(text).toMatch(/"look": "Expiry is in src\/auth\.ts\."\.\.\., "again"$/);
});

test("in a large group extracts stand without names, and the oldest lose theirs first", () => {
	const many = Array.from({ length: 20 }, (_, at) => of(`e${at}`, `Finding ${at}: ${"word ".repeat(40)}`));
	const all = rollUpText(many, characters, 3_000);
	expect(all).toMatch(/ "e0" to "e19"\] "Finding 0: .* "Finding 19: /);
	const some = rollUpText(many, characters, 600);
	expect(some).not.toContain("Finding 0:");
	expect(some).toContain("Finding 19:");
	expect(some.length).toBeLessThanOrEqual(600);
});

test("extracts are as long as the room allows, to the character", () => {
	// Without a space, an extract may end anywhere.
	const two = [of("look", "a".repeat(300)), of("see", "b".repeat(300))];
	for (let room = 300; room < 600; room += 1) {
		const { length } = rollUpText(two, characters, room);
		expect(room - length).toBeGreaterThanOrEqual(0);
		expect(room - length).toBeLessThan(two.length);
	}
});

test("a line has at most 3,000 tokens and 16,000 characters, whatever the room", () => {
	const many = Array.from({ length: 64 }, (_, at) => of(`e${at}`, `${at} ${"word ".repeat(400)}`));
	expect(rollUpText(many, characters, 1e9).length).toBeLessThanOrEqual(3_000);
	expect(rollUpText(many, () => 1, 1e9).length).toBeLessThanOrEqual(16_000);
});

test("a line is within its room or has no extract, is one line, and depends on the records alone", () => {
	const anyEpisode = fc
		.tuple(
			fc.string({ minLength: 1, maxLength: 20 }),
			fc.option(fc.string({ maxLength: 400, unit: "binary" })),
		)
		.map(([name, description]) => of(name, description ?? undefined));
	fc.assert(
		fc.property(fc.array(anyEpisode, { minLength: 2, maxLength: 70 }), fc.nat(6_000), (episodes, room) => {
			const text = rollUpText(episodes, characters, room);
			expect(text).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}]/u);
			expect(text.length <= room || text === bare(episodes)).toBe(true);
			expect(rollUpText(structuredClone(episodes), characters, room)).toBe(text);
		}),
	);
});

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
