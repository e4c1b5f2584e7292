/** Figures of the request that a prompt makes, as the model server counted it. */

import type { RpcSession } from "./rpc-session.ts";
import type { startTrial } from "./trial.ts";

type Trial = Awaited<ReturnType<typeof startTrial>>;

/** Sends a prompt, and returns the tokens of its first request: all, those read from the cache, and those written to it. */
export async function countRequest({ loopback }: Pick<Trial, "loopback">, pi: RpcSession, prompt: string) {
	const index = loopback.records().length;
	await pi.prompt(prompt);
	const { promptTokens = 0, cachedTokens = 0 } = loopback.records()[index] ?? {};
	return { sent: promptTokens, cached: cachedTokens, written: promptTokens - cachedTokens };
}

/** Returns the tokens that the first group of a pattern finds in a text, such as 12.3k. */
export function tokensIn(pattern: RegExp, text: string): number {
	const [, figure = "0"] = pattern.exec(text) ?? [];
	return Number.parseFloat(figure) * (figure.endsWith("k") ? 1_000 : 1);
}
