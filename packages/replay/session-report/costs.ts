/** The cost of a session as it went, compared with its cost under cwl, under compaction and without either. */
import { type CountTokens, formatTokens } from "#basics";
import { type HostMessage, inputTokens } from "#pi/codec";
import { type PassSettings, policyByName } from "#pi/session";
import { createPrefixMeter } from "../metrics/prefix.ts";
import { type PriceList, priceCall, priceRequest } from "../metrics/prices.ts";
import { enginePolicy } from "../policies/engine.ts";
import { parsePolicies } from "../policies/registry.ts";
import type { PolicyRequest, ReplayPolicy } from "../policies/replay-policy.ts";
import { recordTurns, sum } from "../recording/recording.ts";
import { replaySession } from "../run/session.ts";

export type CostArm = ReturnType<typeof makeArm>;

/** `reported` by the provider; `sent`: the same requests, counted and cached as the replays are, which the others are. */
type Kind = "reported" | "sent" | "cwl" | "compaction" | "none";

function makeArm(
	kind: Kind,
	name: string,
	requests: readonly { readonly tokens: number; readonly cost: number }[],
	summaries = 0,
) {
	let total = 0;
	const cumulative = requests.map(({ cost }) => {
		total += cost;
		return total;
	});
	const sizes = requests.map(({ tokens }) => tokens);
	return {
		kind,
		name,
		/** Dollars, of all requests and of all up to each one. */
		total,
		cumulative,
		/** Input tokens of each request. */
		sizes,
		largest: sizes.reduce((a, b) => Math.max(a, b), 0),
		/** Summaries that a compaction of the replay asked a model for. */
		summaries,
	};
}

type Sent = Pick<PolicyRequest, "messages" | "extraCalls">;

export interface ReportSettings extends PassSettings {
	/** Tokens; the attention cap of an automatic budget. */
	readonly budget: number;
	readonly count: CountTokens;
	/** In dollars. */
	readonly prices: PriceList;
	/** The model that they belong to: `dollars at the prices of anthropic/claude-...`. */
	readonly unit: string;
}

/** `overhead`: system prompt and tools, in tokens. */
type CostSettings = ReportSettings & { readonly overhead: number };

/**
 * The session as it went (`sent` in the order of its answers, undefined where that is all of it), then replays of its steps;
 * empty for a session without an answer. Only `reported` is in the provider's tokens and knows when its cache expired: compare
 * the others with each other.
 */
export function compareCosts(
	messages: readonly HostMessage[],
	sent: Iterable<Sent> | undefined,
	settings: CostSettings,
): readonly CostArm[] {
	const { budget, isAuto, overhead, prices, policy, lowWater, count } = settings;
	const session = { path: "", name: "", format: "pi", messages, damage: [] };
	const recording = { session, scale: undefined, ...recordTurns(messages, count) };
	const { turns, sizes } = recording;
	if (turns.length === 0) return [];
	const priceSent = (kind: Kind, name: string, requests: Iterable<Sent>) => {
		const measure = createPrefixMeter(sizes, overhead);
		let summaries = 0;
		const priced = Array.from(requests, ({ messages: shown, extraCalls = [] }, index) => {
			summaries += extraCalls.length;
			// The answers are the same in every arm, so they cost the same.
			const outputTokens = turns[index]?.reply.usage.output || (turns[index]?.outputTokens ?? 0);
			const size = { ...measure(shown), outputTokens };
			const own = sum(extraCalls.map((call) => priceCall(call, prices)));
			return { tokens: size.tokens, cost: own + priceRequest(size, prices) };
		});
		return makeArm(kind, name, priced, summaries);
	};
	const replay = (kind: Kind, name: string, under: ReplayPolicy) => {
		const arm = { policy: under, budget, isAuto, modelPrices: prices, fixed: { system: overhead, tools: 0 } };
		return priceSent(kind, `replay: ${name}`, replaySession(recording, arm));
	};
	const reported = turns.map(({ reply }) => {
		const call = { input: inputTokens(reply), cached: reply.usage.cacheRead, output: reply.usage.output };
		return { tokens: call.input, cost: call.input > 0 ? priceCall(call, prices) : 0 };
	});
	const own = enginePolicy(policy, () => policyByName(policy), { lowWater });
	return [
		...(reported.some(({ tokens }) => tokens > 0)
			? [makeArm("reported", "as the provider reported", reported)]
			: []),
		...(sent ? [priceSent("sent", "as it was sent, counted as the replays are", sent)] : []),
		replay("cwl", describeSettings(settings), own),
		...parsePolicies("compaction,none").map((other) =>
			other.name === "none"
				? replay("none", "no eviction", other)
				: replay("compaction", "pi's compaction", other),
		),
	];
}

function describeSettings({ policy, budget, isAuto, lowWater }: CostSettings): string {
	const low = lowWater === "balanced" ? "" : `, lowWater ${lowWater}`;
	return `${policy}, budget ${isAuto ? "auto" : formatTokens(budget)}${low}`;
}

/** `$0.44`. */
export function formatCost(dollars: number): string {
	return `$${dollars.toFixed(dollars < 1 ? 3 : 2)}`;
}
