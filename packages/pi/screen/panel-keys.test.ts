import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { firstPanel, keyOf, type PanelState, pressKey } from "./panel-keys.ts";

/** The state after the keys, of five episodes. */
function press(keys: readonly string[], from: PanelState = firstPanel): PanelState {
	return keys.reduce((state, key) => pressKey(state, key, 5).state, from);
}

describe("a key of the panel", () => {
	test("has its name however terminals send it", () => {
		expect(["\u001b[A", "\u001bOA", "\u001b[1;1A", "\u001b[1;1:2A"].map(keyOf)).toEqual(Array(4).fill("up"));
		const namesOf = (...sent: readonly string[]) => sent.map(keyOf).join(" ");
		expect(namesOf("\u001b[B", "\u001b[6~", "\u001b[H", "\u001b[F")).toBe("down pageDown home end");
		expect(namesOf("\r", "\u001b[13u", "\u001b", "\u001b[27u")).toBe("enter enter escape escape");
		expect(namesOf("\u007f", "\u001b[127u")).toBe("backspace backspace");
		expect(["p", "\u001b[112u", "é", "/"].map(keyOf)).toEqual(["p", "p", "é", "/"]);
	});

	test("is nothing when it is let go, pasted, held with others or unknown", () => {
		expect(["\u001b[1;1:3A", "\u001b[112;1:3u", "pasted", "\u001b[112;5u", "\u001b[24~"].map(keyOf)).toEqual(
			Array(5).fill(""),
		);
	});

	test("moves within the list", () => {
		expect(press(["down", "j", "down"]).cursor).toBe(3);
		expect(press(["down", "k", "up"]).cursor).toBe(0);
		expect(press(["pageDown"]).cursor).toBe(4);
		expect(press(["G", "pageUp"]).cursor).toBe(0);
		expect(pressKey(firstPanel, "down", 0).state.cursor).toBe(0);
	});

	test("opens an episode, and closes it before the panel", () => {
		const open = press(["enter"]);
		expect(open.isOpen).toBe(true);
		expect(press(["enter"], open).isOpen).toBe(false);
		expect(pressKey(open, "escape", 5)).toEqual({ state: firstPanel });
		expect(pressKey(firstPanel, "escape", 5).action).toBe("close");
	});

	test("goes into the filter while it is typed, whatever it does otherwise", () => {
		const typed = press(["down", "/", "q", "p", "j", "backspace"]);
		expect(typed).toEqual({ cursor: 0, isOpen: false, filter: "qp", isTyping: true });
		expect(press(["enter"], typed).isTyping).toBe(false);
		expect(press(["enter", "escape"], typed)).toEqual(firstPanel);
		expect(press(["escape"], typed)).toEqual(firstPanel);
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
