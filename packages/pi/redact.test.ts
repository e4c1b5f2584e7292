import fc from "fast-check";
import { expect, test } from "vitest";
import { hasSecret, redact, redactText } from "./redact.ts";

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
	["Cookie: sid=abc; theme=dark", "Cookie: [cookies]"],
	["curl -H 'Set-Cookie: a=b; Path=/' https://x", "curl -H 'Set-Cookie: [cookies]' https://x"],
	["curl --cookie a=b https://x", "curl --cookie [cookies]"],
	["curl -s -b 'a=b; c=d' https://x", "curl -s -b '[cookies]' https://x"],
	["GET /?PHPSESSID=0a1b2c3d4e5f&x=1", "GET /?PHPSESSID=[token]&x=1"],
	[
		"machine db.example.org login ann password s3cret",
		"machine db.example.org login ann password [password]",
	],
	["machine x\n  login ann\n  password abc", "machine x\n  login ann\n  password [password]"],
	["gh auth login --token abcd1234 --host x", "gh auth login --token [secret] --host x"],
	["deploy --api-key 'abcd1234'", "deploy --api-key '[secret]'"],
	["npm login --auth-token=abcd1234", "npm login --auth-token=[secret]"],
	["curl -u ann:pa55 https://x", "curl -u ann:[password] https://x"],
	["curl -sS -uann:pa55 https://x", "curl -sS -uann:[password] https://x"],
	["http --user 'ann:pa55' x", "http --user 'ann:[password]' x"],
	["sshpass -p pa55 ssh host", "sshpass -p [password] ssh host"],
	["Authorization: token abcd1234efgh", "Authorization: token [token]"],
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
	"cwl --max-tokens 4000 --token-budget 80k",
	"docker run -u 1000:1000 image",
	"the cookie banner: shown once; enter your password twice",
	"the-root/homework",
])("%s stays as it is", (text) => {
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
