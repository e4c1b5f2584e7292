/** The budget as people write it (`auto`, `80000`, `80k`, `40%`) and as a request needs it (tokens). */
/** Below this no request can hold the system prompt, the tools and a first exchange. */
export const MIN_BUDGET = 2_000;

/** This is the smallest budget of an assumed window; a smaller share is more likely a slip of the decimal point. */
const MIN_SHARE = 0.01;

/** Tokens that pi and providers keep free for the answer. */
const ANSWER_RESERVE = 16_384;
/** The window that a share refers to while the model's own is unknown. */
const ASSUMED_WINDOW = 200_000;

/** Tokens of a whole request, or a share of the model's context window. */
type Size =
	| { readonly type: "tokens"; readonly tokens: number }
	| { readonly type: "share"; readonly share: number };
/** A fixed size, or `auto`: the size then follows from the model and the session. */
export type Budget = Size | { readonly type: "auto" };

/** The default attention cap; docs/results.md has the measurements behind it. */
export const DEFAULT_CAP = { type: "tokens", tokens: 160_000 } as const satisfies Size;

/** Ends an error message that begins with "use". */
export const sizeAllowed =
	`tokens (80000 or 80k, at least ${MIN_BUDGET}) ` +
	`or a share of the model's window (40%, from ${MIN_SHARE * 100}% to 100%)`;

export const budgetAllowed = `auto, ${sizeAllowed}`;

/** Reads `auto` as well. Undefined for what is no budget. */
export function parseBudgetText(input: unknown): Budget | undefined {
	const isAuto = typeof input === "string" && input.trim().toLowerCase() === "auto";
	return isAuto ? { type: "auto" } : parseSize(input);
}

/** Accepts numbers too, since settings files hold JSON. Undefined for what is no amount. */
export function parseSize(input: unknown): Size | undefined {
	if (typeof input !== "string" && typeof input !== "number") return undefined;
	const match = /^(\d+(?:\.\d+)?)\s*(k|m|%)?$/.exec(String(input).trim().toLowerCase());
	if (!match) return undefined;
	const amount = Number(match[1]);
	if (match[2] === "%") {
		const share = amount / 100;
		return share >= MIN_SHARE && share <= 1 ? { type: "share", share } : undefined;
	}
	const factor = match[2] === "k" ? 1_000 : match[2] === "m" ? 1_000_000 : 1;
	const tokens = Math.round(amount * factor);
	return tokens >= MIN_BUDGET && Number.isSafeInteger(tokens) ? { type: "tokens", tokens } : undefined;
}

/**
 * The largest request in tokens, never more than the model's window less what its answer needs. Under an automatic budget
 * that is the attention cap.
 */
export function budgetTokens(
	budget: Budget,
	contextWindow: number | undefined,
	cap: Size = DEFAULT_CAP,
): number {
	const window = contextWindow && contextWindow > 0 ? contextWindow : undefined;
	const size = budget.type === "auto" ? cap : budget;
	const wanted = size.type === "tokens" ? size.tokens : Math.round(size.share * (window ?? ASSUMED_WINDOW));
	if (window === undefined) return wanted;
	return Math.min(wanted, Math.max(window - ANSWER_RESERVE, Math.floor(window / 2)));
}

/** A budget as people write it, exact: `parseBudgetText` reads the same budget back. */
export function formatBudget(budget: Budget): string {
	if (budget.type === "auto") return "auto";
	// Twelve digits are more than anyone writes, and hide what binary fractions add.
	if (budget.type === "share") return `${Number((budget.share * 100).toPrecision(12))}%`;
	const { tokens } = budget;
	if (tokens % 100 !== 0) return String(tokens);
	return tokens < 1_000_000 ? `${tokens / 1_000}k` : `${tokens / 1_000_000}M`;
}
