import type { Contender } from "./contender.ts";

/** Nothing ever leaves: what a session costs without context management, and what it could have seen. */
export const none: Contender = {
	name: "none",
	canRecall: false,
	exempt: [],
	open: () => (messages) => ({ messages, pass: undefined, planMs: 0 }),
};
