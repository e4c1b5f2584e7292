import { describe, expect, test } from "vitest";
import { firstPanel, type PanelState, pressKey } from "./panel-keys.ts";

/** The state after the keys, of five episodes. */
function press(keys: readonly string[], from: PanelState = firstPanel): PanelState {
	return keys.reduce((state, key) => pressKey(state, key, 5).state, from);
}

describe("a key of the panel", () => {
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
		expect(typed).toEqual({ cursor: 0, isOpen: false, filter: "qp", isTyping: true, showsFigures: false });
		expect(press(["enter"], typed).isTyping).toBe(false);
		expect(press(["enter", "escape"], typed)).toEqual(firstPanel);
		expect(press(["escape"], typed)).toEqual(firstPanel);
		expect(press(["ctrl+c"], typed)).toEqual(firstPanel);
	});
});
