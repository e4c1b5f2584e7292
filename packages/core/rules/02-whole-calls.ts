import { expect } from "vitest";
import type { Marker } from "../log/pass.ts";
import { everyItem, orphans, sentIds, sentItems } from "../test-support/inspection.ts";
import { type Request, rule, ruleUnder, whereThinkingStays } from "../test-support/simulation.ts";
import { type Item, isBlank } from "../transcript/transcript.ts";

export const rule2 = [
	rule(
		"rule 2: a call and its result leave together; no result is sent without a call before it, unless it never had one",
		(request) => {
			const sent = sentIds(request);
			const parted = [...request.graph.callOf].filter(
				([result, call]) => sent.has(result) !== sent.has(call),
			);
			expect(parted).toEqual([]);
			const refused = orphans(sentItems(request.messages, request.parts));
			const refusedAnyway = new Set(orphans(everyItem(request.messages)));
			expect(refused.filter((item) => !refusedAnyway.has(item))).toEqual([]);
		},
	),
	rule("rule 2: reasoning is never sent without anything of what it led to", (request) => {
		const sent = sentIds(request);
		const alone = request.messages.flatMap(({ items }) =>
			items.filter((item, index) => {
				const led = ledTo(item, items.slice(index + 1));
				return led.length > 0 && sent.has(item.id) && !led.some(({ id }) => sent.has(id));
			}),
		);
		expect(alone).toEqual([]);
	}),
	ruleUnder(
		{ thinking: whereThinkingStays },
		"rule 2: in the tool loop in progress, a message that began with reasoning is never sent without",
		(request) => {
			const sent = sentIds(request);
			for (const { items } of request.messages.slice(request.graph.openLoop)) {
				const said = items.filter((item) => !isBlank(item));
				const first = said.find((item) => sent.has(item.id));
				if (first && said[0]?.type === "reasoning") expect(first.type).toBe("reasoning");
			}
		},
	),
	rule(
		"rule 2: no message is sent without content; the lines that passes set are sent once, in order, and part no call from its results",
		(request) => {
			const empty = request.parts.filter((part) => part.type === "part" && part.blocks.length === 0);
			expect(empty).toEqual([]);
			const parting = request.parts.filter(
				({ type, message }) => type === "marker" && request.messages[message]?.author === "tool",
			);
			expect(parting).toEqual([]);
			const lines = request.parts.flatMap((part) => (part.type === "marker" ? [part.text] : []));
			expect(lines.join("\n")).toBe(keptLines(request).join("\n"));
		},
	),
];

function keptLines({ graph, view }: Request): readonly string[] {
	const single = graph.episodes.flatMap((episode) => view.episodes.get(episode.id)?.marker ?? []);
	const markers = [...view.indexLines.map(({ marker }) => marker), ...single];
	const order = new Map(everyItem(graph.messages).map((item, index) => [item.id, index]));
	const placeOf = ({ anchor }: Marker) => order.get(anchor) ?? -1;
	return markers.toSorted((a, b) => placeOf(a) - placeOf(b)).map(({ text }) => text);
}

/** The items that a piece of reasoning led to: the blocks after it that say something, up to the next reasoning. */
function ledTo(item: Item, blocks: readonly Item[]): readonly Item[] {
	if (item.type !== "reasoning") return [];
	const following = blocks.filter((other) => !isBlank(other));
	const first = following.findIndex((other) => other.type !== "reasoning");
	const rest = first < 0 ? [] : following.slice(first);
	const next = rest.findIndex((other) => other.type === "reasoning");
	return next < 0 ? rest : rest.slice(0, next);
}
