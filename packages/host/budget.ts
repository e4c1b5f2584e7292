/** The budget as people write it (`80000`, `80k`, `40%`) and as a request needs it (tokens). */
import { CwlError } from "./errors.ts";

export type Budget =
	| { readonly type: "tokens"; readonly tokens: number }
	/** A share of the model's context window, above 0 and at most 1. */
	| { readonly type: "share"; readonly share: number };

/** Below this no request can hold the system prompt, the tools and a first exchange. */
export const SMALLEST_BUDGET = 2_000;

/** What pi and providers keep free for the answer, in tokens. */
const ANSWER_RESERVE = 16_384;
/** The window that a share refers to while the model's own is unknown. */
const ASSUMED_WINDOW = 200_000;

/**
 * Read a budget. Accepts numbers too, since settings files hold JSON.
 * @throws CwlError `bad-budget` naming what was found and what is allowed.
 */
export function parseBudget(input: unknown): Budget {
	const text = String(input).trim().toLowerCase();
	const match = /^(\d+(?:\.\d+)?)\s*(k|m|%)?$/.exec(text);
	const amount = Number(match?.[1]);
	if ((typeof input !== "string" && typeof input !== "number") || !match) throw badBudget(input);
	if (match[2] === "%") {
		if (amount <= 0 || amount > 100) throw badBudget(input);
		return { type: "share", share: amount / 100 };
	}
	const factor = match[2] === "k" ? 1_000 : match[2] === "m" ? 1_000_000 : 1;
	const tokens = Math.round(amount * factor);
	if (tokens < SMALLEST_BUDGET) throw badBudget(input);
	return { type: "tokens", tokens };
}

function badBudget(input: unknown): CwlError {
	return new CwlError(
		"bad-budget",
		`budget is ${JSON.stringify(input)}: use tokens (80000 or 80k, at least ${SMALLEST_BUDGET}) ` +
			"or a share of the model's window (40%).",
	);
}

/** The budget in tokens, never more than the model's window less what its answer needs. */
export function budgetTokens(budget: Budget, contextWindow: number | undefined): number {
	const window = contextWindow && contextWindow > 0 ? contextWindow : undefined;
	const wanted =
		budget.type === "tokens" ? budget.tokens : Math.round(budget.share * (window ?? ASSUMED_WINDOW));
	if (window === undefined) return wanted;
	return Math.min(wanted, Math.max(window - ANSWER_RESERVE, Math.floor(window / 2)));
}

/** A budget as people write it. */
export function formatBudget(budget: Budget): string {
	return budget.type === "share" ? `${Math.round(budget.share * 1000) / 10}%` : formatTokens(budget.tokens);
}

/** Tokens for eyes: 950, 8.4k, 80k, 1.2M. */
export function formatTokens(tokens: number): string {
	if (tokens < 1_000) return String(Math.round(tokens));
	const [amount, unit] = tokens < 999_500 ? [tokens / 1_000, "k"] : [tokens / 1_000_000, "M"];
	return `${amount < 10 ? Number(amount.toFixed(1)) : Math.round(amount)}${unit}`;
}
