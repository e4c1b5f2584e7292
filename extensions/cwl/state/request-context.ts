/** One request, or one look at the session between two: all that it goes by, read once and passed down. */

import type { ExtensionContext } from "@mariozechner/pi-coding-agent";
import type { CountTokens } from "#basics";
import { layersOf } from "#pi/add-ons";
import { countedTexts, type HostMessage, isAnswer, isRefused, isSystemMessage, modelName } from "#pi/codec";
import { bindsThinking, cacheEnd, readLastWarming, readRetention } from "#pi/requests";
import { type ManagedSession, policyByName, type RequestSettings } from "#pi/session";
import { budgetTokens, type Settings } from "#pi/settings";
import type { EntryLog } from "./entry-log.ts";
import { type FixedParts, foldsChanges, takesChanges } from "./fixed-parts.ts";
import type { Gauge, GaugeState } from "./gauge.ts";
import type { LastRequest } from "./last-request.ts";
import type { SettingsState } from "./settings-state.ts";

export interface RequestContext extends Gauge {
	readonly ctx: ExtensionContext;
	readonly session: ManagedSession;
	/** The messages that pi would send, with whole outputs. */
	readonly messages: readonly HostMessage[];
	/** The settings as the user set them. */
	readonly settings: Settings;
	/** The time in ms after which the provider's cache is cold. */
	readonly coldAfter: number;
	/** The settings as a plan needs them: in tokens that we count, with prices and what is known of the provider's cache. */
	readonly plan: RequestSettings & { readonly isCold: boolean };
}

export interface RequestSources {
	readonly settings: SettingsState;
	readonly gauge: GaugeState;
	readonly entries: EntryLog;
	readonly fixed: FixedParts;
	readonly lastRequest: LastRequest;
}

/** The largest request that the settings allow, in the tokens that we count. */
export function countedLimit({ budget, attentionCap }: Settings, { window, counted }: Gauge): number {
	return counted(budgetTokens(budget, window, attentionCap));
}

/** Reads all that a request of these messages goes by. `head` is the text in front of them; left out for a mere look. */
export function openRequest(
	{ settings: { loaded }, gauge, entries, fixed, lastRequest }: RequestSources,
	ctx: ExtensionContext,
	session: ManagedSession,
	messages: readonly HostMessage[],
	head?: string,
): RequestContext {
	const measured = gauge.read(ctx);
	const { settings } = loaded;
	const { budget, policy, lowWater } = settings;
	const { pinned, spared } = entries.decided();
	const { prices, counted } = measured;
	const tiers = prices?.tiers.map((tier) => ({ ...tier, above: counted(tier.above) }));
	const coldAfter = readCacheEnd(ctx, messages);
	const plan = {
		policy: policyByName(policy),
		isAuto: budget.type === "auto",
		lowWater,
		layers: layersOf(settings),
		pinned,
		spared: new Set([...spared, ...lastRequest.recalled]),
		...(prices && tiers && { prices: { ...prices, tiers } }),
		isCold: Date.now() > coldAfter,
		budget: countedLimit(settings, measured),
		// Without a model, thinking counts as bound to its prefix.
		keepsLoopThinking: lastRequest.isManualThinking || (ctx.model !== undefined && !bindsThinking(ctx.model)),
		...(ctx.model && { model: modelName({ provider: ctx.model.provider, model: ctx.model.id }) }),
		fixed: head === undefined ? fixed.tokens(ctx, session.count) : fixed.send(ctx, session.count),
		...(head !== undefined && { head }),
		takesChanges: takesChanges(ctx.model),
		foldsChanges: foldsChanges(ctx.model) || !messages.some(isSystemMessage),
	};
	return { ...measured, ctx, session, messages, settings, plan, coldAfter };
}

/** The share of the largest request that outputs may take however much else stays. */
const MIN_FREE = 0.1;

/**
 * The tokens that outputs may take in the largest request that the model's window allows, next to the prompt, the tools and
 * the user's messages; as we count them. Undefined if the window is unknown.
 */
export function readFree(
	{ gauge, fixed }: Pick<RequestSources, "gauge" | "fixed">,
	ctx: ExtensionContext,
	messages: readonly HostMessage[],
	count: CountTokens,
): number | undefined {
	const { window, counted } = gauge.read(ctx);
	if (!window) return undefined;
	const largest = counted(budgetTokens({ type: "share", share: 1 }, window));
	const { system, tools } = fixed.tokens(ctx, count);
	const texts = messages.filter(({ role }) => role === "user").flatMap(countedTexts);
	const staying = texts.reduce((sum, text) => sum + count(text), system + tools);
	return Math.max(MIN_FREE * largest, largest - staying);
}

/** The last answer of the model in use: its request is the last that this model's cache holds. A refused one is not held. */
function lastCached({ model }: ExtensionContext, messages: readonly HostMessage[]) {
	const answers = messages.filter(isAnswer).filter((answer) => !isRefused(answer));
	return (
		answers.findLast((answer) => answer.provider === model?.provider && answer.model === model.id) ??
		answers.at(-1)
	);
}

/** The time in ms after which the provider's cache is cold; a clock that went backwards tells nothing, and then it counts as warm. */
function readCacheEnd(ctx: ExtensionContext, messages: readonly HostMessage[]): number {
	const { model, sessionManager } = ctx;
	const last = lastCached(ctx, messages);
	if (!last || !model) return Infinity;
	const endAfter = (warming?: number) => cacheEnd(last, model, readRetention(process.env), warming);
	// The branch is looked through after a long pause only.
	return Date.now() > endAfter() ? endAfter(readLastWarming(sessionManager.getBranch())) : endAfter();
}
