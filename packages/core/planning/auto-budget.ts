/** A budget that follows from the model's prices, its window, what the session does, and a cap that the user sets. */
import { type ModelPrices, nextStep, type TokenPrices } from "../prices/prices.ts";

/** All sizes in tokens. */
export interface BudgetSituation {
	/** Undefined where nobody knows the prices. */
	readonly prices: ModelPrices | undefined;
	/** The model's window, without the tokens that its answer needs. */
	readonly window: number;
	/** The most that the user wants the model to attend to. */
	readonly cap: number;
	/** System prompt, tools and what people wrote: it cannot leave. */
	readonly floor: number;
	/** The size of the next request without a pass. */
	readonly context: number;
	/** Of that, thinking. */
	readonly thinking: number;
	/** Requests so far: a session is expected to go on for as long again. */
	readonly requests: number;
	/** True if the next request begins a turn: no thinking of a tool loop in progress is lost then. */
	readonly beginsTurn: boolean;
}

export interface AutoBudget {
	/** A request above this makes a pass. */
	readonly highWater: number;
	/** Where a pass stops. */
	readonly lowWater: number;
	/** The limit that set the high water. */
	readonly limit: "attention cap" | "model's window" | "tariff step";
	/** How many cached reads of a token cost as much as writing it again; undefined without prices. */
	readonly rewrite: number | undefined;
}

/** Passes begin at this share of the cap where they pay for themselves soon enough. */
const USUAL_SHARE = 0.75;
/** At the beginning of a turn they begin a little earlier, so that fewer are made inside one. */
const TURN_SHARE = 0.9;
/** A pass must pay for itself within this share of the requests that are expected. */
const PAYBACK_SHARE = 1 / 3;
/** Kept free below a tariff step, which is never crossed by an estimate that was a little low. */
const STEP_MARGIN = 0.03;
/** Low water as a share of the usual high water, by the price of a rewrite in cached reads: the dearer, the deeper. */
const LOW_SHARES = [
	{ above: 40, share: 0.35 },
	{ above: 20, share: 0.375 },
	{ above: 0, share: 0.4 },
];

/** Chooses high and low water for the next request. Pure; the same situation gives the same answer. */
export function chooseBudget(situation: BudgetSituation): AutoBudget {
	const { prices, floor, beginsTurn } = situation;
	const { most, limit } = ceilingOf(situation);
	const rewrite = prices && prices.read > 0 ? prices.write / prices.read : undefined;
	const usual = USUAL_SHARE * most;
	const share = LOW_SHARES.find(({ above }) => (rewrite ?? 0) >= above)?.share ?? 0.4;
	// What cannot leave takes room that low water has to leave to the rest.
	const lowWater = Math.round(Math.min(usual, Math.max(share * usual, floor + share * (usual - floor))));
	const early = beginsTurn ? TURN_SHARE * usual : usual;
	const isWorth = paysSoon(situation, lowWater);
	return { highWater: Math.round(isWorth ? early : most), lowWater, limit, rewrite };
}

/** The largest request: no tariff step is crossed unless what cannot leave is above it already. */
function ceilingOf({
	prices,
	window,
	cap,
	floor,
}: BudgetSituation): Pick<AutoBudget, "limit"> & { readonly most: number } {
	const step = prices ? nextStep(prices, floor) * (1 - STEP_MARGIN) : Infinity;
	const most = Math.min(cap, window, step);
	if (most === step) return { most, limit: "tariff step" };
	return { most, limit: most === cap ? "attention cap" : "model's window" };
}

/** Returns true if a pass now is expected to pay for itself; without prices it is assumed to. */
function paysSoon(
	{ prices, context, thinking, floor, requests }: BudgetSituation,
	lowWater: number,
): boolean {
	if (!prices || context <= lowWater) return true;
	const freed = context - lowWater;
	const cost = rewriteCost(prices, Math.max(0, lowWater - floor / 2)) + RETHOUGHT * thinking * prices.output;
	return cost <= freed * prices.read * PAYBACK_SHARE * Math.max(1, requests);
}

/** Of the thinking that a pass forfeits, the share that a model is taken to produce again. */
const RETHOUGHT = 0.05;

function rewriteCost({ read, write }: TokenPrices, tokens: number): number {
	return tokens * Math.max(0, write - read);
}

/** One sentence on what was chosen and why. `model` is a name for people. */
export function explainBudget({ highWater, lowWater, limit, rewrite }: AutoBudget, model: string): string {
	const sizes = `${kilo(highWater)}, evict down to ${kilo(lowWater)}`;
	const limits = {
		"attention cap": "",
		"model's window": `, limited by the window of ${model}`,
		"tariff step": `, below the next price step of ${model}`,
	};
	if (rewrite === undefined) return `${sizes}${limits[limit]}: the prices of ${model} are not known`;
	return `${sizes}${limits[limit]}: on ${model} a rewrite costs as much as ${Number(rewrite.toPrecision(2))} cached reads`;
}

function kilo(tokens: number): string {
	return `${Math.round(tokens / 1_000)}k`;
}
