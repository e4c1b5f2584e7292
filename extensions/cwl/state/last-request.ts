/** The state of the last request, until the next one takes its place. */
import { emptyProtocol } from "#core/annotation";
import type { EpisodeId } from "#core/graph";
import { type BurnRate, measureBurnRate } from "#core/health";
import { type FixedTokens, totalTokens } from "#core/ledger";
import { ceilingOf, type PlanInput } from "#core/planning";
import type { ZoneState } from "#pi/add-ons";
import type { NextPass } from "#pi/health";

/** A request in tokens that we count: all of it, and its prompt and tools. */
export interface RequestSize {
	readonly tokens: number;
	/** The size from which on the next pass may be made. */
	readonly ceiling: number;
	readonly fixed: FixedTokens;
	readonly burn: BurnRate;
	/** The nearest pass to come; undefined where none is, and while an agent works. */
	readonly next?: NextPass | undefined;
}

/** The size of the request of an input. */
export function sizeOf(input: PlanInput): RequestSize {
	const { graph, view, fixed, model } = input;
	const tokens = totalTokens({ graph, view, fixed });
	return { tokens, ceiling: ceilingOf(input), fixed, burn: measureBurnRate(graph, model) };
}

export type LastRequest = ReturnType<typeof noRequest>;

export function noRequest() {
	return {
		/** The delimiter protocol as of the last request, advanced by the calls made since. */
		protocol: emptyProtocol,
		/** The request that was sent last, or the next one after a run and where a command has changed it; undefined before the first. */
		size: undefined as RequestSize | undefined,
		/** The episodes of what a recall did not repeat, because it was still in the context: the next pass spares them. */
		recalled: new Set() as ReadonlySet<EpisodeId>,
		/** The share of it that the provider read from its cache; undefined until it reports, and once that cache is cold or another model is in use. */
		cachedShare: undefined as number | undefined,
		/** True if it asked for thinking with a token budget. */
		isManualThinking: false,
		/** Its zone; undefined where earlier requests of the branch are not known: the first one is then no news. */
		zone: undefined as ZoneState | undefined,
		/** True while a critical alert asks for a pass that pays. */
		asksPass: false,
	};
}
