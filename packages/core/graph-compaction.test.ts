import fc from "fast-check";
import { expect, test } from "vitest";
import { createGraphFold, type GraphFold } from "./fold.ts";
import type { Graph } from "./graph.ts";
import { compactGraph } from "./graph-compaction.ts";
import { computeLedger, totalTokens } from "./ledger.ts";
import { foldLog } from "./log.ts";
import { nudgeFor } from "./nudge.ts";
import type { Policy } from "./plan.ts";
import { cwl } from "./policies/cwl.ts";
import { paper } from "./policies/paper.ts";
import { project } from "./projection.ts";
import { recountEpisodes } from "./recount.ts";
import { build, call, end, episodeOf, model, person, result, startAct } from "./test-support/drafts.ts";
import { writeSession } from "./test-support/session-writer.ts";
import { anySession, anySettings } from "./test-support/sessions.ts";
import { planInput, type Request, requestsOf } from "./test-support/simulation.ts";
import { defaultToolTable } from "./tool-table.ts";
import type { TranscriptMessage } from "./transcript.ts";

const deep: Policy = {
	name: "deep",
	plan: (input) => cwl.plan({ ...input, isCold: true, lowWater: 0.3 }),
};
const policies = [paper, cwl, deep];

/** Read on; a result whose episode is gone leads back to the whole history, as whoever holds it would do. */
function readOn(fold: GraphFold, messages: readonly TranscriptMessage[], from: number): GraphFold {
	for (const message of messages.slice(from)) fold.append(message);
	fold.read();
	if (!fold.hasLostWay()) return fold;
	const again = createGraphFold(defaultToolTable);
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
				let compact = createGraphFold(defaultToolTable);
				let at = 0;
				for (const request of requestsOf(writeSession(session), settings, policy)) {
					compact = readOn(compact, request.messages, at);
					at = request.messages.length;
					if (moment.next().value) compactGraph(compact, request.before, defaultToolTable);
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

test("sizes, accounts and nudges too", () => {
	forEveryTwin((compact, { graph, view, settings: { budget, fixed } }) => {
		expect(totalTokens(compact, view, fixed)).toBe(totalTokens(graph, view, fixed));
		expect(computeLedger(compact, view, fixed)).toEqual(computeLedger(graph, view, fixed));
		expect(recountEpisodes(compact, view)).toEqual(recountEpisodes(graph, view));
		expect(nudgeFor(compact, defaultToolTable, budget, undefined)).toEqual(
			nudgeFor(graph, defaultToolTable, budget, undefined),
		);
	});
});

test("a record stands for each evicted episode, and a message without items for what was in it", () => {
	const path = "src/a.ts";
	const graphs = createGraphFold(defaultToolTable);
	const act = (name: string, id: string) => [
		model(startAct(`s${id}`, name), call(id, "edit", { path })),
		result(`s${id}`),
		result(id, 100),
		model(end(`e${id}`)),
		result(`e${id}`),
	];
	const messages = build([person(), ...act("first", "a"), ...act("second", "b"), ...act("third", "c")]);
	for (const message of messages) graphs.append(message);
	const second = episodeOf(graphs.read(), "second");
	const strip = {
		episode: second.id,
		level: 4 as const,
		items: second.items.map(({ id }) => id),
		tokens: second.tokens,
	};
	const pass = {
		version: 1 as const,
		policy: "paper",
		budget: 0,
		before: 0,
		after: 0,
		strips: [strip],
		blockers: [],
	};
	compactGraph(graphs, foldLog([pass]), defaultToolTable);
	const { episodes, evicted, messages: left } = graphs.read();
	expect(episodes.map(({ name }) => name)).toEqual(["first", "third"]);
	expect([...evicted.values()]).toMatchObject([{ name: "second", tokens: second.tokens, place: 1 }]);
	expect(second.items.flatMap(({ message }) => left[message]?.items ?? [])).toEqual([]);
	expect(left).toHaveLength(messages.length);
});
