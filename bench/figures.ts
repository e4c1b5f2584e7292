/** Figures in words, for the tables of pages and benches. */
export const dollars = (amount: number): string => `$${amount.toFixed(2)}`;

export const thousands = (tokens: number): string => `${(tokens / 1_000).toFixed(0)}k`;

export const millions = (tokens: number): string => `${(tokens / 1e6).toFixed(1)}M`;

/** A share of 1. */
export const percent = (share: number, digits = 0): string => `${(100 * share).toFixed(digits)} %`;

export const whole = (value: number): string => value.toFixed(0);
