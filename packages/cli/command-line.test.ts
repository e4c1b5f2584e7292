import { expect, test } from "vitest";
import { jsonText } from "./command-line.ts";

test("JSON for a terminal steers none, keeps its lines, and parses to what it was", () => {
	const data = { "\u202e": ["\u009b2J", "a\nb\u2028\u200b", "\u{e0041}"] };
	for (const indent of [undefined, 2]) {
		const text = jsonText(data, indent);
		expect(text.replaceAll("\n", "")).not.toMatch(/\p{Cc}|\p{Cf}|\u2028/u);
		expect(JSON.parse(text)).toEqual(data);
	}
	expect(jsonText({ a: 1 }, 2)).toBe('{\n  "a": 1\n}\n');
});
