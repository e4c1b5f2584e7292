/** What a session cost as it went, beside what it would have cost without eviction, and under summarising compaction. */
import { inputTokens } from "#pi";
import { createPrefixMeter } from "../metrics/prefix.ts";
import { type PriceList, priceCall, priceRequest } from "../metrics/prices.ts";
import { parsePolicies } from "../policies/registry.ts";
import type { Recording, ReplyMessage } from "../recording/recording.ts";
import { replaySession } from "../replay/replay.ts";

export interface CostArm {
	readonly name: string;
	/** In the unit of the price list. */
	readonly total: number;
	/** What all requests up to each one came to. */
	readonly cumulative: readonly number[];
	/** Of the requests, the largest; tokens. */
	readonly largest: number;
}

export interface CostSettings {
	/** Tokens. */
	readonly budget: number;
	/** System prompt and tools, in tokens. */
	readonly overhead: number;
	readonly prices: PriceList;
}

/** Compaction keeps pi's 20k recent tokens, or a quarter of a small budget. */
const COMPACTION_KEEPS = 20_000;
const SMALL_BUDGET_SHARE = 0.25;

/** The first arm is the session as it went; none where the provider reported no usage. */
export function compareCosts(recording: Recording, settings: CostSettings): readonly CostArm[] {
	const keep = Math.round(Math.min(COMPACTION_KEEPS, SMALL_BUDGET_SHARE * settings.budget));
	const asItWent = priceReported(recording, settings.prices);
	if (!asItWent) return [];
	return [
		asItWent,
		priceReplay("no eviction", "none", recording, settings),
		priceReplay("summarising compaction", `compaction:keep=${keep}`, recording, settings),
	];
}

function priceReported({ turns }: Recording, prices: PriceList): CostArm | undefined {
	const replies = turns.map(({ reply }) => reply);
	if (!replies.some((reply) => inputTokens(reply) > 0)) return undefined;
	const costs = replies.map((reply) => {
		const call = { input: inputTokens(reply), cached: reply.usage.cacheRead, output: reply.usage.output };
		return call.input > 0 ? priceCall(call, prices) : 0;
	});
	return makeArm("as it went", costs, replies.map(inputTokens));
}

function priceReplay(
	name: string,
	policy: string,
	recording: Recording,
	{ budget, overhead, prices }: CostSettings,
): CostArm {
	const [contender] = parsePolicies(policy);
	if (!contender) throw new Error(`no policy ${policy}`);
	const measure = createPrefixMeter(recording.sizes);
	const fixed = { system: overhead, tools: 0 };
	const costs: number[] = [];
	const sizes: number[] = [];
	for (const request of replaySession(recording, { contender, budget, fixed, now: () => 0 })) {
		const { tokens, sharedTokens, endedTokens } = measure(request.messages);
		const isFirst = request.index === 0;
		const size = {
			tokens: overhead + tokens,
			sharedTokens: isFirst ? 0 : overhead + sharedTokens,
			endedTokens: isFirst ? 0 : overhead + endedTokens,
			outputTokens: outputOf(request.turn.reply, request.turn.outputTokens),
		};
		const calls = request.extraCalls ?? [];
		costs.push(calls.reduce((sum, call) => sum + priceCall(call, prices), priceRequest(size, prices)));
		sizes.push(size.tokens);
	}
	return makeArm(name, costs, sizes);
}

/** The answers are the same in every arm, so they cost the same. */
function outputOf({ usage }: ReplyMessage, counted: number): number {
	return usage.output > 0 ? usage.output : counted;
}

function makeArm(name: string, costs: readonly number[], sizes: readonly number[]): CostArm {
	let total = 0;
	const cumulative = costs.map((cost) => {
		total += cost;
		return total;
	});
	return { name, total, cumulative, largest: sizes.reduce((a, b) => Math.max(a, b), 0) };
}
