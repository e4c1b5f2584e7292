import { expect, test } from "vitest";
import { createWholeFold } from "../graph/fold.ts";
import { createViewBuilder } from "../log/view.ts";
import {
	build,
	call,
	type MessageDraft,
	model,
	person,
	result,
	startExpl,
	text,
} from "../test-support/message-builders.ts";
import { expl, mark, use } from "../test-support/small-sessions.ts";
import { testTools } from "../test-support/tools.ts";
import { createPinnedMeter, openPinnedTokens, pinnedTokens } from "./pinned-meter.ts";

/** A session that grows, with a meter for its pinned episodes. */
function begin() {
	const graphs = createWholeFold(testTools);
	const views = createViewBuilder();
	const drafts: MessageDraft[] = [];
	const meter = createPinnedMeter();
	let asked = 0;
	const measurePinned: typeof meter = (input) => {
		asked += 1;
		return meter(input);
	};
	return {
		input: (...pinned: readonly string[]) => ({
			graph: graphs.read(),
			view: views.read(),
			pinned: new Set(pinned),
		}),
		/** By the meter, which must answer what counting all of them answers. */
		measure(pinned: ReadonlySet<string>) {
			const input = { graph: graphs.read(), view: views.read(), pinned };
			const measured = pinnedTokens({ ...input, measurePinned });
			expect(measured).toEqual(pinnedTokens(input));
			return measured;
		},
		asked: () => asked,
		add(...more: readonly MessageDraft[]) {
			const known = drafts.length;
			drafts.push(...more);
			for (const message of build(drafts).slice(known)) graphs.append(message);
		},
		take(episode: string, tokens: number, ...items: readonly string[]) {
			const strips = [{ episode, level: 3 as const, items, tokens }];
			views.append({ version: 1, policy: "p", budget: 0, before: 0, after: 0, strips, blockers: [] });
		},
	};
}

const small = expl("small", ...use("read", "r1"));
const large = expl("large", ...use("read", "r2"), ...use("read", "r3"));
const [SMALL, LARGE] = [103 + 120, 103 + 240];

test("the closed pinned episodes count, with the largest one by name, as the session grows", () => {
	const session = begin();
	const pinned = new Set(["small", "large", "open"]);
	session.add(person(), ...small, ...expl("other", ...use("read", "r4")));
	const first = { count: 1, tokens: SMALL, largest: { name: "small", tokens: SMALL } };
	expect(session.measure(pinned)).toEqual(first);
	session.add(...large);
	const both = { count: 2, tokens: SMALL + LARGE, largest: { name: "large", tokens: LARGE } };
	expect(session.measure(pinned)).toEqual(both);
	session.add(model(mark(startExpl("o", "open"))), result("o", 1), ...use("read", "r5"));
	expect(session.measure(pinned)).toEqual(both);
	expect(openPinnedTokens(session.input("small", "open"))).toBe(2 + 120);
	expect(openPinnedTokens(session.input("small"))).toBe(0);
	expect(session.measure(new Set(["large"]))).toMatchObject({ count: 1, tokens: LARGE });
	pinned.delete("large");
	expect(session.measure(pinned)).toEqual(first);
});

test("of two that are equally large the older one is named, and nothing without pins", () => {
	const session = begin();
	session.add(person(), ...small, ...expl("alike", ...use("read", "r6")), model(text()));
	expect(session.measure(new Set(["alike", "small"])).largest.name).toBe("small");
	const asked = session.asked();
	expect(session.measure(new Set())).toEqual({ count: 0, tokens: 0, largest: { name: "", tokens: 0 } });
	expect(session.asked()).toBe(asked);
});

test("what passes took does not count, nor what a pass in the making takes, and an empty episode is none", () => {
	const session = begin();
	session.add(person(), ...small, ...large, model(text()));
	const pinned = new Set(["small", "large"]);
	session.measure(pinned);
	session.take("small", 100, "3.1");
	expect(session.measure(pinned).tokens).toBe(SMALL - 100 + LARGE);
	session.take("small", SMALL - 100, "1.0");
	expect(session.measure(pinned)).toMatchObject({ count: 1, tokens: LARGE });
	const taken = new Map([["large", 40]]);
	const input = session.input("small", "large");
	expect(pinnedTokens(input, taken).tokens).toBe(LARGE - 40);
	const stale = {
		...input,
		measurePinned: () => ({ count: 9, tokens: 9, largest: { name: "", tokens: 9 } }),
	};
	expect(pinnedTokens(stale, taken).tokens).toBe(LARGE - 40);
	expect(pinnedTokens(stale, new Map([["other", 40]])).tokens).toBe(9);
});

test("once a result came late or for nothing, all pinned episodes are counted anew", () => {
	const session = begin();
	session.add(person(), model(call("late", "read")), person(), ...small, person(), model(text()));
	const pinned = new Set(["small"]);
	session.measure(pinned);
	expect(session.asked()).toBe(1);
	session.add(result("late", 30));
	expect(session.measure(pinned).tokens).toBe(SMALL);
	expect(session.asked()).toBe(1);
});
