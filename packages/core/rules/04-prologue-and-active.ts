import { expect } from "vitest";
import { paper, paperAdapted } from "../policies/paper.ts";
import { everyItem, sentIds } from "../test-support/inspection.ts";
import { type Request, rule, ruleUnder, whereThinkingStays } from "../test-support/simulation.ts";
import { type Item, isBlank } from "../transcript/transcript.ts";

export const rule4 = [
	rule("rule 4: the prologue and the exchange in progress are untouched under every policy", (request) => {
		const opening = request.messages.findIndex((message) => message.author === "model");
		const prologue = opening < 0 ? request.messages : request.messages.slice(0, opening);
		// Thinking that a pass makes invalid leaves wherever it stands (rule 19).
		const exchange = exchangeInProgress(request).filter(({ type }) => type !== "reasoning");
		expect(unsentOf(request, [...everyItem(prologue), ...exchange])).toEqual([]);
	}),
	ruleUnder(
		{ policies: [paper, paperAdapted], thinking: whereThinkingStays },
		"rule 4: active episodes and the exchange in progress are untouched; what no mark covers is never active in the paper",
		(request) => {
			const { graph } = request;
			const active = graph.episodes.filter(
				({ state, origin }) => state !== "closed" && !(request.policy === paper && origin === "inferred"),
			);
			// Blank text says nothing, and providers refuse it without the call that it stood next to (rule 2), and reasoning
			// that led to nothing else without it.
			const ledToNothing = ({ id, type, message }: Item) => {
				const { items = [] } = graph.messages[message] ?? {};
				const led = items.slice(items.findIndex((item) => item.id === id) + 1);
				return type === "reasoning" && led.length > 0 && led.every(isBlank);
			};
			const said = active
				.flatMap(({ items }) => items)
				.filter((item) => !isBlank(item) && !ledToNothing(item));
			expect(unsentOf(request, said)).toEqual([]);
			expect(unsentOf(request, exchangeInProgress(request))).toEqual([]);
		},
	),
	ruleUnder(
		{ thinking: whereThinkingStays },
		"rule 4: where a pass makes no thinking invalid, that of the exchange stays, and a tool loop that begins with reasoning goes on to",
		(request) => {
			expect(unsentOf(request, exchangeInProgress(request))).toEqual([]);
			checkLoopStart(request);
		},
	),
];

function exchangeInProgress({ graph }: Request): readonly Item[] {
	return everyItem(graph.messages.slice(graph.lastExchange));
}

function unsentOf(request: Request, items: readonly Item[]): readonly Item[] {
	const sent = sentIds(request);
	return items.filter(({ id }) => !sent.has(id));
}

function checkLoopStart(request: Request) {
	const { graph, messages } = request;
	const sent = sentIds(request);
	const isAnswered = ({ id }: Item) => graph.resultOf.has(id);
	const answers = messages.slice(graph.openLoop).filter(({ author }) => author === "model");
	const first = answers.findIndex(({ items }) => items.some(isAnswered));
	for (const { items } of answers.slice(0, first < 0 ? undefined : first + 1)) {
		const said = items.filter((item) => !isBlank(item));
		const led = items.some(isAnswered)
			? items.filter(isAnswered)
			: items.filter(({ type }) => type === "call");
		if (said[0]?.type !== "reasoning" || led.length === 0) continue;
		expect(said.find(({ id }) => sent.has(id))?.type).toBe("reasoning");
		expect(led.some(({ id }) => sent.has(id))).toBe(true);
	}
}
