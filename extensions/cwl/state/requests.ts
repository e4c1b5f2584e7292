/**
 * Requests: what is known of the last one, the system prompt and tools of all, and the settings of the next:
 * policy, budget, prices, and what is known of the provider's cache.
 */

import type { ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";
import { emptyProtocol } from "#core/annotation";
import type { BurnRate, Zone } from "#core/health";
import type { FixedTokens } from "#core/ledger";
import {
	type CountTokens,
	countedTexts,
	countOnce,
	type HostMessage,
	lastAnswer,
	loadTokenCounter,
	TOOL_FRAMING,
} from "#pi/codec";
import { toolText } from "#pi/prompt";
import { bindsThinking, isCacheCold, readCacheLifetimes, readLastWarming, readRetention } from "#pi/requests";
import { policyByName, type RequestSettings } from "#pi/session";
import { budgetTokens, hardLimits, type ZoneAction } from "#pi/settings";
import type { Events } from "../events.ts";
import { countedPrices, type TokenScale } from "./budget.ts";
import type { EntryLog } from "./entry-log.ts";
import type { SettingsState } from "./settings-state.ts";

/** A request in tokens that we count: all of it, and its prompt and tools. */
export interface RequestSize {
	readonly tokens: number;
	/** The size from which on the next pass may be made. */
	readonly mark: number;
	readonly fixed: FixedTokens;
	readonly burn: BurnRate;
	/** Tokens that the pass of the user's next message would free; absent where none is foreseen, and while an agent works. */
	readonly freedNext?: number;
}

/** The zone of a request, the one that it came from where it crossed, and what the settings ask for then. */
export interface ZoneState {
	readonly zone: Zone;
	readonly from?: Zone | undefined;
	readonly isSpike: boolean;
	/** The spike that began with this request. */
	readonly spike?: Events["cwl:spike"] | undefined;
	/** Back to `nothing` once done. */
	readonly action: ZoneAction;
}

type LastRequest = ReturnType<typeof noRequest>;

export function noRequest() {
	return {
		/** The delimiter protocol as of the last request, advanced by the calls made since. */
		protocol: emptyProtocol,
		/** The request that was sent last, or the next one after a run and where a command has changed it; undefined before the first. */
		size: undefined as RequestSize | undefined,
		/** The share of it that the provider read from its cache; undefined until it reports. */
		cachedShare: undefined as number | undefined,
		/** True if it asked for thinking with a token budget. */
		isManualThinking: false,
		/** True while a critical alert asks for a pass that pays. */
		asksPass: false,
		/** Undefined where earlier requests of the branch are not known: the first one is then no news. */
		zone: { zone: "green", isSpike: false, action: "nothing" } as ZoneState | undefined,
	};
}

export type FixedParts = ReturnType<typeof createFixedParts>;

/** The system prompt and the tool definitions of every request. */
export function createFixedParts(pi: ExtensionAPI) {
	let remembered: CountTokens | undefined;

	function definitions() {
		const active = new Set(pi.getActiveTools());
		return pi.getAllTools().filter((tool) => active.has(tool.name));
	}

	return {
		/** Both as one text. */
		text: (ctx: ExtensionContext) => `${ctx.getSystemPrompt()}\n${toolText(definitions())}`,
		tokens(ctx: ExtensionContext, counter: CountTokens): FixedTokens {
			remembered ??= countOnce(counter);
			const defined = definitions();
			const tools = remembered(toolText(defined)) + defined.length * TOOL_FRAMING;
			return { system: remembered(ctx.getSystemPrompt()), tools };
		},
	};
}

export interface RequestSources {
	readonly settings: SettingsState;
	readonly scale: TokenScale;
	readonly entries: EntryLog;
	readonly fixed: FixedParts;
	readonly request: LastRequest;
}

/** The share of the largest request that outputs may take however much else stays. */
const MIN_FREE = 0.1;

/** The settings of the next request, its budget in tokens that we count. `messages` are those that it would send. */
export async function readRequestSettings(
	{ settings, scale, entries, fixed, request }: RequestSources,
	ctx: ExtensionContext,
	messages: readonly HostMessage[],
): Promise<RequestSettings & { readonly isCold: boolean }> {
	const { budget, attentionCap, policy, lowWater, componentBudgets, fading } = settings.loaded.settings;
	const count = await loadTokenCounter();
	const { pinned, spared } = entries.decided();
	return {
		...{ policy: policyByName(policy), isAuto: budget.type === "auto", lowWater, fading },
		...{ pinned, spared },
		componentBudgets: hardLimits(componentBudgets),
		...countedPrices(ctx, scale),
		isCold: isCold(ctx, messages),
		budget: scale.counted(ctx, budgetTokens(budget, ctx.model?.contextWindow, attentionCap)),
		// Without a model nobody can say: thinking then counts as bound to its prefix.
		keepsLoopThinking: request.isManualThinking || (ctx.model !== undefined && !bindsThinking(ctx.model)),
		fixed: fixed.tokens(ctx, count),
	};
}

/**
 * The tokens that outputs may take in the largest request that the model's window allows, next to the prompt, the tools and
 * the user's messages; as we count them. Undefined if nobody knows the window.
 */
export function readFree(
	{ scale, fixed }: RequestSources,
	ctx: ExtensionContext,
	messages: readonly HostMessage[],
	count: CountTokens,
): number | undefined {
	const window = ctx.model?.contextWindow;
	if (!window) return undefined;
	const largest = scale.counted(ctx, budgetTokens({ type: "share", share: 1 }, window));
	const { system, tools } = fixed.tokens(ctx, count);
	const texts = messages.filter(({ role }) => role === "user").flatMap(countedTexts);
	const staying = texts.reduce((sum, text) => sum + count(text), system + tools);
	return Math.max(MIN_FREE * largest, largest - staying);
}

/** Returns true if the provider has dropped the cache that the last answer left. */
function isCold({ model, sessionManager }: ExtensionContext, messages: readonly HostMessage[]): boolean {
	const last = lastAnswer(messages);
	if (!last || !model) return false;
	const next = { provider: model.provider, model: model.id, lifetimes: readCacheLifetimes(model) };
	const retention = readRetention(process.env);
	const isColdSince = (warming?: number) => isCacheCold(last, next, Date.now(), retention, warming);
	// The branch is looked through after a long pause only.
	return isColdSince() && isColdSince(readLastWarming(sessionManager.getBranch()));
}
