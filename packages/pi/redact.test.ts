import fc from "fast-check";
import { expect, test } from "vitest";
import { redact, redactText } from "./redact.ts";

const body = (length: number) =>
	fc.string({
		unit: fc.constantFrom(..."abcdefghijkABCDEFGHIJK0123456789"),
		minLength: length,
		maxLength: 40,
	});

const secrets = fc.oneof(
	fc.tuple(fc.constantFrom("sk-", "sk-ant-", "ghp_", "xoxb-", "AKIA", "AIza", "github_pat_"), body(24)),
	fc
		.tuple(fc.constantFrom("eyJhbGciOiJIUzI1NiJ9."), body(24))
		.map(([head, rest]) => [head, `${rest}.${rest}`] as const),
);

test("keys and tokens leave no trace, wherever they stand", () => {
	fc.assert(
		fc.property(secrets, fc.constantFrom("", '"', "`", "key ", "(", "x="), ([prefix, rest], before) => {
			const shown = redactText(`see ${before}${prefix}${rest} there`);
			expect(shown).not.toContain(rest);
			expect(shown).toMatch(/^see .* there$/);
		}),
	);
});

test.each([
	["password=hunter22", "password=[secret]"],
	['"apiKey": "abcd1234"', '"apiKey": "[secret]"'],
	["Authorization: Bearer abc.def-ghi123", "Authorization: Bearer [token]"],
	["postgres://me:pa55word@db/x", "postgres://me:[password]@db/x"],
	["0123456789abcdef0123456789abcdef", "[token]"],
	["/home/ann/work/a.ts and /Users/Bob/b.ts", "~/work/a.ts and ~/b.ts"],
	["C:\\Users\\Ann\\a.ts and /root/.pi", "~\\a.ts and ~/.pi"],
	["-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----", "[private key]"],
])("%s", (text, shown) => {
	expect(redactText(text)).toBe(shown);
});

test.each([
	"fix the tokenizer in packages/core/transcript/transcript.ts",
	"read-the-documentation-of-every-single-package-first",
	"12,345 tokens of 80k",
	"the-root/homework",
])("%s stays as it is", (text) => {
	expect(redactText(text)).toBe(text);
});

test("every string of plain data, names of fields included", () => {
	const data = { "/home/ann/a.ts": ["sk-abcdefghijklmnop1234", 7, null, { path: "/home/ann" }] };
	expect(redact(data)).toEqual({ "~/a.ts": ["[token]", 7, null, { path: "~" }] });
});

test("no text makes it slow", () => {
	for (const unit of ["a", "-----BEGIN ", "sk-", "password=", "A1_", "eyJ.", "://a:"]) {
		expect(redactText(unit.repeat(50_000)).length).toBeLessThan(1_000_000);
	}
});
