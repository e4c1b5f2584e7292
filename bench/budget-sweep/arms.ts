/** The settings that a sweep compares, and the prices that it compares them at. */
import { type Arm, createReplayPrompt, type Lab, type PriceList, parsePolicies } from "#lab";
import { budgetTokens, formatTokens, loadTokenCounter } from "#pi";

/** Prices in units of one input token: a cache write 1.25, output 5. They differ in what a cache read costs. */
export const PRICE_LISTS = [
	priceList("read .1 (Opus 5 and older)", 0.1),
	priceList("read .05 (Opus 5.5, GPT-6.1)", 0.05),
	priceList("read .025 (Fable 5.x)", 0.025),
] as const;

function priceList(name: string, read: number): { readonly name: string; readonly prices: PriceList } {
	const prices = { input: 1, output: 5, read, write: 1.25, longWrite: 2, tiers: [] };
	return { name, prices: { ...prices, hits: ({ sharedTokens }) => sharedTokens } };
}

/** Budget in tokens and low water as a share of it; a measured choice that spans small, deep, frequent and rare passes. */
const FIXED: readonly (readonly [budget: number, low: number])[] = [
	[80_000, 0.35],
	[80_000, 0.75],
	[120_000, 0.35],
	[120_000, 0.6],
	[160_000, 0.25],
	[160_000, 0.5],
	[200_000, 0.25],
	[200_000, 0.5],
];

/** A request counts from the first on whose whole history passes this many tokens, in every arm. */
const PRESSURE = 80_000;

/** The thinking of today's models is bound to its prefix. */
const CHECKED = { checksThinking: true } as const;

/** No eviction, then every setting; an automatic budget once for each price list, as it depends on the prices. */
function armsOf(choice: string): readonly Arm[] {
	const [none, cwl] = parsePolicies("none,cwl");
	if (!none || !cwl) return [];
	const fixed = FIXED.flatMap(([budget, low]) =>
		parsePolicies(`cwl:low=${low}`).map((contender): Arm => {
			return {
				name: `${formatTokens(budget)} down to ${formatTokens(low * budget)}`,
				contender,
				budget,
				...CHECKED,
			};
		}),
	);
	const cap = budgetTokens({ type: "auto" }, undefined);
	const auto = PRICE_LISTS.map(({ name, prices }): Arm => {
		return {
			name: `auto, ${name}`,
			contender: cwl,
			budget: cap,
			isAuto: true,
			modelPrices: prices,
			...CHECKED,
		};
	});
	return [
		{ name: "none", contender: none, budget: PRESSURE, ...CHECKED },
		...(choice === "auto" ? [] : fixed),
		...(choice === "fixed" ? [] : auto),
	];
}

/** Everything that a replay of the sweep needs. */
export async function openSweep(choice: string, addsThinking: boolean): Promise<Lab> {
	const count = await loadTokenCounter();
	return {
		...createReplayPrompt(count),
		...{ arms: armsOf(choice), pressure: PRESSURE, count, addsThinking, model: undefined },
		prices: PRICE_LISTS.map(({ prices }) => prices),
		...{ annotation: "recorded", requests: undefined, withCourse: false, withTimes: false },
		now: () => 0,
	};
}
