/** The settings of the next request: policy, budget, prices, and what is known of the provider's cache. */
import type { ExtensionContext } from "@mariozechner/pi-coding-agent";
import { sparing, withAutoBudget, withComponentBudgets, withFading } from "#core/planning";
import {
	bindsThinking,
	budgetTokens,
	createDiskCheck,
	type HostMessage,
	isCacheCold,
	lastAnswer,
	loadTokenCounter,
	policyByName,
	type RequestSettings,
	readCacheLifetimes,
	readLastWarming,
	readRetention,
} from "#pi";
import { countedPrices } from "./budget.ts";
import type { Decisions } from "./decisions.ts";
import type { FixedParts } from "./fixed-cost.ts";
import type { SettingsState } from "./settings-state.ts";
import type { TokenScale } from "./token-scale.ts";

export interface RequestSources {
	readonly settings: SettingsState;
	readonly scale: TokenScale;
	readonly decisions: Decisions;
	readonly fixed: FixedParts;
	/** See `SessionState.isManualThinking`. */
	readonly isManualThinking: boolean;
}

/** The settings of the next request, its budget in tokens that we count. `messages` are those that it would send. */
export async function readRequestSettings(
	{ settings, scale, decisions, fixed, isManualThinking }: RequestSources,
	ctx: ExtensionContext,
	messages: readonly HostMessage[],
): Promise<RequestSettings & { readonly isCold: boolean }> {
	const { budget, attentionCap, policy, lowWater, componentBudgets, fading } = settings.loaded.settings;
	const count = await loadTokenCounter();
	const chosen = sparing(withFading(policyByName(policy), fading), decisions.spared);
	return {
		policy: withComponentBudgets(budget.type === "auto" ? withAutoBudget(chosen) : chosen, componentBudgets),
		...{ pinned: decisions.pinned, lowWater },
		...countedPrices(ctx, scale),
		isCold: isCold(ctx, messages),
		canRestore: createDiskCheck(ctx.cwd, messages),
		budget: scale.counted(ctx, budgetTokens(budget, ctx.model?.contextWindow, attentionCap)),
		// Without a model nobody can say: thinking then counts as bound to its prefix.
		keepsLoopThinking: isManualThinking || (ctx.model !== undefined && !bindsThinking(ctx.model)),
		fixed: fixed.tokens(ctx, count),
	};
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
