import fc from "fast-check";

const CHARACTERS = [
	"a",
	"b",
	"B",
	"z",
	"0",
	"_",
	" ",
	"\t",
	"é",
	"É",
	"ß",
	"😀",
	"-",
	"]",
	"{",
	"}",
	"/",
	'"',
	"\r",
	"\u2028",
];

const atom = fc.oneof(
	{
		weight: 6,
		arbitrary: fc.constantFrom("a", "b", "B", "ab", "é", "0", " ", "-", "{", "}", "]", "😀", "ß", '"'),
	},
	fc.constantFrom(
		".",
		"\\d",
		"\\w",
		"\\s",
		"\\D",
		"\\W",
		"\\S",
		"\\t",
		"\\x61",
		"\\u00e9",
		"\\u{1F600}",
		"\\.",
		"\\/",
		"\\{",
	),
	fc.constantFrom(
		"[ab]",
		"[^ab]",
		"[a-z]",
		"[^\\w]",
		"[\\W]",
		"[\\s0-9]",
		"[]a]",
		"[^]a]",
		"[ß-é]",
		"[a-]",
		"[[:alpha:]_]",
		"[^\\D]",
		"[^É]",
	),
);
const count = fc.constantFrom("", "", "", "*", "+", "?", "*?", "+?", "??", "{2}", "{1,2}", "{0,}", "{2}?");

const inner = fc.letrec<{ sequence: string; part: string }>((tie) => ({
	part: fc.oneof(
		{ depthSize: "small" },
		fc.tuple(atom, count).map(([one, times]) => (one.length > 1 && !/^[\\[]/.test(one) ? one : one + times)),
		fc.constant("\\b"),
		fc
			.tuple(tie("sequence"), tie("sequence"), count)
			.map(([one, other, times]) => `(${one}|${other})${times}`),
		fc.tuple(tie("sequence"), count).map(([one, times]) => `(?:${one})${times}`),
	),
	sequence: fc.array(tie("part"), { minLength: 1, maxLength: 3 }).map((parts) => parts.join("")),
})).sequence;

/** A regular expression of grep's dialect. */
export const randomPattern: fc.Arbitrary<string> = fc
	.tuple(fc.constantFrom("", "", "^", "(^|a)"), inner, fc.constantFrom("", "", "$", "(b|$)"))
	.map((parts) => parts.join(""));

const word = fc.string({ unit: fc.constantFrom(...CHARACTERS), maxLength: 8 });
const invalid = fc.constantFrom(Buffer.from([0xff]), Buffer.from([0xc3]), Buffer.from([0xed, 0xa0, 0x80]));
const nul = fc.constant(Buffer.from("a\0b\n"));
const piece = fc.oneof(
	{ weight: 8, arbitrary: word.map((text) => Buffer.from(text)) },
	{ weight: 3, arbitrary: fc.constantFrom(Buffer.from("\n"), Buffer.from("\r\n")) },
	{ weight: 1, arbitrary: invalid },
	{ weight: 1, arbitrary: nul },
);

const inUtf8 = fc
	.tuple(fc.constantFrom("", "", "", "\uFEFF"), fc.array(piece, { maxLength: 12 }))
	.map(([mark, pieces]) => Buffer.concat([Buffer.from(mark), ...pieces]));
const inUtf16 = fc
	.tuple(fc.array(fc.oneof(word, fc.constantFrom("\n", "\r\n")), { maxLength: 12 }), fc.boolean())
	.map(([words, isBig]) => {
		const bytes = Buffer.from(`\uFEFF${words.join("")}`, "utf16le");
		return isBig ? bytes.swap16() : bytes;
	});

/** What a file may hold: several scripts, line ends of both kinds, now and then bytes that are not UTF-8, or UTF-16. */
export const randomText: fc.Arbitrary<Buffer> = fc.oneof(
	{ weight: 6, arbitrary: inUtf8 },
	{ weight: 1, arbitrary: inUtf16 },
);
