import { expect, test } from "vitest";
import type { Graph } from "../graph/graph.ts";
import { viewOfLog } from "../log/view.ts";
import { cwl } from "../policies/cwl.ts";
import { paper } from "../policies/paper.ts";
import { sentIds } from "../test-support/inspection.ts";
import * as draft from "../test-support/message-builders.ts";
import {
	forEveryRequestUnder,
	planInput,
	requestSize,
	whereThinkingStays,
} from "../test-support/simulation.ts";
import { act, expl, use } from "../test-support/small-sessions.ts";
import { type Item, isBlank } from "../transcript/transcript.ts";
import { pinnedTokens } from "./evictable.ts";
import { type Policy, withSpared } from "./policy.ts";

/** A person who pins every third episode as it appears. */
const everyThird = (graph: Graph) =>
	new Set(graph.episodes.filter((_, index) => index % 3 === 0).map(({ id }) => id));

const pinning = (policy: Policy): Policy => ({
	...policy,
	plan: (input) => policy.plan({ ...input, pinned: everyThird(input.graph) }),
});

/** Blank text, and reasoning before nothing else: with a neighbor's calls gone, providers refuse what is left. */
function saysNothing({ messages }: Graph, item: Item): boolean {
	const blocks = messages[item.message]?.items ?? [];
	const rest = blocks.slice(blocks.indexOf(item) + 1);
	return (
		isBlank(item) ||
		(item.type === "reasoning" && rest.every((block) => block.type === "reasoning" || isBlank(block)))
	);
}

test.each([paper, cwl])("under $name nothing of a pinned episode ever leaves", (policy) => {
	let passes = 0;
	forEveryRequestUnder({ policies: [pinning(policy)], thinking: whereThinkingStays }, (request) => {
		if (request.pass) passes += 1;
		const sent = sentIds(request);
		const pinned = everyThird(request.graph);
		for (const { id, items } of request.graph.episodes) {
			if (!pinned.has(id)) continue;
			const said = items.filter((item) => !saysNothing(request.graph, item));
			expect(said.filter((item) => !sent.has(item.id))).toEqual([]);
		}
	});
	expect(passes).toBeGreaterThan(0);
});

const session = [
	draft.person(),
	...expl("look", ...use("read", "r1")),
	...act("fix", ["look"], ...use("read", "r2"), ...use("read", "r3")),
	...act("more", [], ...use("read", "r4")),
	draft.person(),
	draft.model(draft.text()),
];
const graph = draft.fold(...session);
const total = requestSize(graph);
const inputFor = (freed: number, pinned: readonly string[] = []) => ({
	...planInput(graph, { budget: total - freed }),
	pinned: new Set(pinned),
});
const taken = (policy: Policy, freed: number, pinned: readonly string[] = []) =>
	policy.plan(inputFor(freed, pinned))?.strips.map(({ episode }) => episode);

test.each([paper, cwl])(
	"a budget that pins keep from being met is blocked under $name, and they are named",
	(policy) => {
		const pass = policy.plan(inputFor(total - 100, ["look", "fix", "more"]));
		expect(pass?.strips).toEqual([]);
		expect(pass?.blockers[0]).toEqual({
			code: "pinned-episodes",
			count: 3,
			largest: "fix",
			tokens: total - 30,
		});
		const one = policy.plan(inputFor(total - 100, ["more"]))?.blockers;
		expect(one).toContainEqual(
			expect.objectContaining({ code: "pinned-episodes", count: 1, largest: "more" }),
		);
	},
);

test("what is spared leaves after everything else, and only when the budget would break", () => {
	const spare = (freed: number) => taken(withSpared(paper, new Set(["fix"])), freed);
	expect(spare(100)).toEqual(["more"]);
	expect(spare(total - 50)).toEqual(["fix", "more", "look"]);
	const most = total - (paper.plan(inputFor(1_000, ["fix"]))?.after ?? 0);
	expect(spare(most)).toEqual(["more"]);
	expect(spare(most + 1)).toEqual(["fix"]);
	expect(withSpared(paper, new Set(["fix"])).plan(inputFor(100, ["more"]))?.strips[0]?.episode).toBe("fix");
	expect(withSpared(paper, new Set())).toBe(paper);
});

test("closed pinned episodes count without what passes took, with the largest by name, and no open ones", () => {
	const open = [draft.model(draft.startExpl("o", "open")), draft.result("o", 1), ...use("read", "r3")];
	const alike = [...expl("small", ...use("read", "r1")), ...expl("alike", ...use("read", "r2"))];
	const graph = draft.fold(draft.person(), ...alike, ...open);
	const size = draft.episodeOf(graph, "small").tokens;
	const inputOf = (...pinned: readonly string[]) => ({ graph, view: viewOfLog([]), pinned: new Set(pinned) });
	const both = { count: 2, tokens: 2 * size, largest: { name: "small", tokens: size } };
	expect(pinnedTokens(inputOf("small", "alike", "open"))).toMatchObject(both);
	expect(pinnedTokens(inputOf("small", "alike"), new Map([["small", 40]]))).toMatchObject({
		...{ tokens: 2 * size - 40, largest: { name: "alike" } },
	});
	expect(pinnedTokens(inputOf("small"), new Map([["small", size]])).count).toBe(0);
	expect(pinnedTokens(inputOf())).toEqual({ count: 0, tokens: 0, largest: { name: "", tokens: 0 } });
});
