import { expect, test } from "vitest";
import { formatWithin, takeFittingLines } from "./shown-text.ts";

const format = (lines: readonly string[]) => (count: (text: string) => number) =>
	takeFittingLines(lines, 4_000, count).lines.join("\n");
const everyByte = async () => (text: string) => Buffer.byteLength(text);
const refuse = () => Promise.reject(new Error("no tokenizer is needed"));

test("a short result is complete, and no tokenizer is loaded for it", async () => {
	const lines = ["über", "日本語"];
	expect(await formatWithin(format(lines), refuse)).toBe(lines.join("\n"));
});

test.each([3_999, 4_000, 8_000])("a result of %i bytes is what its tokenizer says", async (bytes) => {
	const lines = [..."x".repeat(bytes / 2)].map((letter) => letter);
	const text = await formatWithin(format(lines), everyByte);
	expect(text).toBe(format(lines)(await everyByte()));
});
