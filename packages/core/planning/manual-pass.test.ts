import { expect, test } from "vitest";
import { totalTokens } from "../ledger/ledger.ts";
import type { Pass } from "../log/pass.ts";
import { viewOfLog } from "../log/view.ts";
import { everyItem, orphans, sentItems } from "../test-support/inspection.ts";
import * as draft from "../test-support/message-builders.ts";
import { episodeOf, inputOf, total } from "../test-support/open-session.ts";
import { forEveryRequestUnder, planInput, requestSize } from "../test-support/simulation.ts";
import { act, expl, use } from "../test-support/small-sessions.ts";
import { planEpisode } from "./manual-pass.ts";
import type { Policy } from "./policy.ts";

/** The strips of a pass without those that only take the thinking behind its first change. */
function withoutThinking(pass: Pass | undefined) {
	return pass?.strips.filter(({ level }) => level > 1);
}

test("an episode that a person evicts goes whole, and its line says how to have it back", () => {
	const input = inputOf(total * 2);
	const pass = planEpisode(input, episodeOf(input, "fix"));
	expect(withoutThinking(pass)).toMatchObject([{ episode: "fix", level: 4 }]);
	expect(pass?.strips[0]?.marker?.text ?? "").toContain('recall "fix"');
	expect(requestSize(input.graph, pass ? [pass] : [])).toBe(pass?.after);
});

test("an open episode gives its past calls and nothing of the exchange in progress", () => {
	const input = inputOf(total * 2);
	const pass = planEpisode(input, episodeOf(input, "open"));
	const taken = new Set(pass?.strips.flatMap(({ items }) => items));
	const calls = episodeOf(input, "open").items.filter(({ type }) => type === "call");
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
		expect(totalTokens(graph, view, settings.fixed)).toBe(pass.after);
		for (const { items } of pass.strips) for (const id of items) expect(before.removed).not.toContain(id);
	});
	expect(passes).toBeGreaterThan(0);
});

test("a line that saves nothing is not set: the episode then stays, but for its calls", () => {
	const input = inputOf(total * 2);
	const episode = episodeOf(input, "fix");
	const levels = (tokens: number) =>
		withoutThinking(planEpisode({ ...input, countMarker: () => tokens }, episode))?.map(({ level }) => level);
	expect(levels(episode.tokens - 1)).toEqual([4]);
	expect(levels(episode.tokens)).toEqual([3]);
});

test("with the last act that declared it, what an earlier pass had left of an expl goes too", () => {
	const first = inputOf(total * 2);
	const look = planEpisode(first, episodeOf(first, "look"));
	const input = inputOf(total * 2, look ? [look] : []);
	const pass = planEpisode(input, episodeOf(input, "fix"));
	expect(withoutThinking(pass)?.map(({ episode, level }) => [episode, level])).toEqual([
		["fix", 4],
		["look", 4],
	]);
	expect(
		planEpisode(
			inputOf(
				total * 2,
				[look, pass].flatMap((each) => each ?? []),
			),
			episodeOf(input, "look"),
		),
	).toBeUndefined();
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

test("a run that nobody marked goes whole even where a line would save nothing, and then without one", () => {
	const found = draft.model(draft.text());
	const drafts = [draft.person(), ...use("grep", "g"), found, draft.person(), draft.model(draft.text())];
	const graph = draft.fold(...drafts);
	const input = planInput(graph, { budget: 1_000 });
	const [run] = graph.episodes;
	if (!run) throw new Error("no run");
	const stripsAt = (tokens: number) => planEpisode({ ...input, countMarker: () => tokens }, run)?.strips;
	expect(stripsAt(run.tokens)?.map(({ level, marker }) => [level, marker])).toEqual([[4, undefined]]);
	expect(stripsAt(run.tokens - 1)?.[0]?.marker?.tokens).toBe(run.tokens - 1);
});

test("an expl stays until the last of the acts that declared it has gone", () => {
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
	expect([evict("look"), evict("first"), evict("second")]).toEqual([
		["look 2"],
		["first 4"],
		["second 4", "look 4"],
	]);
});

test("a manual pass takes nothing from a pinned episode either", () => {
	const input = inputOf(total * 2);
	const { id } = episodeOf(input, "fix");
	expect(planEpisode({ ...input, pinned: new Set([id]) }, episodeOf(input, "fix"))).toBeUndefined();
});
