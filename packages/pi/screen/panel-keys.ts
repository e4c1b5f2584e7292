/** The actions of the panel's keys. */

export interface PanelState {
	/** Index among the episodes that the filter leaves. */
	readonly cursor: number;
	/** True if the episode under the cursor shows its details. */
	readonly isOpen: boolean;
	readonly filter: string;
	/** True if keys go into the filter. */
	readonly isTyping: boolean;
	/** True if alerts and figures are shown under the episodes. */
	readonly showsFigures: boolean;
}

export const firstPanel: PanelState = {
	cursor: 0,
	isOpen: false,
	filter: "",
	isTyping: false,
	showsFigures: false,
};

/** An action that the panel asks for; `pin` and `recall` are of the episode under the cursor. */
export type PanelAction = "pin" | "recall" | "close";

export interface PanelStep {
	readonly state: PanelState;
	readonly action?: PanelAction;
}

/** Rows that a page of episodes goes by. */
const PAGE_ROWS = 10;
/** The number of rows that each key moves the cursor by. */
const moves: Readonly<Record<string, number>> = {
	up: -1,
	k: -1,
	down: 1,
	j: 1,
	pageUp: -PAGE_ROWS,
	pageDown: PAGE_ROWS,
	home: -Infinity,
	g: -Infinity,
	end: Infinity,
	G: Infinity,
};
const actions: Readonly<Record<string, PanelAction>> = { p: "pin", r: "recall", q: "close" };

/** The state after a key: a character, or the name that pi-tui has for it; `count` episodes are listed. */
export function pressKey(state: PanelState, key: string, count: number): PanelStep {
	if (state.isTyping) return { state: typeFilter(state, key) };
	const move = moves[key];
	if (move !== undefined) {
		return { state: { ...state, cursor: Math.max(0, Math.min(count - 1, state.cursor + move)) } };
	}
	const action = actions[key];
	if (action) return { state, action };
	if (key === "enter") return { state: { ...state, isOpen: !state.isOpen } };
	if (key === "h") return { state: { ...state, showsFigures: !state.showsFigures } };
	if (key === "/") return { state: { ...state, isTyping: true, isOpen: false } };
	if (!isEscape(key)) return { state };
	if (state.isOpen) return { state: { ...state, isOpen: false } };
	return state.filter === "" ? { state, action: "close" } : { state: firstPanel };
}

function typeFilter(state: PanelState, key: string): PanelState {
	if (key === "enter") return { ...state, isTyping: false };
	if (isEscape(key)) return { ...state, isTyping: false, filter: "", cursor: 0 };
	if (key === "backspace") return { ...state, filter: state.filter.slice(0, -1), cursor: 0 };
	return [...key].length === 1 ? { ...state, filter: state.filter + key, cursor: 0 } : state;
}

function isEscape(key: string): boolean {
	return key === "escape" || key === "ctrl+c";
}
