import { expect, test } from "vitest";
import { timelineOf } from "../graph/history.ts";
import { viewOfLog } from "../log/view.ts";
import * as draft from "../test-support/message-builders.ts";
import { flatPrices } from "../test-support/prices.ts";
import { planInput } from "../test-support/simulation.ts";
import type { Dial } from "./policy.ts";
import { collectUnits } from "./units.ts";
import { createWorth } from "./worth.ts";

const { call, fold, labelOf, model, person, result, text } = draft;

const use = (tool: string, id: string, path: string, tokens: number, written = 50) => [
	model(call(id, tool, { path }, written, { paths: [path] })),
	result(id, tokens),
];

/** 59 requests: a file of 2,000 tokens was read two turns ago, and nothing has named it since. */
const session = (
	last: readonly draft.MessageDraft[] = [],
	old = use("read", "old", "src/limits.ts", 1_950),
) =>
	fold(
		...[person(100), ...old, model(text(50)), person(20)],
		...Array.from({ length: 56 }, (_, at) => model(text(at === 0 ? 50 : 50))),
		...[person(20), ...last, model(text(50)), person(20)],
	);

/** The worth of the old output. */
function worthOf(graph = session(), lowWater: Dial = "balanced") {
	const prices = flatPrices({ read: 0.1, write: 1.25 });
	const input = planInput(graph, { budget: 160_000, prices, lowWater });
	const visible = collectUnits(graph, viewOfLog([]), graph.episodes);
	const unit = visible.units.find((one) => labelOf(one.call) === "old");
	if (!unit) throw new Error("The session has no such call.");
	const worth = createWorth({ input, visible, time: timelineOf(graph.history) });
	return worth(unit, unit.tokens);
}

test("keeping costs reads of a third of the requests so far; a look costs context, content and an answer", () => {
	const { gain, chance, tokens, loss } = worthOf();
	expect(session().history.growth).toHaveLength(59);
	expect(tokens).toBe(2_000);
	const look = session().tokens * 0.1 + 2_000 * 1.25 + ((session().tokens - 140 - 1_950) / 59) * 5;
	expect(loss / chance).toBeCloseTo(look, -1);
	expect(gain).toBeCloseTo((2_000 * 0.1 * 59) / 3 - 4 * loss, 6);
});
