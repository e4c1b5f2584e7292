import { expect, test } from "vitest";
import { totalTokens } from "../ledger/ledger.ts";
import type { Pass } from "../log/pass.ts";
import { viewOfLog } from "../log/view.ts";
import { everyItem, orphans, sentItems } from "../test-support/inspection.ts";
import * as draft from "../test-support/message-builders.ts";
import { inputOf, total } from "../test-support/open-session.ts";
import { passWith } from "../test-support/passes.ts";
import { forEveryRequestUnder, planInput, requestSize } from "../test-support/simulation.ts";
import { act, expl, use } from "../test-support/small-sessions.ts";
import { planDescriptions, planEpisode, withDescriptions } from "./manual-pass.ts";
import type { Policy } from "./policy.ts";

/** The strips of a pass without those that only take the thinking behind its first change. */
function withoutThinking(pass: Pass | undefined) {
	return pass?.strips.filter(({ level }) => level > 1);
}

test("an episode that a person evicts goes whole, and its line says how to have it back", () => {
	const input = inputOf(total * 2);
	const pass = planEpisode(input, draft.episodeOf(input.graph, "fix"));
	expect(withoutThinking(pass)).toMatchObject([{ episode: "fix", level: 4 }]);
	expect(pass?.strips[0]?.marker?.text ?? "").toContain('recall "fix"');
	expect(requestSize(input.graph, pass ? [pass] : [])).toBe(pass?.after);
});

test("an open episode gives its past calls and nothing of the exchange in progress", () => {
	const input = inputOf(total * 2);
	const pass = planEpisode(input, draft.episodeOf(input.graph, "open"));
	const taken = new Set(pass?.strips.flatMap(({ items }) => items));
	const calls = draft.episodeOf(input.graph, "open").items.filter(({ type }) => type === "call");
	expect(calls.filter(({ id }) => taken.has(id)).map(draft.labelOf)).toEqual(["r4"]);
});

/** A person who evicts an episode before every request, the oldest that gives anything. */
const hand: Policy = {
	name: "hand",
	plan(input) {
		for (const episode of input.graph.episodes) {
			const pass = planEpisode(input, episode);
			if (pass) return pass;
		}
		return undefined;
	},
};

test("manual passes leave no result without its call, and their figures match what is sent", () => {
	let passes = 0;
	forEveryRequestUnder({ policies: [hand] }, (request) => {
		const refused = new Set(orphans(everyItem(request.messages)));
		expect(orphans(sentItems(request.messages, request.parts)).every((item) => refused.has(item))).toBe(true);
		const { pass, before, graph, view, settings } = request;
		if (!pass) return;
		passes += 1;
		expect(pass.after).toBeLessThanOrEqual(pass.before);
		expect(totalTokens({ graph, view, fixed: settings.fixed })).toBe(pass.after);
		for (const { items } of pass.strips) for (const id of items) expect(before.removed).not.toContain(id);
	});
	expect(passes).toBeGreaterThan(0);
});

test("a line that saves nothing is not set: the episode then stays, but for its calls", () => {
	const input = inputOf(total * 2);
	const episode = draft.episodeOf(input.graph, "fix");
	const levels = (tokens: number) =>
		withoutThinking(planEpisode({ ...input, countMarker: () => tokens }, episode))?.map(({ level }) => level);
	expect(levels(episode.tokens - 1)).toEqual([4]);
	expect(levels(episode.tokens)).toEqual([3]);
});

test("old reasoning of an open episode leaves as the lowest level, that of the loop in progress where it is bound", () => {
	const drafts = [
		draft.person(),
		...draft.exchange(draft.startExpl("o", "open")),
		draft.model(draft.reasoning(20), draft.text()),
		draft.person(),
		draft.model(draft.reasoning(20), draft.text()),
		draft.note(),
		draft.model(draft.reasoning(20), draft.text()),
		draft.model(draft.text()),
	];
	const graph = draft.fold(...drafts);
	const input = planInput(graph, { budget: 1_000 });
	const plan = (keepsLoopThinking: boolean) =>
		planEpisode({ ...input, keepsLoopThinking }, draft.episodeOf(graph, "open"));
	expect(plan(true)?.strips).toMatchObject([{ level: 1, items: ["3.0", "5.0"], tokens: 40 }]);
	expect(plan(false)?.strips).toMatchObject([{ level: 1, items: ["3.0", "5.0", "7.0"], tokens: 60 }]);
});

test("an expl stays until the last of the acts that declared it has gone, and then goes with that", () => {
	const drafts = [
		draft.person(),
		...expl("look", ...use("grep", "g")),
		...act("first", ["look"], ...use("edit", "a")),
		...act("second", ["look"], ...use("edit", "b")),
		draft.person(),
		draft.model(draft.text()),
	];
	const graph = draft.fold(...drafts);
	const log: Pass[] = [];
	const evict = (name: string) => {
		const input = planInput(graph, { budget: 1_000 }, viewOfLog(log));
		const pass = planEpisode(input, draft.episodeOf(graph, name));
		if (pass) log.push(pass);
		return withoutThinking(pass)?.map(({ episode, level }) => `${episode} ${level}`);
	};
	expect([evict("look"), evict("first"), evict("second"), evict("look")]).toEqual([
		["look 2"],
		["first 4"],
		["second 4", "look 4"],
		undefined,
	]);
});

const described = draft.fold(
	draft.person(),
	...expl("look", ...use("read", "r1")),
	...expl("more", ...use("read", "r2")),
	draft.person(),
	draft.model(draft.text()),
);
const inputAfter = (log: readonly Pass[], budget = 10_000) =>
	planInput(described, { budget }, viewOfLog(log));
const words = (texts: Readonly<Record<string, string>>) => new Map(Object.entries(texts));
const lineOf = (log: readonly Pass[]) => viewOfLog(log).episodes.get("look")?.marker?.text;

function evictLook(): readonly Pass[] {
	const pass = planEpisode(inputAfter([]), draft.episodeOf(described, "look"));
	return pass ? [pass] : [];
}

test("a graph has the descriptions that a person gave, and none where it was taken away", () => {
	const edited = withDescriptions(described, words({ look: "mine", more: "", nobody: "x" }));
	expect(edited.episodes.map(({ description }) => description)).toEqual(["mine", undefined, undefined]);
	expect(withDescriptions(described, new Map())).toBe(described);
	expect(described.episodes.map(({ description }) => description)).toEqual(["x", "x", undefined]);
});

test("lines that stand get the new words in place of the old ones, on one line, and the books stay right", () => {
	const log = evictLook();
	const head = lineOf(log)?.replace(/ "x"$/, "") ?? "";
	const pass = planDescriptions(inputAfter(log), words({ look: "found\n  it", more: "not evicted" }));
	expect(pass).toMatchObject({ version: 1, policy: "by hand", strips: [{ level: 4, items: [], tokens: 0 }] });
	expect(pass?.strips).toHaveLength(1);
	expect(pass).not.toHaveProperty("indexLines");
	const after = [...log, ...(pass ? [pass] : [])];
	expect(lineOf(after)).toBe(`${head} "found\\n  it"`);
	expect(viewOfLog(after).removed).toEqual(viewOfLog(log).removed);
	expect(pass?.after).toBe(requestSize(described, after));
	const found = words({ look: "found\n  it" });
	const again = { ...inputAfter(after), graph: withDescriptions(described, found) };
	expect(planDescriptions(again, words({ look: "" }))?.strips[0]?.marker?.text).toBe(head);
	expect(planDescriptions(again, found)).toBeUndefined();
});

test("lines of groups say the new words in the size that they had, once", () => {
	const strips = ["look", "more"].map((episode) => ({ episode, level: 4 as const, items: [], tokens: 0 }));
	const anchor = draft.episodeOf(described, "look").items[0]?.id ?? "";
	const marker = { anchor, text: '[2 episodes] "look": "x"', tokens: 200 };
	const indexLines = [{ episodes: ["look", "more"], marker }];
	const log = [passWith({ strips, indexLines })];
	const mine = words({ more: "mine" });
	const edit = planDescriptions(inputAfter(log), mine);
	const after = viewOfLog([...log, ...(edit ? [edit] : [])]);
	expect(after.indexLines).toHaveLength(1);
	expect(after.indexLines[0]?.marker.text).toMatch(/\] "look": "x", "more": "mine"$/);
	expect(after.indexLines[0]?.marker.tokens).toBeLessThanOrEqual(200);
	expect(planDescriptions({ ...inputAfter(log), view: after }, mine)).toBeUndefined();
});
