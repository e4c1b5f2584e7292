import fc from "fast-check";
import { expect, test } from "vitest";
import { nudgeFor } from "../annotation/nudge.ts";
import { timelineOf } from "../history/timeline.ts";
import { computeLedger, totalTokens } from "../ledger/ledger.ts";
import type { Pass, StripLevel } from "../log/pass.ts";
import { recountEpisodes } from "../log/recount.ts";
import { type View, viewOfLog } from "../log/view.ts";
import { createPinnedMeter } from "../planning/pinned-meter.ts";
import { cwl } from "../planning/policies/cwl.ts";
import { paper } from "../planning/policies/paper.ts";
import type { Policy } from "../planning/policy.ts";
import { createRemaining } from "../planning/remaining-episodes.ts";
import { createProjection, project } from "../projection/projection.ts";
import { readRecalls } from "../recall/recalled.ts";
import {
	build,
	call,
	end,
	episodeOf,
	labelOf,
	type MessageDraft,
	model,
	person,
	result,
	startAct,
} from "../test-support/message-builders.ts";
import { writeSession } from "../test-support/session-writer.ts";
import { anySession, anySettings } from "../test-support/sessions.ts";
import { planInput, type Request, requestsOf } from "../test-support/simulation.ts";
import { act, expl, use } from "../test-support/small-sessions.ts";
import { testTools } from "../test-support/tools.ts";
import type { TranscriptMessage } from "../transcript/transcript.ts";
import { createCompactionClock, dropEvicted } from "./drop-evicted.ts";
import { createLiveFold, type LiveFold } from "./fold.ts";
import { type Episode, type Graph, openEpisodes } from "./graph.ts";

const deep: Policy = {
	name: "deep",
	plan: (input) => cwl.plan({ ...input, isCold: true, lowWater: 0.3 }),
};
const policies = [paper, cwl, deep];

/** Read on; a result whose episode is gone leads back to the whole history, as whoever holds it would do. */
function readOn(fold: LiveFold, messages: readonly TranscriptMessage[], from: number): LiveFold {
	for (const message of messages.slice(from)) fold.append(message);
	fold.read();
	if (!fold.needsRebuild()) return fold;
	const again = createLiveFold(testTools);
	for (const message of messages) again.append(message);
	return again;
}

/** Request by request, with a graph that lets go of what was evicted, now and then. */
function forEveryTwin(check: (compact: Graph, request: Request) => void) {
	const moments = fc.infiniteStream(fc.boolean());
	fc.assert(
		fc.property(
			anySession,
			anySettings,
			fc.constantFrom(...policies),
			moments,
			(session, settings, policy, moment) => {
				let compact = createLiveFold(testTools);
				let at = 0;
				for (const request of requestsOf(writeSession(session), settings, policy)) {
					compact = readOn(compact, request.messages, at);
					at = request.messages.length;
					if (moment.next().value) dropEvicted(compact, request.before);
					check(compact.read(), request);
				}
			},
		),
	);
}

test("the next pass, its request and all later ones are what they would be with nothing let go", () => {
	forEveryTwin((compact, { policy, before, view, settings, pass, parts }) => {
		expect(policy.plan(planInput(compact, before, settings))).toEqual(pass);
		expect(project(compact, view)).toEqual(parts);
	});
});

test("a session that counts on from request to request plans and sends the same", () => {
	const meters = { measurePinned: createPinnedMeter(), findRemaining: createRemaining() };
	let pinned: ReadonlySet<string> = new Set();
	let seen: View | undefined;
	let growing = createProjection(viewOfLog([]));
	forEveryTwin((compact, { policy, view, settings, pass, parts, graph }) => {
		if (seen !== view) growing = createProjection(view);
		else if (pass) growing.append(pass);
		seen = view;
		expect(growing.extend(compact)).toEqual(parts);
		const third = graph.episodes.filter(({ place }) => place % 3 === 0).map(({ id }) => id);
		// A person pins now and then; until the next time the set is the same.
		if (third.length > pinned.size) pinned = new Set(third);
		const plain = planInput(compact, view, { ...settings, budget: settings.budget / 2 });
		expect(policy.plan({ ...plain, ...meters })).toEqual(policy.plan(plain));
		expect(policy.plan({ ...plain, pinned, ...meters })).toEqual(policy.plan({ ...plain, pinned }));
	});
});

test("sizes, accounts and nudges too", () => {
	forEveryTwin((compact, { graph, view, settings: { budget, fixed } }) => {
		expect(totalTokens(compact, view, fixed)).toBe(totalTokens(graph, view, fixed));
		expect(computeLedger(compact, view, fixed)).toEqual(computeLedger(graph, view, fixed));
		expect(recountEpisodes(compact, view)).toEqual(recountEpisodes(graph, view));
		expect(nudgeFor(compact, testTools, budget, undefined)).toEqual(
			nudgeFor(graph, testTools, budget, undefined),
		);
	});
});

test("its thinking is that of the messages which are left, and its open episodes are the last ones", () => {
	forEveryTwin((compact) => {
		const thinking = compact.messages.flatMap(({ items }) =>
			items.filter(({ type }) => type === "reasoning"),
		);
		expect(compact.reasoning).toEqual(thinking);
		expect(openEpisodes(compact)).toEqual(compact.episodes.filter(({ state }) => state === "open"));
	});
});

const edit = (id: string) => ({ ...call(id, "edit"), digest: { lines: [], paths: ["src/a.ts"] } });
const acts = (...names: readonly string[]) =>
	names.flatMap((name) => [
		model(startAct(`s${name}`, name), edit(name), edit(`${name} too`)),
		result(`s${name}`),
		result(`${name} too`),
		result(name, 100),
		model(end(`e${name}`)),
		result(`e${name}`),
	]);

/** A pass that took all of an episode, at this level. */
function takeAll({ id, items, tokens }: Episode, level: StripLevel): Pass {
	const strip = { episode: id, level, items: items.map((item) => item.id), tokens };
	return { version: 1, policy: "paper", budget: 0, before: 0, after: 0, strips: [strip], blockers: [] };
}

function foldOf(...drafts: readonly MessageDraft[]): LiveFold {
	const graphs = createLiveFold(testTools);
	for (const message of build(drafts)) graphs.append(message);
	return graphs;
}

test("a record stands for each evicted episode, and a message without items for what was in it", () => {
	const graphs = foldOf(person(), ...acts("first", "second", "third"));
	const second = episodeOf(graphs.read(), "second");
	const { length } = graphs.read().messages;
	dropEvicted(graphs, viewOfLog([takeAll(second, 4)]));
	const { episodes, evicted, messages: left } = graphs.read();
	expect(episodes.map(({ name }) => name)).toEqual(["first", "third"]);
	expect([...evicted.values()]).toMatchObject([{ name: "second", tokens: second.tokens, place: 1 }]);
	expect(second.items.flatMap(({ message }) => left[message]?.items ?? [])).toEqual([]);
	expect(left).toHaveLength(length);
	const [record] = evicted.values();
	expect([record?.files.worked, record?.files.shown]).toEqual([new Map([["src/a.ts", 2]]), new Map()]);
	const { resultOf, callOf } = graphs.read();
	expect(second.items.filter(({ id }) => resultOf.has(id) || callOf.has(id))).toEqual([]);
});

test("what later passes still look at stays: the first episode, the last marked one, and what the open loop begins with", () => {
	const leftAfter = (name: string, ...more: readonly MessageDraft[]) => {
		const graphs = foldOf(person(), ...acts("first", "second", "third"), ...more);
		dropEvicted(graphs, viewOfLog([takeAll(episodeOf(graphs.read(), name), 4)]));
		return graphs.read().episodes.some((episode) => episode.name === name);
	};
	const later = [person(), model(call("now", "read")), result("now"), model(call("then", "read"))];
	expect([leftAfter("first", ...later), leftAfter("third", ...later)]).toEqual([true, true]);
	expect([leftAfter("second", ...later), leftAfter("second")]).toEqual([false, false]);
	const loop = [person(), ...acts("begin", "go on", "end")];
	expect([leftAfter("begin", ...loop), leftAfter("go on", ...loop)]).toEqual([true, false]);
	expect([
		leftAfter("third", ...later, ...acts("fourth")),
		leftAfter("third", person(), ...acts("fourth")),
	]).toEqual([false, false]);
});

test("an act whose items are all evicted, though not as a whole, still holds the expls that it declared", () => {
	const drafts = [
		person(),
		...acts("first"),
		...expl("look", ...use("read", "r")),
		...act("fix", ["look"], ...use("edit", "w")),
		...act("more", [], ...use("edit", "v")),
		...acts("last"),
	];
	const leftAfter = (name: string, level: StripLevel) => {
		const graphs = foldOf(...drafts);
		dropEvicted(graphs, viewOfLog([takeAll(episodeOf(graphs.read(), name), level)]));
		return graphs.read().episodes.some((episode) => episode.name === name);
	};
	expect([leftAfter("fix", 3), leftAfter("fix", 4), leftAfter("more", 3)]).toEqual([true, false, false]);
});

test("a result for a call that was let go tells at once that the way is lost, one for a call that is there does not", () => {
	const lost = (callId: string, ...more: readonly MessageDraft[]) => {
		const graphs = foldOf(person(), ...acts("first", "second", "third"));
		const before = graphs.read().messages.length;
		dropEvicted(graphs, viewOfLog([takeAll(episodeOf(graphs.read(), "second"), 4)]));
		const late = [model(call("now", "read"), call("then", "read")), result(callId), ...more];
		for (const { author, items } of build(late)) {
			const moved = items.map((item) => ({ ...item, id: `late ${item.id}`, message: item.message + before }));
			graphs.append({ author, items: moved });
		}
		graphs.read();
		return graphs.needsRebuild();
	};
	for (const more of [[], [person()]]) {
		expect([lost("second", ...more), lost("third", ...more), lost("now", ...more)]).toEqual([
			true,
			false,
			false,
		]);
	}
	const whole = foldOf(person(), ...acts("first"), result("nobody"), person());
	whole.read();
	expect(whole.needsRebuild()).toBe(false);
});

test("of two calls with one id, the later is still there when the earlier was let go", () => {
	const again = [model(startAct("s", "again"), edit("second")), result("s"), model(end("e")), result("e")];
	const graphs = foldOf(person(), ...acts("first", "second"), ...again, ...acts("last"), person());
	dropEvicted(graphs, viewOfLog([takeAll(episodeOf(graphs.read(), "second"), 4)]));
	for (const message of build([result("second")])) graphs.append(message);
	expect([graphs.needsRebuild(), episodeOf(graphs.read(), "again").items.map(labelOf).at(-1)]).toEqual([
		false,
		"second result",
	]);
});

test("times are those of the whole session, also when nobody asked for them before", () => {
	const _tools = { ...testTools };
	const graphs = foldOf(person(), ...acts("first", "second", "third"));
	const whole = timelineOf(graphs.read().history);
	const ages = graphs.read().messages.map((_, index) => whole.age(index));
	dropEvicted(graphs, viewOfLog([takeAll(episodeOf(graphs.read(), "second"), 4)]));
	const time = timelineOf(graphs.read().history);
	expect(graphs.read().messages.map((_, index) => time.age(index))).toEqual(ages);
	expect(time.sinceNamed(["src/a.ts"])).toBe(whole.sinceNamed(["src/a.ts"]));
});

test("what was recalled before it was let go is known to be asked for again", () => {
	const recall = (id: string) => [
		model(startAct(`s${id}`, id), call(id, "recall", { query: "look" })),
		result(`s${id}`),
		result(id),
		model(end(`e${id}`)),
		result(`e${id}`),
	];
	const graphs = foldOf(person(), ...acts("first"), ...recall("once"), ...recall("again"), ...acts("last"));
	dropEvicted(graphs, viewOfLog([takeAll(episodeOf(graphs.read(), "once"), 4)]));
	const again = episodeOf(graphs.read(), "again").items.find(
		(item) => item.type === "call" && item.tool === "recall",
	);
	expect(again?.type === "call" && readRecalls(graphs.read())(again)).toBe("again");
});

test("evicted episodes are let go of once passes have changed an eighth of those that the graph holds, and not again before", () => {
	const graph = { episodes: new Array<Episode>(16) };
	const clock = createCompactionClock();
	const emptyPass: Pass = {
		...{ version: 1, policy: "paper", budget: 0, before: 0, after: 0 },
		...{ strips: [], blockers: [] },
	};
	const taking = (...episodes: readonly string[]): Pass => ({
		...emptyPass,
		strips: episodes.map((episode) => ({ episode, level: 2, items: [], tokens: 1 })),
	});
	clock.note(taking("a"));
	clock.note(emptyPass);
	expect(clock.isDue(graph)).toBe(false);
	clock.note(taking("b"));
	expect(clock.isDue({ episodes: new Array<Episode>(17) })).toBe(false);
	expect(clock.isDue(graph)).toBe(true);
	expect(clock.isDue({ episodes: new Array<Episode>(8) })).toBe(false);
	const marker = { anchor: "a.0", text: "a and b", tokens: 3 };
	clock.note({ ...emptyPass, folds: [{ episodes: ["a", "b"], marker }] });
	expect(clock.isDue(graph)).toBe(true);
});
