/**
 * The wording of a budget and why it is so, and of blockers: what keeps a context over its budget, and what the
 * user can do about it.
 */

import { formatTokens, MAX_NAME_LENGTH, nameText, quoteStart } from "#basics";
import type { Blocker } from "#core/log";
import { type Limits, limitsOf, lowWaterOf, type PlanInput, type Policy } from "#core/planning";
import type { ModelPrices } from "#core/prices";
import { type Sizes, showTokens } from "./sizes.ts";

/**
 * The budget that a plan goes by, where its passes begin and stop, and one sentence on why it is so, the largest request
 * first: it is the budget that the footer, the panel and the replies show. `model` is the id of the model in use, if there
 * is one; `sizes` turn tokens that we count into those of the model.
 */
export function explainBudget(
	policy: Policy,
	input: PlanInput,
	model: string | undefined,
	sizes: Pick<Sizes, "budget" | "isKnown"> = { budget: (counted) => counted, isKnown: true },
) {
	const { budget: show, isKnown } = sizes;
	if (!input.isAuto) {
		const highWater = show(input.budget);
		const lowWater = show(lowWaterOf(policy, input));
		const reason = `fixed: at most ${formatTokens(highWater)}; ${describeStops(policy, lowWater, isKnown)}`;
		return { mode: "fixed" as const, highWater, lowWater, reason };
	}
	const { lowWater, ceiling, isBelowTier } = limitsOf(input);
	const limits = { lowWater: show(lowWater), ceiling: show(ceiling), isBelowTier };
	const reason = explainAutoBudget(policy, limits, input.prices, model, isKnown);
	return { mode: "auto" as const, highWater: limits.ceiling, lowWater: limits.lowWater, reason };
}

export function explainAutoBudget(
	policy: Pick<Policy, "limits">,
	{ lowWater, ceiling, isBelowTier }: Limits,
	prices: ModelPrices | undefined,
	model: string | undefined,
	isKnown = true,
): string {
	const rewriteReads = prices && prices.read > 0 ? prices.write / prices.read : undefined;
	const name = model ?? "the model";
	const tier = isBelowTier ? `, below the next price step of ${name}` : "";
	const reason =
		rewriteReads === undefined
			? `the prices of ${name} are unknown`
			: `on ${name} a rewrite costs as much as ${Number(rewriteReads.toPrecision(3))} cached reads`;
	return `auto: at most ${formatTokens(ceiling)}${tier}; ${describeStops(policy, lowWater, isKnown)}: ${reason}`;
}

/** The size that passes aim at; work that they spare may keep the context above it. */
function describeStops({ limits }: Pick<Policy, "limits">, lowWater: number, isKnown: boolean): string {
	const begin = limits
		? "a pass at that size, or by /cwl evict,"
		: "a pass stops just below that, and one by /cwl evict";
	return `${begin} aims at ${showTokens(lowWater, isKnown)} but may spare open, pinned or restored work`;
}

export type NamedBlocker = ReturnType<typeof nameBlocker>;

/** A blocker in words, with the next step as an instruction; names, which are the model's, are quoted and bounded. */
export function nameBlocker(blocker: Blocker) {
	const [what, remedy] = wordingOf(blocker);
	return { what, remedy, tokens: blocker.tokens };
}

/** The remedy where system prompt and tools are too large. */
export const SMALLER_PROMPT = "use fewer tools or shorter AGENTS.md files and skills";

/** The remedy where your messages are. */
export const RELEASE = "/cwl release cuts your long messages before the last two to head and tail";

function wordingOf(blocker: Blocker): readonly [what: string, remedy: string] {
	const more = "raise the budget, or begin a new session";
	switch (blocker.code) {
		case "fixed":
			return ["system prompt and tools", `${SMALLER_PROMPT}, or raise the budget`];
		case "prologue":
			return ["prologue", "begin a new session with a shorter first message, or raise the budget"];
		case "user-turns":
			return ["user turns", more];
		case "open-episode": {
			const isDeclared = blocker.origin === "declared";
			const closing = "send the next user turn, which closes unmarked work, or raise the budget";
			return [`open episode ${quoted(blocker.episode)}`, isDeclared ? "end the episode" : closing];
		}
		case "pinned-episodes": {
			const { count, largest } = blocker;
			const what = count === 1 ? `pinned episode ${quoted(largest)}` : `${count} pinned episodes`;
			return [what, `/cwl pin ${nameText(largest)} lets it go, or raise the budget`];
		}
		case "dependencies":
			return [`what the open act "${blocker.act}" depends on`, "end the act, or raise the budget"];
		case "exchange":
			return [
				"the last answer and its results",
				"the next pass can take them; raise the budget if it cannot wait",
			];
		case "in-use":
			return ["lines for evicted episodes, and content too small to be worth a pass", more];
		default:
			return blocker satisfies never;
	}
}

function quoted(name: string): string {
	return quoteStart(name, MAX_NAME_LENGTH);
}
