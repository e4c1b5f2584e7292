import fc from "fast-check";
import { expect, test } from "vitest";
import { componentOf, type Episode } from "../graph/graph.ts";
import { removedBy } from "../log/whole-calls.ts";
import { paperAdapted } from "../policies/paper.ts";
import { isClosedAndPast, isLoopReasoning, lineTokens, sentIds } from "../test-support/inspection.ts";
import { writeSession } from "../test-support/session-writer.ts";
import { anySession } from "../test-support/sessions.ts";
import {
	forEveryRequestUnder,
	type Request,
	requestsOf,
	whereThinkingStays,
} from "../test-support/simulation.ts";
import { sumTokens } from "../transcript/transcript.ts";

test("rule 14: what nobody marked is evicted last, once every marked episode that could go has gone", () => {
	forEveryRequestUnder({ policies: [paperAdapted], thinking: whereThinkingStays }, (request) => {
		const { graph, view, pass } = request;
		const touched = new Set(pass?.strips.map((strip) => strip.episode));
		const isUnmarkedTouched = graph.episodes.some(
			(episode) => touched.has(episode.id) && componentOf(graph, episode) === "unannotated",
		);
		if (!isUnmarkedTouched) return;
		for (const episode of graph.episodes) {
			if (episode.origin === "inferred" || !couldGo(request, episode)) continue;
			expect(view.episodes.get(episode.id)?.level).toBe(4);
		}
	});
});

/** Returns true if an episode is out of use, every act that declared it is evicted, and its removal saves something. */
function couldGo({ graph, view }: Request, episode: Episode): boolean {
	const dependents = graph.episodes.filter((other) => other.dependencies.includes(episode.id));
	const isHeld = dependents.some((dependent) => view.episodes.get(dependent.id)?.level !== 4);
	const gone = removedBy(graph, view.removed);
	const left = sumTokens(episode.items.filter((item) => !gone(item) && !isLoopReasoning(graph, item)));
	return isClosedAndPast(graph, episode) && !isHeld && (episode.kind === "act" || left > lineTokens(episode));
}

test("rule 14: what nobody marked is never pinned for ever", () => {
	const nothingFits = { budget: 0 };
	fc.assert(
		fc.property(anySession, (session) => {
			const ended = writeSession([
				...session,
				{ type: "user", tokens: 1 },
				{ type: "exchange", blocks: [{ type: "text", tokens: 1 }], interruption: "note" },
			]);
			const last = [...requestsOf(ended, nothingFits, paperAdapted)].at(-1);
			if (!last) throw new Error("a session has a last request");
			const sent = sentIds(last);
			for (const episode of last.graph.episodes) {
				if (episode.origin === "declared" || !isClosedAndPast(last.graph, episode)) continue;
				for (const item of episode.items) expect(sent.has(item.id)).toBe(false);
			}
		}),
	);
});
