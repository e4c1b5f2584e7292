/** The budget as people write it (`80000`, `80k`, `40%`) and as a request needs it (tokens). */
import { CwlError } from "../errors.ts";

export type Budget =
	| { readonly type: "tokens"; readonly tokens: number }
	/** A share of the model's context window, from `MIN_SHARE` to 1. */
	| { readonly type: "share"; readonly share: number };

/** Below this no request can hold the system prompt, the tools and a first exchange. */
export const MIN_BUDGET = 2_000;

/** Of an assumed window this is the smallest budget; a smaller share is more likely a slip of the decimal point. */
const MIN_SHARE = 0.01;

/** What pi and providers keep free for the answer, in tokens. */
const ANSWER_RESERVE = 16_384;
/** The window that a share refers to while the model's own is unknown. */
const ASSUMED_WINDOW = 200_000;

/**
 * Read a budget. Accepts numbers too, since settings files hold JSON.
 * @throws CwlError `bad-budget` naming what was found and what is allowed.
 */
export function parseBudget(input: unknown): Budget {
	if (typeof input !== "string" && typeof input !== "number") throw badBudget(input);
	const match = /^(\d+(?:\.\d+)?)\s*(k|m|%)?$/.exec(String(input).trim().toLowerCase());
	if (!match) throw badBudget(input);
	const amount = Number(match[1]);
	if (match[2] === "%") {
		const share = amount / 100;
		if (share < MIN_SHARE || share > 1) throw badBudget(input);
		return { type: "share", share };
	}
	const factor = match[2] === "k" ? 1_000 : match[2] === "m" ? 1_000_000 : 1;
	const tokens = Math.round(amount * factor);
	if (tokens < MIN_BUDGET || !Number.isSafeInteger(tokens)) throw badBudget(input);
	return { type: "tokens", tokens };
}

function badBudget(input: unknown): CwlError {
	return new CwlError(
		"bad-budget",
		`budget is ${JSON.stringify(input)}: use tokens (80000 or 80k, at least ${MIN_BUDGET}) ` +
			`or a share of the model's window (40%, from ${MIN_SHARE * 100}% to 100%).`,
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

/** A budget as people write it, exact: `parseBudget` reads the same budget back. */
export function formatBudget(budget: Budget): string {
	// Twelve digits are more than anyone writes, and hide what binary fractions add.
	if (budget.type === "share") return `${Number((budget.share * 100).toPrecision(12))}%`;
	const { tokens } = budget;
	if (tokens % 100 !== 0) return String(tokens);
	return tokens < 1_000_000 ? `${tokens / 1_000}k` : `${tokens / 1_000_000}M`;
}

/** Tokens for eyes: 950, 8.4k, 80k, 1.2M. */
export function formatTokens(tokens: number): string {
	if (tokens < 999.5) return String(Math.round(tokens));
	const [amount, unit] = tokens < 999_500 ? [tokens / 1_000, "k"] : [tokens / 1_000_000, "M"];
	return `${amount < 10 ? Number(amount.toFixed(1)) : Math.round(amount)}${unit}`;
}
