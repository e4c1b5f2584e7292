import { expect, test } from "vitest";
import { createWholeFold } from "../graph/fold.ts";
import type { Strip, StripLevel } from "../log/pass.ts";
import { createViewBuilder } from "../log/view.ts";
import {
	build,
	call,
	type MessageDraft,
	model,
	person,
	result,
	text,
} from "../test-support/message-builders.ts";
import { act, expl, use } from "../test-support/small-sessions.ts";
import { testTools } from "../test-support/tools.ts";
import { createRemaining, remainingEpisodes } from "./remaining-episodes.ts";

/** A session that grows, with passes over whole episodes. */
function begin() {
	const graphs = createWholeFold(testTools);
	const views = createViewBuilder();
	const findRemaining = createRemaining();
	const drafts: MessageDraft[] = [];
	const input = () => ({ graph: graphs.read(), view: views.read(), findRemaining });
	return {
		input,
		add(...more: readonly MessageDraft[]) {
			const known = drafts.length;
			drafts.push(...more);
			for (const message of build(drafts).slice(known)) graphs.append(message);
		},
		/** Takes all items of the episode at a place, or all but so many tokens. */
		take(place: number, level: StripLevel = 4, left = 0) {
			const episode = graphs.read().episodes[place];
			if (!episode) throw new Error(`no episode ${place}`);
			const items = episode.items.map(({ id }) => id);
			const strip: Strip = { episode: episode.id, level, items, tokens: episode.tokens - left };
			const sizes = { version: 1 as const, policy: "p", budget: 0, before: 0, after: 0 };
			views.append({ ...sizes, strips: [strip], blockers: [] });
		},
		names: (change: object = {}) => remainingEpisodes({ ...input(), ...change }).map(({ name }) => name),
	};
}

const look = expl("look", ...use("read", "r1"));
const fix = act("fix", [], ...use("edit", "w1"));

test("an episode that nothing is left of is looked at no more; one that something is left of is", () => {
	const session = begin();
	session.add(person(), ...look, ...fix, ...expl("again", ...use("read", "r2")), person(), model(text()));
	session.take(0);
	session.take(1, 4, 1);
	session.take(2, 3);
	expect(session.names()).toEqual(["fix", "again", expect.stringMatching("unmarked")]);
	expect(session.names({ findRemaining: undefined })[0]).toBe("look");
});

test("a run that nobody marked stays among them, empty or not", () => {
	const session = begin();
	session.add(person(), ...use("read", "r0"), ...look, person(), model(text()));
	session.take(0);
	session.take(1);
	expect(session.names()).toEqual([expect.stringMatching("unmarked"), expect.stringMatching("unmarked")]);
});

test("an episode that was open is known by what it holds once it has closed", () => {
	const session = begin();
	session.add(person(), ...look.slice(0, 3));
	expect(session.names()).toEqual(["look"]);
	session.add(...look.slice(3), ...fix);
	expect(remainingEpisodes(session.input())).toEqual(session.input().graph.episodes);
	session.add(model(text()));
	session.take(0);
	expect(session.names()[0]).toBe("fix");
	session.add(...expl("later", ...use("read", "r3")));
	expect(session.names()).toEqual(["fix", expect.stringMatching("unmarked"), "later"]);
});

test("an empty episode in the exchange in progress stays until that is over", () => {
	const session = begin();
	session.add(person(), ...look);
	session.take(0);
	expect(session.names()).toEqual(["look"]);
	session.add(model(text()));
	expect(session.names()).toEqual([expect.stringMatching("unmarked")]);
});

test("with pinned episodes, and once a result came late, all of them remain", () => {
	const session = begin();
	session.add(person(), model(call("late", "read")), person(), ...look, person(), model(text()));
	session.take(1);
	expect(session.names()).not.toContain("look");
	expect(session.names({ pinned: new Set() })).not.toContain("look");
	expect(session.names({ pinned: new Set(["fix"]) })).toContain("look");
	session.add(result("late"));
	expect(session.names()).toContain("look");
});

test("an episode is back once its eviction is undone", () => {
	const session = begin();
	session.add(person(), ...look, ...fix, model(text()));
	session.take(0);
	expect(session.names()[0]).toBe("fix");
	expect(session.names({ view: createViewBuilder().read() })[0]).toBe("look");
});

test("another session is not taken for the one before", () => {
	const [first, second] = [begin(), begin()];
	const { findRemaining } = first.input();
	first.add(person(), ...look, ...fix, model(text()));
	first.take(0);
	expect(first.names()).toEqual(["fix", expect.stringMatching("unmarked")]);
	second.add(person(), ...look, ...fix, model(text()));
	expect(second.names({ findRemaining })).toEqual(["look", "fix", expect.stringMatching("unmarked")]);
	const { view } = second.input();
	const third = begin();
	third.add(person(), ...expl("third", ...use("read", "r1")), model(text()));
	expect(third.names({ view, findRemaining })[0]).toBe("third");
});
