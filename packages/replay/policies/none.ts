import { defineKind } from "./knobs.ts";

/** Nothing ever leaves: what a session costs without context management, and what it could have seen. */
export const none = defineKind("none", {}, (name) => ({
	name,
	exempt: [],
	open: () => (messages) => ({ messages, pass: undefined }),
}));
