/** The limits of the model in use and its calibration, and what a process has learned of both. */
import type { ExtensionContext } from "@mariozechner/pi-coding-agent";
import { measurePressure, type Pressure, type ZoneEnds } from "#core/health";
import {
	addedByRequest,
	type Calibration,
	countedBudget,
	type SealedTokens,
	sealedTokens,
	uncalibrated,
} from "#core/ledger";
import { ceilingUnder, type PlanInput } from "#core/planning";
import type { ModelPrices } from "#core/prices";
import { findPrices, type PricesOf } from "#pi";
import { resolveZones } from "#pi/add-ons";
import { modelName } from "#pi/codec";
import { readRetention, type TrafficMeter } from "#pi/requests";
import { createSizes, type Sizes } from "#pi/screen";
import { budgetTokens } from "#pi/settings";
import type { RequestSize } from "./last-request.ts";
import type { SettingsState } from "./settings-state.ts";

/** The figures that sizes are measured by, for one model under the settings in force. */
export interface Gauge {
	readonly sizes: Sizes;
	/** The largest request that the settings allow, in the provider's tokens. */
	readonly budget: number;
	/** The model's window in the provider's tokens; undefined if it is unknown. */
	readonly window: number | undefined;
	readonly zoneEnds: ZoneEnds;
	/** Prices in US dollars for each token of the provider; undefined if they are unknown. */
	readonly prices: ModelPrices | undefined;
	/** `provider/id` of the model, "" without one. */
	readonly model: string;
	/** A limit in the provider's tokens, in those that we count; never above what the provider refused. */
	counted(limit: number): number;
}

export type GaugeState = ReturnType<typeof createGaugeState>;

export function createGaugeState(settings: SettingsState) {
	/** Sizes that providers refused, by model; in tokens that we count. */
	const ceilings = new Map<string, number>();
	let sealed: SealedTokens = { sent: 0, unsent: 0 };
	/** True until an answer has followed the host's last compaction or a switch of CWL: no report has been about the like of the next request. */
	let isUntried = false;
	const nameOf = ({ model }: ExtensionContext) =>
		model ? modelName({ provider: model.provider, model: model.id }) : "";
	const state = {
		/** The provider's figures for this process's requests; undefined until the first of them. */
		meter: undefined as TrafficMeter | undefined,
		/** Never sends the model in use more than this in this process, in tokens that we count. */
		tighten: (ctx: ExtensionContext, ceiling: number) => ceilings.set(nameOf(ctx), ceiling),
		/** Takes the sealed thinking of the session as it is sent next, which sizes read from now on go by. */
		measure(ctx: ExtensionContext, { graph, view }: Pick<PlanInput, "graph" | "view">, isSwitched = false) {
			const isCompacted = graph.messages.some(({ isSummary }) => isSummary);
			isUntried = isSwitched || (isCompacted && addedByRequest(graph).length === 0);
			sealed = sealedTokens(graph, view, nameOf(ctx));
		},
		/** The gauge for a request with this content, whose sealed thinking may differ from what was measured last. */
		readFor: (ctx: ExtensionContext, { graph, view }: Pick<PlanInput, "graph" | "view">): Gauge =>
			state.read(ctx, sealedTokens(graph, view, nameOf(ctx))),
		read(ctx: ExtensionContext, thinking = sealed): Gauge {
			const model = nameOf(ctx);
			const learnt: Calibration = state.meter?.calibration(model, settings.isEnabled) ?? uncalibrated;
			const calibration = isUntried ? { ...learnt, samples: 0 } : learnt;
			const { budget, attentionCap, zones } = settings.loaded.settings;
			const window = ctx.model?.contextWindow || undefined;
			const prices = ctx.model && findPrices(ctx.model, Date.now(), readRetention(process.env)).prices;
			const largest = budgetTokens(budget, window, attentionCap);
			const limit = budget.type === "auto" ? ceilingUnder(largest, prices, 0) : largest;
			return {
				window,
				prices,
				model,
				sizes: createSizes(calibration, thinking, limit),
				budget: limit,
				zoneEnds: resolveZones(zones, window),
				counted(limit) {
					const counted = countedBudget(calibration, limit, thinking.sent) + thinking.unsent;
					return Math.min(counted, ceilings.get(model) ?? Infinity);
				},
			};
		},
	};
	return state;
}

/** The prices of the models that answered, as of now, and for the next request those of the model in use. */
export function pricesIn({ model, modelRegistry }: ExtensionContext): PricesOf {
	const known = new Map<string, ReturnType<PricesOf>>();
	return (answer) => {
		const name = answer ? modelName(answer) : "";
		if (!known.has(name)) {
			const of = answer ? modelRegistry.find(answer.provider, answer.model) : model;
			known.set(name, of && findPrices(of, Date.now(), readRetention(process.env)).prices);
		}
		return known.get(name);
	};
}

/** The pressure of a request, in the provider's tokens. */
export function pressureOf(
	{ sizes, budget, zoneEnds }: Gauge,
	{ tokens, ceiling, burn }: Omit<RequestSize, "fixed">,
): Pressure {
	return measurePressure({
		used: sizes.whole(tokens),
		budget,
		ceiling: sizes.budget(ceiling),
		ends: zoneEnds,
		burn: { ...burn, recent: sizes.part(burn.recent, burn.sealed.recent) },
		source: sizes.isKnown ? "reported" : "estimated",
	});
}
