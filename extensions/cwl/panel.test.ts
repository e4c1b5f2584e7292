import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { firstPanel, pressKey } from "#pi/screen";
import { keyOf } from "./panel.ts";

describe("a key of the panel", () => {
	test("has its name however terminals send it", () => {
		expect(["\u001b[A", "\u001bOA", "\u001b[1;1A", "\u001b[1;1:2A"].map(keyOf)).toEqual(Array(4).fill("up"));
		const namesOf = (...sent: readonly string[]) => sent.map(keyOf).join(" ");
		expect(namesOf("\u001b[B", "\u001b[6~", "\u001b[H", "\u001b[F")).toBe("down pageDown home end");
		expect(namesOf("\r", "\u001b[13u", "\u001b", "\u001b[27u")).toBe("enter enter escape escape");
		expect(namesOf("\u007f", "\u001b[127u", "\u0003")).toBe("backspace backspace ctrl+c");
		expect(["p", "\u001b[112u", "é", "/", " "].map(keyOf)).toEqual(["p", "p", "é", "/", " "]);
	});

	test("does nothing when it is pasted, held with others or unknown", () => {
		expect(["pasted", "valueOf", "\u001b[112;5u", "\u001b[24~"].map(keyOf)).toEqual([
			"",
			"",
			"ctrl+p",
			"f12",
		]);
	});

	test("of any kind leaves the cursor on an episode", () => {
		const sent = fc.oneof(
			fc.string({ unit: "binary", maxLength: 8 }),
			fc.constantFrom("\u001b[A", "\u001b[B", "G", "/"),
		);
		fc.assert(
			fc.property(fc.array(sent), fc.integer({ min: 1, max: 40 }), (keys, count) => {
				const state = keys.reduce((now, key) => pressKey(now, keyOf(key), count).state, firstPanel);
				expect(state.cursor).toBeGreaterThanOrEqual(0);
				expect(state.cursor).toBeLessThan(count);
			}),
		);
	});
});
