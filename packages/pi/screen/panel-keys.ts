/** The actions of the panel's keys. */

export interface PanelState {
	/** Index among the episodes that the filter leaves. */
	readonly cursor: number;
	/** True if the episode under the cursor shows its details. */
	readonly isOpen: boolean;
	readonly filter: string;
	/** True if keys go into the filter. */
	readonly isTyping: boolean;
}

export const firstPanel: PanelState = { cursor: 0, isOpen: false, filter: "", isTyping: false };

/** An action that the panel asks for; `pin` and `recall` are of the episode under the cursor. */
export type PanelAction = "pin" | "recall" | "close";

export interface PanelStep {
	readonly state: PanelState;
	readonly action?: PanelAction;
}

const ESCAPE = "\u001b";
/** The codes that terminals send for the keys that we know. A map, since pasted text may be a name that objects inherit. */
const named: ReadonlyMap<string, string> = new Map([
	[ESCAPE, "escape"],
	["\u0003", "escape"],
	["\r", "enter"],
	["\n", "enter"],
	["\u007f", "backspace"],
	["\b", "backspace"],
]);
const arrows: Readonly<Record<string, string>> = { A: "up", B: "down", H: "home", F: "end" };
const pages: Readonly<Record<string, string>> = { 1: "home", 4: "end", 5: "pageUp", 6: "pageDown" };
/** With or without the modifiers of the Kitty protocol; a key that is let go is nothing. */
const ARROW = /^[[O](?:1;1(?::[12])?)?([ABHF])$/;
const PAGE = /^\[([1456])(?:;1(?::[12])?)?~$/;
const KITTY = /^\[(\d+)(?:;1?(?::[12])?)?u$/;

/** A name for what a terminal sent: a character, or a word such as `up` and `enter`; "" for anything else. */
export function keyOf(data: string): string {
	if (data.length === 1 || !data.startsWith(ESCAPE)) return nameCharacter(data);
	const sequence = data.slice(1);
	const point = KITTY.exec(sequence)?.[1];
	if (point !== undefined) return nameCharacter(String.fromCodePoint(Math.min(Number(point), LAST_POINT)));
	return arrows[ARROW.exec(sequence)?.[1] ?? ""] ?? pages[PAGE.exec(sequence)?.[1] ?? ""] ?? "";
}

const LAST_POINT = 0x10ffff;

function nameCharacter(character: string): string {
	return named.get(character) ?? (/^\P{C}$/u.test(character) ? character : "");
}

/** Rows that a page of episodes goes by. */
const PAGE_ROWS = 10;
/** The number of rows that each key moves the cursor by. */
const moves: Readonly<Record<string, number>> = {
	...{ up: -1, k: -1, down: 1, j: 1 },
	...{ pageUp: -PAGE_ROWS, pageDown: PAGE_ROWS },
	...{ home: -Infinity, g: -Infinity, end: Infinity, G: Infinity },
};
const actions: Readonly<Record<string, PanelAction>> = { p: "pin", r: "recall", q: "close" };

/** The state after a key; `count` episodes are listed. */
export function pressKey(state: PanelState, key: string, count: number): PanelStep {
	if (state.isTyping) return { state: typeFilter(state, key) };
	const move = moves[key];
	if (move !== undefined) {
		return { state: { ...state, cursor: Math.max(0, Math.min(count - 1, state.cursor + move)) } };
	}
	const action = actions[key];
	if (action) return { state, action };
	if (key === "enter") return { state: { ...state, isOpen: !state.isOpen } };
	if (key === "/") return { state: { ...state, isTyping: true, isOpen: false } };
	if (key !== "escape") return { state };
	if (state.isOpen) return { state: { ...state, isOpen: false } };
	return state.filter === "" ? { state, action: "close" } : { state: firstPanel };
}

function typeFilter(state: PanelState, key: string): PanelState {
	if (key === "enter") return { ...state, isTyping: false };
	if (key === "escape") return { ...state, isTyping: false, filter: "", cursor: 0 };
	if (key === "backspace") return { ...state, filter: state.filter.slice(0, -1), cursor: 0 };
	return [...key].length === 1 ? { ...state, filter: state.filter + key, cursor: 0 } : state;
}
