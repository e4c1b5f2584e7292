import { describe, expect, test } from "vitest";
import * as draft from "../test-support/message-builders.ts";
import { flatPrices } from "../test-support/prices.ts";
import { planInput } from "../test-support/simulation.ts";
import type { Dial } from "./policy.ts";
import { candidateOf, collectUnits } from "./units.ts";
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

/** The worth of the old output in a context of 60,000 tokens, at a score of -12. */
function worthOf(graph = session(), { score = -12, lowWater = "balanced" as Dial } = {}) {
	const prices = flatPrices({ read: 0.1, write: 1.25 });
	const input = planInput(graph, { budget: 160_000, prices, lowWater });
	const { units } = collectUnits(graph, graph.episodes, () => false);
	const unit = units.find((one) => labelOf(one.call) === "old");
	if (!unit) throw new Error("The session has no such call.");
	const worth = createWorth(input, 60_000, units, () => score);
	return worth(candidateOf(unit), unit.tokens);
}

const percent = (chance: number) => Number((100 * chance).toFixed(2));

describe("the worked example of docs/how-it-decides.md", () => {
	test("an output of 2,000 tokens leaves a session of 59 requests at a chance of 4 %", () => {
		const { gain, chance } = worthOf();
		expect(session().history.growth).toHaveLength(59);
		expect(percent(chance)).toBe(3.92);
		const keeping = 2_000 * 0.1 * (59 / 3);
		const look = 60_000 * 0.1 + 2_000 * 1.25 + 50 * 5;
		expect(Math.round(keeping)).toBe(3_933);
		expect(look).toBe(8_750);
		expect(Math.round(chance * 3 * look)).toBe(1_028);
		expect(gain).toBeCloseTo(keeping - chance * 3 * look, 6);
	});

	test("it stays for the turn after the one that read it", () => {
		const now = use("read", "old", "src/limits.ts", 1_950);
		const touched = worthOf(session(now, use("read", "other", "src/other.ts", 1_950)));
		expect(percent(touched.chance)).toBe(23.15);
		expect(touched.gain).toBeLessThan(0);
	});
});

test("the odds grow by half with each point of the score", () => {
	const chances = [-14, -10, -6].map((score) => percent(worthOf(session(), { score }).chance));
	expect(chances).toEqual([1.8, 8.32, 31.0]);
});

test("a later call on the file stands for it", () => {
	expect(percent(worthOf(session(use("read", "again", "src/limits.ts", 10, 10))).chance)).toBe(1.48);
});

test("what the agent said is needed more than an output of the same score", () => {
	const graph = session();
	const input = planInput(graph, { budget: 160_000 });
	const [episode] = graph.episodes;
	if (!episode) throw new Error("The session has no episode.");
	const words = { episode, items: [], message: 1, tokens: 50 };
	expect(percent(createWorth(input, 60_000, [], () => -12)(words, 50).chance)).toBe(3.92);
});

test("what the agent wrote into a file at length is needed more", () => {
	const wrote = (written: number) =>
		percent(worthOf(session([], use("edit", "old", "src/limits.ts", 2_000 - written, written))).chance);
	expect([wrote(200), wrote(201)]).toEqual([1.48, 3.92]);
});

test("the dial says how many times its price a second look is feared", () => {
	const cost = (lowWater: Dial) => worthOf(session(), { score: -10, lowWater });
	const [economy, balanced, quality] = (["economy", "balanced", "quality"] as const).map(cost);
	const feared = (worth = cost("balanced")) => 3_933.33 - worth.gain;
	expect(feared(balanced) / feared(economy)).toBeCloseTo(3, 2);
	expect(feared(quality) / feared(economy)).toBeCloseTo(9, 2);
});
