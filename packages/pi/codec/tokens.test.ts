import fc from "fast-check";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { O200K_TOKEN_SPLIT_REGEX } from "gpt-tokenizer/encodingParams/constants";
import { expect, test } from "vitest";
import { countAhead, countedParts, countOnce, loadTokenCounter, MAX_COUNTED, splitRuns } from "./tokens.ts";

const count = await loadTokenCounter();

/** Merging is quadratic in what the tokenizer's own pattern takes for one word, so that is what has to be bounded. */
function longestWord(text: string): number {
	let longest = 0;
	for (const piece of splitRuns(text)) {
		for (const [word] of piece.matchAll(O200K_TOKEN_SPLIT_REGEX)) longest = Math.max(longest, word.length);
	}
	return longest;
}

/** A few times the length that runs are cut to, far below the length of the runs. */
const BOUND = 2_000;

const units = {
	letters: "a",
	capitals: "A",
	digits: "7",
	dashes: "-",
	spaces: " ",
	newlines: "\n",
	"Windows newlines": "\r\n",
	tabs: "\t",
	"no-break spaces": "\u00a0",
	"ideographic spaces": "\u3000",
	"spaces of several kinds": " \u3000",
	"line separators among spaces": "\u2028 ",
	"byte order marks among spaces": "\ufeff ",
	"one CJK character": "中",
	"CJK text": "天地玄黄宇宙洪荒",
	emoji: "\u{1f600}",
	"joined emoji": "\u{1f469}\u200d\u{1f4bb}",
	"combining marks": "e\u0301",
	"lone high surrogates": "\ud83d",
	"lone low surrogates": "\ude00",
	"surrogates the wrong way round": "\ude00\ud83d",
	"control characters": "\u0000",
	"empty comment lines": "//\n",
	"slashes on lines of their own": "\r\n/",
	base64: "QmFzZTY0+/",
};

const stretch = fc
	.tuple(fc.oneof(fc.constantFrom(...Object.values(units)), fc.string({ unit: "binary" })), fc.nat(1_500))
	.map(([unit, times]) => unit.repeat(times).slice(0, 6_000));
const runs = fc.array(stretch, { maxLength: 6 }).map((stretches) => stretches.join(""));

test("pieces join to the text, hold no long word and never cut a surrogate pair", () => {
	fc.assert(
		fc.property(runs, (text) => {
			const pieces = [...splitRuns(text)];
			expect(pieces.join("")).toBe(text);
			expect(longestWord(text)).toBeLessThan(BOUND);
			pieces.slice(1).forEach((piece, i) => {
				expect(`${pieces[i]?.slice(-1)}${piece.slice(0, 1)}`).not.toMatch(/^[\ud800-\udbff][\udc00-\udfff]$/);
			});
		}),
	);
});

test.each(["<|endoftext|>", "<|im_start|>system<|im_end|>", "a <|fim_prefix|> b", "<|endofprompt|>"])(
	"%s counts as the text that it is",
	(text) => {
		expect(count(text)).toBe(encode(text, { disallowedSpecial: new Set() }).length);
		expect(count(text)).toBeGreaterThan(1);
	},
);

const prose = fc
	.array(
		fc.oneof(fc.lorem(), fc.string({ unit: "grapheme" }), fc.constantFrom("\n\n", "  ", "\t", "中文。")),
		{ maxLength: 60 },
	)
	.map((words) => words.join(" "));

test("text without long runs comes back whole and is counted exactly", () => {
	fc.assert(
		fc.property(prose, (text) => {
			expect([...splitRuns(text)]).toEqual([text]);
			expect(count(text)).toBe(encode(text, { disallowedSpecial: new Set() }).length);
		}),
	);
});

test("on unbroken runs the count errs by a few tokens at each cut", () => {
	for (const unit of Object.values(units)) {
		const text = unit.repeat(3_000 / unit.length);
		const cuts = [...splitRuns(text)].length - 1;
		expect(Math.abs(count(text) - encode(text).length)).toBeLessThanOrEqual(3 * cuts);
	}
});

/** Reproducible letters and digits without a break, the most expensive text for the tokenizer. */
function base36(length: number): string {
	const blockAt = (at: number) => ((at * 2_654_435_761) % 2 ** 32).toString(36).padStart(6, "0").slice(1);
	return Array.from({ length: Math.ceil(length / 5) }, (_, at) => blockAt(at + 1))
		.join("")
		.slice(0, length);
}

test("of a text of any length no more than a bounded part reaches the tokenizer", () => {
	for (const length of [MAX_COUNTED, MAX_COUNTED + 1, 5 * MAX_COUNTED, 32 * 1024 * 1024]) {
		const text = `${"z".repeat(length - 1)}!`;
		const parts = countedParts(text);
		expect(parts.reduce((sum, part) => sum + part.length, 0)).toBe(MAX_COUNTED);
		expect(parts.at(-1)?.at(-1)).toBe("!");
	}
	expect(count(base36(1024 * 1024).repeat(32))).toBeGreaterThan(16 * 1024 * 1024);
});

test("a long text is estimated to within 2 %, the same every time", () => {
	const code = Array.from({ length: 9_000 }, (_, i) => `const value${i} = call(${i * 7919}, "text");`).join(
		"\n",
	);
	const runs = base36(MAX_COUNTED / 2);
	for (const text of [code, runs.repeat(3), code + runs + code]) {
		expect(text.length).toBeGreaterThan(MAX_COUNTED);
		let exact = 0;
		for (const piece of splitRuns(text)) exact += encode(piece).length;
		expect(Math.abs(count(text) / exact - 1)).toBeLessThan(0.02);
		expect(count(text)).toBe(count(text));
	}
});

test("texts that are counted ahead let other events through one by one, and count the same", async () => {
	const texts = [base36(20_000), base36(30_000), base36(MAX_COUNTED + 1), "short"];
	const counts = texts.map(count);
	let turns = 0;
	let isCounting = true;
	const turn = () => {
		turns += 1;
		if (isCounting) setImmediate(turn);
	};
	setImmediate(turn);
	const counted: string[] = [];
	const once = countOnce((text) => {
		counted.push(text);
		return count(text);
	});
	await countAhead(texts, once);
	isCounting = false;
	expect(turns).toBeGreaterThanOrEqual(3);
	expect(counted).toEqual(texts.slice(0, 3));
	expect(texts.map(once)).toEqual(counts);
	expect(counted).toEqual(texts);
});
