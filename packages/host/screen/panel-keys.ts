/** What a key does in the panel. */

export interface PanelState {
	/** Index among the episodes that the filter leaves. */
	readonly cursor: number;
	/** Whether the episode under the cursor shows its details. */
	readonly isOpen: boolean;
	readonly filter: string;
	/** Whether keys go into the filter. */
	readonly isTyping: boolean;
}

export const firstPanel: PanelState = { cursor: 0, isOpen: false, filter: "", isTyping: false };

/** What the panel asks for; `pin`, `unpin` and `recall` are of the episode under the cursor. */
export type PanelAction = "pin" | "unpin" | "recall" | "close";

export interface PanelStep {
	readonly state: PanelState;
	readonly action?: PanelAction;
}

const named: Readonly<Record<string, string>> = {
	"\u001b": "escape",
	"\r": "enter",
	"\n": "enter",
	"\u007f": "backspace",
	"\b": "backspace",
	"\u0003": "escape",
};
/** Arrows as terminals send them, with or without the modifiers of the Kitty protocol, and its other keys. */
const ARROW = /^\u001b[[O](?:1;1(?::[12])?)?([AB])$/;
const KITTY = /^\u001b\[(\d+)(?:;1?(?::[12])?)?u$/;

/** A name for what a terminal sent: a character, `up`, `down`, `enter`, `escape`, `backspace`; "" for anything else. */
export function keyOf(data: string): string {
	const arrow = ARROW.exec(data)?.[1];
	if (arrow) return arrow === "A" ? "up" : "down";
	const point = KITTY.exec(data)?.[1];
	const character = point === undefined ? data : String.fromCodePoint(Math.min(Number(point), 0x10ffff));
	return named[character] ?? (/^\P{C}$/u.test(character) ? character : "");
}

/** The state after a key; `count` episodes are listed. */
export function pressKey(state: PanelState, key: string, count: number): PanelStep {
	if (state.isTyping) return { state: typeFilter(state, key) };
	switch (key) {
		case "up":
		case "k":
			return { state: moveTo(state, state.cursor - 1, count) };
		case "down":
		case "j":
			return { state: moveTo(state, state.cursor + 1, count) };
		case "enter":
			return { state: { ...state, isOpen: !state.isOpen } };
		case "/":
			return { state: { ...state, isTyping: true, isOpen: false } };
		case "escape":
			return state.filter === "" ? { state, action: "close" } : { state: { ...firstPanel } };
		case "q":
			return { state, action: "close" };
		case "p":
			return { state, action: "pin" };
		case "u":
			return { state, action: "unpin" };
		case "r":
			return { state, action: "recall" };
		default:
			return { state };
	}
}

function moveTo(state: PanelState, cursor: number, count: number): PanelState {
	return { ...state, cursor: Math.max(0, Math.min(count - 1, cursor)) };
}

function typeFilter(state: PanelState, key: string): PanelState {
	if (key === "enter") return { ...state, isTyping: false };
	if (key === "escape") return { ...state, isTyping: false, filter: "", cursor: 0 };
	if (key === "backspace") return { ...state, filter: state.filter.slice(0, -1), cursor: 0 };
	return key.length === 0 || ["up", "down"].includes(key)
		? state
		: { ...state, filter: state.filter + key, cursor: 0 };
}
