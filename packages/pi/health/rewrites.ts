/** The tokens that passes had written to the provider's cache again, by the usage of the requests that they were made for. */

import { fieldsOf } from "#basics";
import type { Decision, Pass } from "#core/log";
import { type ModelPrices, pricesAt } from "#core/prices";
import { answerTime } from "../codec/host-message.ts";
import type { BranchEntry } from "../custom-entries.ts";
import { PASS_ENTRY } from "../session/log-entries.ts";

/** The provider's tokens of a request, of the part that it had cached, and of the request before it. */
interface PassUsage {
	readonly input: number;
	readonly cached: number;
	readonly previous: number;
}

/** The usage by the first pass that was made for a request. */
export type Rewrites = ReadonlyMap<string, PassUsage>;

/** Reads a branch from its root. Requests without reported usage are left out. */
export function readRewrites(branch: readonly BranchEntry[]): Rewrites {
	const usages = new Map<string, PassUsage>();
	let previous = 0;
	let waiting: string | undefined;
	for (const { type, customType, data, message } of branch) {
		if (customType === PASS_ENTRY) waiting ??= keyOf(fieldsOf(data));
		// A summary is written for the first time.
		if (type === "compaction") previous = 0;
		if (answerTime(message) === undefined) continue;
		const usage = fieldsOf(fieldsOf(message).usage);
		const tokensOf = (kind: string) => Number(usage[kind]) || 0;
		const cached = tokensOf("cacheRead");
		const input = tokensOf("input") + cached + tokensOf("cacheWrite");
		if (input > 0 && waiting !== undefined) usages.set(waiting, { input, cached, previous });
		waiting = undefined;
		if (input > 0) previous = input;
	}
	return usages;
}

/** The rewritten tokens of a pass, and the requests after which it has paid for them; undefined while they are not known. */
export function measureRewrite(
	pass: Pass,
	rewrites: Rewrites,
	prices: ModelPrices | undefined,
): Pick<Decision, "rewritten" | "paidBackAfter"> | undefined {
	const usage = rewrites.get(keyOf(pass));
	if (!usage || !pass.reported) return undefined;
	const { before, after } = pass.reported;
	const added = Math.max(0, before - usage.previous);
	const rewritten = usage.previous === 0 ? 0 : Math.max(0, usage.input - usage.cached - added);
	if (!prices) return { rewritten };
	const { read, write } = pricesAt(prices, after);
	const saving = (before - after) * read;
	const paidBackAfter = saving > 0 ? Math.ceil((rewritten * (write - read)) / saving) : undefined;
	return { rewritten, ...(paidBackAfter !== undefined && { paidBackAfter }) };
}

function keyOf({ newest, before }: { readonly newest?: unknown; readonly before?: unknown }): string {
	return `${newest} ${before}`;
}
