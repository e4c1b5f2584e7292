import { expect, test } from "vitest";
import type { ComponentBudgets } from "#core/add-ons";
import { foldTranscript } from "#core/graph";
import { measureComponentStates, measureHealth } from "#core/health";
import { uncalibrated } from "#core/ledger";
import { type Pass, viewOfLog } from "#core/log";
import { newestOf, type PlanInput } from "#core/planning";
import * as draft from "../../core/test-support/message-builders.ts";
import { passTaking } from "../../core/test-support/passes.ts";
import { planInput } from "../../core/test-support/simulation.ts";
import { expl } from "../../core/test-support/small-sessions.ts";
import { defaultComponentBudgets } from "../add-ons/component-budgets.ts";
import { createSizes } from "../screen/sizes.ts";
import { defaultToolTable } from "../tool-profiles.ts";
import { findAlerts } from "./alerts.ts";
import { describeComponent } from "./health-report.ts";
import { measureSecondLooks } from "./second-looks.ts";

const { build, call, model, person, result, startAct, text } = draft;

/** A provider that counts as we do. */
const known = { ...uncalibrated, samples: 1 };

type Drafts = readonly draft.MessageDraft[];

function read(id: string, tokens: number, lines: readonly number[] = []): Drafts {
	const asked = { ...call(id, "read", { pattern: "MOST" }), digest: { lines: [], paths: ["src/a.ts"] } };
	const answered = result(id, tokens);
	const items = answered.items.map((item) => ({ ...item, digest: { lines, paths: [] } }));
	return [model(asked), { ...answered, items }];
}

function alertsOf(
	drafts: Drafts,
	change: Partial<PlanInput> = {},
	log: readonly Pass[] = [],
	budgets: ComponentBudgets = defaultComponentBudgets,
) {
	const graph = foldTranscript(build(drafts), defaultToolTable);
	const settings = { budget: 1_000 };
	const input = { ...planInput(graph, settings, viewOfLog(log)), ...change };
	const sizes = createSizes(known);
	const requestsSince = ({ newest }: Pass) => {
		const from = graph.messages.findIndex(({ items }) => items.some(({ id }) => id === newest));
		return graph.messages.slice(from + 1).filter(({ author }) => author === "model").length;
	};
	const { prices } = input;
	const calls = new Set(
		graph.messages.flatMap(({ items }) =>
			items.flatMap((item) => (item.type === "call" ? [item.callId] : [])),
		),
	);
	const kept = log.map((pass, at) => {
		const tokens = (pass.before - pass.after) * requestsSince(pass);
		return [at + 1, { tokens, worth: tokens * (prices?.read ?? 0.1), prices, calls }] as const;
	});
	const looks = measureSecondLooks({
		log: log.map((pass, at) => ({ ...pass, number: at + 1 })),
		regrets: measureHealth(input, log).regrets,
		kept: new Map(kept),
		sizes,
		prices,
	});
	return findAlerts({
		input,
		looks,
		sizes,
		components: measureComponentStates(input, budgets),
	});
}

/** A pass over what was there then. */
function take(drafts: Drafts, callId: string): Pass {
	const graph = foldTranscript(build(drafts), defaultToolTable);
	const taken = graph.messages
		.flatMap(({ items }) => items)
		.filter((item) => item.type === "call" && item.callId === callId);
	const strips = [{ episode: "e", level: 3 as const, items: taken.map(({ id }) => id), tokens: 100 }];
	const sizes = { version: 1 as const, policy: "cwl", budget: 1_000, before: 1_100, after: 900 };
	return { ...sizes, strips, blockers: [], ...newestOf({ graph }) };
}

/** Read and evicted so often, then read once more. */
function rereadSession(times: number): readonly [Drafts, readonly Pass[]] {
	const log: Pass[] = [];
	let drafts: Drafts = [person()];
	for (let time = 0; time <= times; time++) {
		drafts = [...drafts, ...read(`r${time}`, 90, [1, 2, 3])];
		if (time < times) log.push(take(drafts, `r${time}`));
	}
	return [drafts, log];
}

test("a session in order has none", () => {
	expect(alertsOf([person(), ...read("r", 90), model(text(10))])).toEqual([]);
});

test("a budget below the floor is critical, and names the largest part of it", () => {
	expect(alertsOf([person(1_200)])).toEqual([
		{
			id: "floor-over",
			grade: "critical",
			text: expect.stringMatching(/^1\.2k of 1k tokens can never leave, most of it what you wrote, 1\.2k$/),
			remedy: expect.stringContaining("/cwl release"),
		},
	]);
	const [alert] = alertsOf([person()], { fixed: { system: 400, tools: 200 } });
	expect(alert).toMatchObject({ id: "floor-high", grade: "warning" });
	expect(alert?.text).toContain("system prompt and tools, 600");
});

test("a pinned giant is named, and how to let it go", () => {
	const work = [...expl("huge", ...read("r", 240)), ...expl("small", ...read("s", 10))];
	const session = [person(), ...work, person()];
	const pinned = new Set(foldTranscript(build(session), defaultToolTable).episodes.map(({ id }) => id));
	expect(alertsOf(session, { pinned })).toEqual([
		expect.objectContaining({ grade: "warning", remedy: "/cwl pin huge lets it go" }),
	]);
	expect(alertsOf(session)).toEqual([]);
	const unmarked = [person(), ...read("r", 340), person()];
	const [run] = foldTranscript(build(unmarked), defaultToolTable).episodes;
	expect(alertsOf(unmarked, { pinned: new Set([run?.id ?? ""]) })).toMatchObject([
		{ id: `pinned ${run?.name}` },
	]);
});

/** An episode that is not ended, and so many user turns after it began. */
function openSession(tokens: number, turns: number): Drafts {
	const later = Array.from({ length: turns }, (_, turn) => [person(), ...read(`t${turn}`, 10)]).flat();
	return [person(), model(startAct("s", "endless")), result("s"), ...read("a", tokens), ...later];
}

test("an episode that is being worked on is nobody's trouble, however the work grows in one turn", () => {
	expect(alertsOf(openSession(400, 0))).not.toContainEqual(
		expect.objectContaining({ id: expect.stringMatching(/^open /) }),
	);
	expect(alertsOf(openSession(240, 2))).toEqual([]);
});

test("an episode that was left open over three user turns is named, one that nobody marked is not", () => {
	expect(alertsOf(openSession(240, 3))).toEqual([
		{
			id: expect.stringMatching(/^open /),
			grade: "warning",
			text: expect.stringMatching(
				/^act "endless" was not ended for 3 user turns and holds \d{3} of 1k tokens$/,
			),
			remedy: "tell the model to end it, or /cwl evict endless",
		},
	]);
	const unmarked = openSession(240, 3).toSpliced(1, 2);
	expect(alertsOf(unmarked)).toEqual([]);
});

test("a re-read loop is named with its file, its passes and its price, and gets graver", () => {
	expect(alertsOf(...withLog(rereadSession(2))).map(({ id }) => id)).toEqual([]);
	const [loop] = alertsOf(...withLog(rereadSession(3)));
	expect(loop).toMatchObject({ grade: "warning" });
	expect(loop?.text).toBe('"src/a.ts" was read again 3 times after 3 passes took it, 270 tokens');
	expect(loop?.remedy).toMatch(
		/^\/cwl pin \S+ keeps it, \/cwl settings budget or the setting lowWater "quality" keeps more$/,
	);
	const [drafts, log] = rereadSession(3);
	const { episodes, resultOf } = foldTranscript(build(drafts), defaultToolTable);
	// The same pin again would let it go.
	expect(alertsOf(drafts, { pinned: new Set(episodes.map(({ id }) => id)) }, log)).toEqual([
		expect.objectContaining({ id: expect.stringMatching(/^pinned /) }),
	]);
	// A pin keeps nothing of it once its output has left, also where the rest of the episode stays.
	const outputs = episodes.map(({ id, items }) =>
		passTaking(
			id,
			items.flatMap((item) => (resultOf.has(item.id) ? [item.id, resultOf.get(item.id)?.id ?? ""] : [])),
			1,
			{ level: 2 },
		),
	);
	expect(alertsOf(drafts, { view: viewOfLog([...log, ...outputs]) }, log)).toEqual([]);
	const grave = alertsOf(...withLog(rereadSession(5)));
	const text = expect.stringContaining("after 5 passes took it");
	expect(grave[0]).toMatchObject({ grade: "critical", text });
	expect(grave[0]?.id).not.toBe(loop?.id);
});

test("a call that shows the lines of a call about another file reads nothing of its own file again", () => {
	const log = (id: string, path: string) => [
		model(call(id, "bash", { command: `git log ${path}` }, 10, { paths: [path] })),
		result(id, 90, { lines: [7, 8, 9] }),
	];
	const [drafts, passes] = rereadSession(3);
	const other = [...drafts, ...log("g", "src/b.ts")];
	const [loop] = alertsOf([...other, ...log("h", "src/a.ts")], {}, [...passes, take(other, "g")]);
	expect(loop?.text).toBe('"src/a.ts" was read again 3 times after 3 passes took it, 270 tokens');
});

test("what the agent read again is no loop while leaving saved more than that cost", () => {
	const [drafts, log] = rereadSession(5);
	const sizedAt = (before: number) => log.map((pass) => ({ ...pass, before, after: 900 }));
	expect(alertsOf(drafts, {}, sizedAt(20_000))).toEqual([]);
	expect(alertsOf(drafts, {}, sizedAt(950))[0]).toMatchObject({ id: "bad-loop", grade: "critical" });
});

function withLog([drafts, log]: readonly [Drafts, readonly Pass[]]): Parameters<typeof alertsOf> {
	return [drafts, {}, log];
}

test("a component over its soft limit is named with what helps; what no pass makes smaller is a warning", () => {
	const session = [person(), ...read("r", 200), person()];
	const raised = (budgets: ComponentBudgets, system = 0) =>
		alertsOf(session, { fixed: { system, tools: 0 } }, [], budgets);
	expect(raised(defaultComponentBudgets)).toEqual([]);
	expect(raised({ toolResults: { soft: 0.1, hard: 1 } })).toEqual([
		{
			id: "soft-limit toolResults",
			grade: "notice",
			text: expect.stringMatching(
				/^tool results: 200 tokens, over the soft limit of 100; the next pass takes from it first/,
			),
			remedy: expect.stringContaining("the setting componentBudgets allows more"),
		},
	]);
	expect(raised(defaultComponentBudgets, 300)).toMatchObject([
		{ id: "soft-limit system", grade: "warning", text: expect.stringContaining("no pass makes it smaller") },
	]);
});

const grown = [person(), ...[1, 2, 3, 4, 5].flatMap((at) => read(`r${at}`, 100)), model(text(1))];

test.each([
	["over", 400, "critical", "more than the hard limit of 400; the next pass", "over its limit: critical"],
	["next", 550, "critical", "hard at 550 with the next request", "its limit with the next request: critical"],
	["near", 700, "critical", "hard at 700 in 2 requests", "its limit in 2 requests: critical"],
	[
		"soon",
		1_000,
		"warning",
		"80 more a request; hard at 1k in 6 requests",
		"its limit in 6 requests: warning",
	],
	["far", 5_000, undefined, "", "its limit in 56 requests, grows fastest"],
])(
	"a hard limit that is %s, at %i tokens, is as urgent in the alert as in the row",
	(_, limit, grade, said, row) => {
		const budget = 10_000;
		const budgets = { toolResults: { soft: limit / budget, hard: limit / budget } };
		const [alert, ...more] = alertsOf(grown, { budget }, [], budgets);
		expect(more).toEqual([]);
		expect(alert?.grade).toBe(grade);
		expect(alert?.text ?? "").toContain(said);
		const input = planInput(foldTranscript(build(grown), defaultToolTable), { budget });
		const state = measureComponentStates(input, budgets).find(({ component }) => component === "toolResults");
		expect(state && describeComponent(state, true, String).detail).toContain(row);
	},
);

test("no row is more urgent than the alerts, also where the floor has named the prompt", () => {
	const fixed = { system: 600, tools: 0 };
	const limit = { system: { soft: 0.4, hard: 0.5 } };
	const ids = alertsOf([person()], { fixed }, [], limit).map(({ id, grade }) => `${grade} ${id}`);
	expect(ids).toEqual(["critical hard-limit system", "warning floor-high"]);
});

test("what never leaves is told once, by the floor, when it takes half of the budget", () => {
	const fixed = { system: 600, tools: 0 };
	expect(alertsOf([person()], { fixed }).map(({ id }) => id)).toEqual(["floor-high"]);
});
