import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Form } from "../log/pass.ts";
import { placeholderText, readPlaceholder, reducedText } from "./reduced-text.ts";

const ages: readonly Form[] = [1, 2, 3, 4];
const code = Array.from({ length: 300 }, (_, index) =>
	index % 10 === 0 ? `function part${index}() {` : `	return ${index} + 1;`,
).join("\n");

describe("a large output at lower detail", () => {
	test("keeps its head, its tail and the outline between them, and says what was left out and how it comes back", () => {
		const text = reducedText(code, 1, "call_7");
		expect(text.split("\n").slice(0, 24)).toEqual(code.split("\n").slice(0, 24));
		expect(text.split("\n").slice(-16)).toEqual(code.split("\n").slice(-16));
		expect(text).toContain('[reduced: 236 lines left out here; recall "call_7" gives all]');
		expect(text).toContain("function part150() {");
		expect(text).not.toContain("return 151 + 1;");
		expect(text).toContain("function part150() {\n…\nfunction part160() {");
	});

	test("shows the outermost lines of an outline as far as there is room for them, and a gap for the rest", () => {
		const flat = Array.from({ length: 300 }, (_, index) => `line ${index}`).join("\n");
		expect(reducedText(flat, 2, "c").split("\n").slice(8, 21)).toEqual([
			'[reduced: 276 lines left out here; recall "c" gives all]',
			...Array.from({ length: 10 }, (_, index) => `line ${8 + index}`),
			"…",
			"line 294",
		]);
	});

	test("shows the inner lines of an outline where all of them fit, and none where one does not", () => {
		const around = (middle: readonly string[]) =>
			[...Array(24).fill("head"), ...middle, ...Array(16).fill("tail")].join("\n");
		const parts = (inner: number) => [
			"outer {",
			...Array(inner).fill("\tinner"),
			"\t\tdeep ".repeat(90),
			"}",
		];
		const innerLines = (inner: number) =>
			reducedText(around(parts(inner)), 1, "c").split("\tinner").length - 1;
		expect(innerLines(22)).toBe(22);
		expect(innerLines(23)).toBe(0);
	});

	test("shows a gap behind a single line of an outline too, and none where nothing stood between", () => {
		const inner = (count: number) => Array.from({ length: count }, (_, at) => `\tline ${at}`);
		const outline = (middle: readonly string[]) =>
			reducedText([...inner(8), ...middle, ...inner(6)].join("\n"), 2, "c")
				.split("\n")
				.slice(9, -6);
		expect(outline(["only", ...inner(20)])).toEqual(["only", "…"]);
		expect(outline([...inner(20), "only"])).toEqual(["…", "only"]);
		expect(outline(["one", "two", ...inner(20), "three"])).toEqual(["one", "two", "…", "three"]);
		expect(outline(inner(20))).toEqual([]);
	});

	test("at the age before the last keeps three lines of its head and two of its tail, and no outline", () => {
		expect(reducedText(code, 3, "c").split("\n")).toEqual([
			...code.split("\n").slice(0, 3),
			'[reduced: 295 lines left out here; recall "c" gives all]',
			...code.split("\n").slice(-2),
		]);
	});

	test("cuts long lines, earlier with each age, and says so", () => {
		const long = Array.from({ length: 4 }, () => "x".repeat(500)).join("\n");
		const lengths = ages.slice(0, 3).map((age) => reducedText(long, age, "c").split("\n")[0]?.length);
		expect(lengths).toEqual([240 + 1, 160 + 1, 120 + 1]);
		expect(reducedText(long, 1, "c").split("\n")[0]?.at(-1)).toBe("…");
		const fitting = Array.from({ length: 60 }, () => "x".repeat(120)).join("\n");
		expect(reducedText(fitting, 3, "c").split("\n")[0]).toBe("x".repeat(120));
	});

	test("of few lines keeps all of them, and says nothing of lines left out", () => {
		const five = Array.from({ length: 5 }, () => "x".repeat(500)).join("\n");
		expect(reducedText(five, 3, "c").split("\n")).toHaveLength(5);
		expect(reducedText(`${five}\n${five}`, 3, "c")).toContain("[reduced: 5 lines left out here");
	});

	test("is replaced where that is shorter, and not where it is as long", () => {
		const line = '[output of 1 line left out; recall "c"]';
		expect(reducedText("x".repeat(line.length + 1), 4, "c")).toBe(line);
		expect(reducedText("x".repeat(line.length), 4, "c")).toBe("x".repeat(line.length));
		expect(reducedText(`${"x".repeat(60)}\n`, 4, "c")).toBe('[output of 2 lines left out; recall "c"]');
	});

	test("of data, levels and entries are left out, and numbers are never changed", () => {
		const rows = Array.from({ length: 60 }, (_, id) => ({ id, deep: { deeper: { deepest: [1, 2, 3] } } }));
		const text = reducedText(JSON.stringify({ rows }), 2, "c");
		expect(text).toMatch(/^\[reduced, with fewer entries; recall "c" gives all\]\n/);
		expect(JSON.parse(text.slice(text.indexOf("\n")))).toEqual({
			rows: [...Array.from({ length: 10 }, () => "{2 keys}"), "… 50 more"],
		});
		const least = reducedText(JSON.stringify({ rows }), 3, "c");
		expect(JSON.parse(least.slice(least.indexOf("\n")))).toEqual({
			rows: ["{2 keys}", "{2 keys}", "{2 keys}", "… 57 more"],
		});
		const few = JSON.stringify({ list: ["x".repeat(400), 2, 3], keys: { a: 1, b: 2, c: 3 }, more: true });
		const short = reducedText(few, 3, "c");
		expect(JSON.parse(short.slice(short.indexOf("\n")))).toMatchObject({
			list: [expect.stringMatching(/^x{120}… 400 characters$/), 2, 3],
			keys: { a: 1, b: 2, c: 3 },
			more: true,
		});
		expect(short).not.toContain("0 more");
		const most = reducedText(JSON.stringify({ rows }), 1, "c");
		expect(JSON.parse(most.slice(most.indexOf("\n"))).rows.at(-2)).toEqual({ id: 24, deep: "{1 keys}" });
		const exact = JSON.stringify({ id: 1, text: "x".repeat(400) }).replace("1", "12345678901234567890");
		expect(reducedText(exact, 3, "c")).toContain("12345678901234567890");
	});

	test("any text is never longer, and the same each time", () => {
		fc.assert(
			fc.property(fc.string({ maxLength: 3_000, unit: "binary" }), fc.constantFrom(...ages), (text, age) => {
				const reduced = reducedText(text, age, "call");
				expect(reduced.length).toBeLessThanOrEqual(text.length);
				expect(reducedText(text, age, "call")).toBe(reduced);
			}),
		);
	});
});

describe("a placeholder", () => {
	test("is read as what a policy wrote, whatever the id of the call", () => {
		fc.assert(
			fc.property(fc.nat(), fc.string({ unit: "binary" }), (lines, callId) => {
				const placeholder = { lines, callId };
				for (const marker of ["", '\n[act "a", evicted 137; recall "a"] "done"'])
					expect(readPlaceholder(placeholderText(placeholder) + marker)).toEqual(placeholder);
			}),
		);
	});

	test.each(["[output of the build]", "[output omitted]", "[output] done"])(
		"is not seen in %j, which a command printed",
		(text) => expect(readPlaceholder(text)).toBeUndefined(),
	);
});
