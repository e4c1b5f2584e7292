/** The cost of a session as it went, compared with its cost under cwl, under compaction and without either. */
import { type CountTokens, type HostMessage, inputTokens } from "#pi/codec";
import { formatTokens } from "#pi/screen";
import { type PassSettings, policyByName } from "#pi/session";
import { createPrefixMeter } from "../metrics/prefix.ts";
import { type PriceList, priceCall, priceRequest } from "../metrics/prices.ts";
import { enginePolicy } from "../policies/engine.ts";
import { parsePolicies } from "../policies/registry.ts";
import type { PolicyRequest, ReplayPolicy } from "../policies/replay-policy.ts";
import { openRecording, type Recording, type ReplyMessage } from "../recording/recording.ts";
import { replaySession } from "../run/session.ts";

export interface CostArm {
	/** `reported` by the provider; `sent`: the same requests, counted and cached as the replays are, which the others are. */
	readonly kind: "reported" | "sent" | "cwl" | "compaction" | "none";
	readonly name: string;
	/** In the unit of the price list. */
	readonly total: number;
	/** The cost of all requests up to each one. */
	readonly cumulative: readonly number[];
	/** Input tokens of each request. */
	readonly sizes: readonly number[];
	/** The largest request, in tokens. */
	readonly largest: number;
}

export interface CostSettings extends PassSettings {
	/** Tokens; the attention cap of an automatic budget. */
	readonly budget: number;
	/** System prompt and tools, in tokens. */
	readonly overhead: number;
	readonly prices: PriceList;
}

/**
 * The session as it went (`sent` in the order of its answers, undefined where that is all of it), then replays of its steps;
 * empty for a session without an answer. Only `reported` is in the provider's tokens and knows when its cache expired: compare
 * the others with each other.
 */
export function compareCosts(
	messages: readonly HostMessage[],
	sent: Iterable<Sent> | undefined,
	count: CountTokens,
	settings: CostSettings,
): readonly CostArm[] {
	const recorded = { path: "", name: "", format: "pi", messages, damage: [] };
	const recording = openRecording(recorded, count);
	if (recording.turns.length === 0) return [];
	const replay = (kind: CostArm["kind"], name: string, policy: ReplayPolicy | undefined) => {
		const about = { kind, name: `replay: ${name}` };
		return policy
			? [priceRequests(about, recording, replayUnder(policy, recording, settings), settings)]
			: [];
	};
	const [compaction, none] = parsePolicies("compaction,none");
	const { policy, lowWater } = settings;
	const own = enginePolicy(policy, () => policyByName(policy), { lowWater });
	const reported = priceReported(recording, settings.prices);
	const about = { kind: "sent", name: "as it was sent, counted as the replays are" } as const;
	return [
		...(reported ? [reported] : []),
		...(sent ? [priceRequests(about, recording, sent, settings)] : []),
		...replay("cwl", describeSettings(settings), own),
		...replay("compaction", "pi's compaction", compaction),
		...replay("none", "no eviction", none),
	];
}

function describeSettings({ policy, budget, isAuto, lowWater }: CostSettings): string {
	const low = lowWater === "balanced" ? "" : `, lowWater ${lowWater}`;
	return `${policy}, budget ${isAuto ? "auto" : formatTokens(budget)}${low}`;
}

/** `$0.44`, or a number of another unit: `12k`. */
export function formatCost(amount: number, unit: string): string {
	return unit.startsWith("dollars") ? `$${amount.toFixed(amount < 1 ? 3 : 2)}` : formatTokens(amount);
}

/** Undefined where the provider reported no usage. */
function priceReported({ turns }: Recording, prices: PriceList): CostArm | undefined {
	const replies = turns.map(({ reply }) => reply);
	if (!replies.some((reply) => inputTokens(reply) > 0)) return undefined;
	const costs = replies.map((reply) => {
		const call = { input: inputTokens(reply), cached: reply.usage.cacheRead, output: reply.usage.output };
		return call.input > 0 ? priceCall(call, prices) : 0;
	});
	return makeArm({ kind: "reported", name: "as the provider reported" }, costs, replies.map(inputTokens));
}

type Sent = Pick<PolicyRequest, "messages" | "extraCalls">;

function replayUnder(
	policy: ReplayPolicy,
	recording: Recording,
	{ budget, isAuto, overhead, prices }: CostSettings,
): Iterable<Sent> {
	const fixed = { system: overhead, tools: 0 };
	return replaySession(recording, { policy, budget, isAuto, modelPrices: prices, fixed });
}

function priceRequests(
	about: Pick<CostArm, "kind" | "name">,
	{ sizes: sizesOf, turns }: Recording,
	requests: Iterable<Sent>,
	{ overhead, prices }: CostSettings,
): CostArm {
	const measure = createPrefixMeter(sizesOf, overhead);
	const costs: number[] = [];
	const sizes: number[] = [];
	for (const { messages, extraCalls = [] } of requests) {
		const turn = turns[sizes.length];
		const outputTokens = turn ? outputOf(turn.reply, turn.outputTokens) : 0;
		const size = { ...measure(messages), outputTokens };
		const own = extraCalls.reduce((sum, call) => sum + priceCall(call, prices), 0);
		costs.push(own + priceRequest(size, prices));
		sizes.push(size.tokens);
	}
	return makeArm(about, costs, sizes);
}

/** The answers are the same in every arm, so they cost the same. */
function outputOf({ usage }: ReplyMessage, counted: number): number {
	return usage.output > 0 ? usage.output : counted;
}

function makeArm(
	about: Pick<CostArm, "kind" | "name">,
	costs: readonly number[],
	sizes: readonly number[],
): CostArm {
	let total = 0;
	const cumulative = costs.map((cost) => {
		total += cost;
		return total;
	});
	const largest = sizes.reduce((a, b) => Math.max(a, b), 0);
	return { ...about, total, cumulative, sizes, largest };
}
