import { expect, test } from "vitest";
import type { Blocker } from "#core/log";
import { blockerFromText, nameBlocker } from "./blocker-text.ts";

const blockers: readonly Blocker[] = [
	{ code: "fixed", tokens: 1 },
	{ code: "prologue", tokens: 2 },
	{ code: "user-turns", tokens: 3 },
	{ code: "open-episode", episode: "look", origin: "declared", tokens: 4 },
	{ code: "open-episode", episode: "unmarked-1", origin: "inferred", tokens: 5 },
	{ code: "pinned-episodes", count: 1, largest: "fix", tokens: 6 },
	{ code: "pinned-episodes", count: 3, largest: "fix.2", tokens: 7 },
	{ code: "in-use", tokens: 8 },
];

test.each(blockers)(
	"$code names what blocks and what helps, and an older log's words give it back",
	(blocker) => {
		const named = nameBlocker(blocker);
		expect(named.tokens).toBe(blocker.tokens);
		expect(named.remedy).toMatch(/budget|end the episode/);
		expect(blockerFromText(named)).toEqual(blocker);
	},
);

test.each<Blocker>([
	{ code: "dependencies", act: "fix", tokens: 9 },
	{ code: "exchange", tokens: 10 },
])("$code is named with its size and what helps", (blocker) => {
	const { what, tokens, remedy } = nameBlocker(blocker);
	expect([what, remedy].join()).toMatch(/open act "fix" .*end the act|last answer .*next pass/);
	expect(tokens).toBe(blocker.tokens);
});

test("only an episode that the model declared can be ended by it", () => {
	const open = { code: "open-episode", episode: "a", tokens: 1 } as const;
	expect(nameBlocker({ ...open, origin: "declared" }).remedy).toBe("end the episode");
	expect(nameBlocker({ ...open, origin: "inferred" }).remedy).toContain("next user turn");
});

test("names are quoted and bounded, so that none can pose as another line", () => {
	const episode = `a\n\u202e${"b".repeat(100_000)}`;
	for (const blocker of [
		{ code: "open-episode", episode, origin: "declared", tokens: 1 },
		{ code: "pinned-episodes", count: 1, largest: episode, tokens: 1 },
	] as const) {
		const { what, remedy } = nameBlocker(blocker);
		expect(`${what} ${remedy}`).not.toMatch(/\n|\u202e/);
		expect(what.length + remedy.length).toBeLessThan(400);
	}
});

test("an older log's words with signs in a name give it back", () => {
	const old = { what: 'open episode "look "here""', remedy: "end the episode", tokens: 4 };
	expect(blockerFromText(old)).toMatchObject({ code: "open-episode", episode: 'look "here"' });
	const pinned = { what: "3 pinned episodes", remedy: "/cwl unpin a, or b, or raise the budget", tokens: 7 };
	expect(blockerFromText(pinned)).toMatchObject({ count: 3, largest: "a, or b" });
});

test("words of an unknown version become the general code", () => {
	expect(blockerFromText({ what: "the weather", tokens: 9, remedy: "wait" })).toEqual({
		code: "in-use",
		tokens: 9,
	});
});
