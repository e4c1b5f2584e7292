import fc from "fast-check";
import { expect, test } from "vitest";
import { hasSecret, redact, redactText } from "./redact.ts";
import examples from "./redact-examples.json" with { type: "json" };

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

test.each(examples.secrets)("$text", ({ text, shown }) => {
	expect(redactText(text)).toBe(shown);
});

test.each(examples.plain)("%s stays as it is", (text) => {
	expect(redactText(text)).toBe(text);
});

test("every string of plain data, names of fields included", () => {
	const data = { "/home/ann/a.ts": ["sk-abcdefghijklmnop1234", 7, null, { path: "/home/ann" }] };
	expect(redact(data)).toEqual({ "~/a.ts": ["[token]", 7, null, { path: "~" }] });
});

test("keys and web tokens are found as expressions find them that take time in the square of a long run", () => {
	const webToken = /\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g;
	const key = /\b(?=[\w+/-]*\d)(?=[\w+/-]*[A-Za-z])[A-Za-z0-9+_-]{32,}={0,2}/g;
	const units = ["eyJ", "a", "Zz9_", "-", "+", "/", ".", "=", " ", "\u00E9", "abcdefgh", "0123456789abcdef"];
	const texts = fc.array(fc.constantFrom(...units), { maxLength: 24 }).map((parts) => parts.join(""));
	fc.assert(
		fc.property(texts, (text) => {
			expect(redactText(text)).toBe(text.replace(webToken, "[token]").replace(key, "[token]"));
		}),
		{ numRuns: 4_000 },
	);
});

test("no text makes it slow, and one too long to look at is a secret", () => {
	const words = ["-----BEGIN ", "sk-", "password=", "password is ", "://a:"];
	const runs = ["a", "a-", "A1_", "-", "eyJ", "eyJ-", "eyJ.", "eyJabcdefgh.", "0/", "a1="];
	for (const unit of [...words, ...runs]) {
		const shown = redactText(unit.repeat(400_000));
		expect(shown).toMatch(/\[\d+ more characters\]$/);
		expect(shown.length).toBeLessThan(1_000_000);
	}
	expect(hasSecret("a ".repeat(50_000))).toBe(false);
	expect(hasSecret("a ".repeat(50_001))).toBe(true);
});
