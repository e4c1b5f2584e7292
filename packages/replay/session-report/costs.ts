/** The cost of a session as it went, compared on one basis with its cost under cwl, under compaction and without eviction. */
import { type CountTokens, formatTokens, sum } from "#basics";
import { type Calibration, calibrate, uncalibrated } from "#core/ledger";
import { type Answer, type HostMessage, inputTokens, modelName } from "#pi/codec";
import { type OldSession, type PassSettings, policyByName } from "#pi/session";
import { createPrefixMeter } from "../metrics/prefix.ts";
import { type PriceListOf, priceCall } from "../metrics/prices.ts";
import { enginePolicy } from "../policies/engine.ts";
import { parsePolicies } from "../policies/registry.ts";
import type { ReplayPolicy } from "../policies/replay-policy.ts";
import { recordTurns } from "../recording/recording.ts";
import { listSent } from "../recording/sent-requests.ts";
import { replaySession } from "../run/session.ts";
import {
	type Bill,
	billOf,
	type Charged,
	type CountedRequest,
	charge,
	chargeUsage,
	usualBill,
} from "./bills.ts";
import { ownSummaries } from "./own-summaries.ts";

export type CostArm = ReturnType<typeof makeArm>;

/** `session`: as it went. `reported`: the provider's own figures, where the messages in the file do not explain them. */
type Kind = "session" | "reported" | "cwl" | "compaction" | "none";

/** A request with the summaries that a compaction before it asked a model for. */
interface ArmRequest extends Charged {
	readonly summaries: readonly { readonly count: number; readonly tokens: number; readonly cost: number }[];
}

/** `otherCost` is that of the calls that are the same in each arm. */
function makeArm(kind: Kind, name: string, requests: readonly ArmRequest[], otherCost: number) {
	let total = otherCost;
	const cumulative = requests.map(({ cost, summaries }) => {
		total += cost + sum(summaries.map((each) => each.cost));
		return total;
	});
	const sizes = requests.map(({ tokens }) => tokens);
	const all = requests.flatMap(({ summaries }) => summaries);
	return {
		kind,
		name,
		/** Dollars, of all requests and of all up to each one, summaries and the calls outside of the branch included. */
		total,
		cumulative,
		/** Input tokens of each request. */
		sizes,
		largest: sizes.reduce((a, b) => Math.max(a, b), 0),
		/** The model calls of compactions, their input tokens, and the part of `total` that they cost. */
		summaries: {
			count: sum(all.map(({ count }) => count)),
			tokens: Math.round(sum(all.map(({ tokens }) => tokens))),
			cost: sum(all.map(({ cost }) => cost)),
		},
	};
}

export interface ReportSettings extends PassSettings {
	/** Tokens; the attention cap of an automatic budget. */
	readonly budget: number;
	readonly count: CountTokens;
	readonly pricesOf: PriceListOf;
	/** `the branch of the last entry`. */
	readonly branch: string;
	/** The models that they belong to: `dollars at the prices of anthropic/claude-...`. */
	readonly unit: string;
}

/** The shortest time in ms that a provider keeps what it has cached (prompt-caching guides). */
const SHORTEST_LIFETIME = 5 * 60_000;

interface CostSettings extends ReportSettings {
	/** True where the messages explain the usage that the provider reported. */
	readonly isExplained: boolean;
	/** The cost of the file's calls outside of the branch, in dollars. */
	readonly otherCost: number;
}

/**
 * The session as it went, then replays of its steps; empty for a session without an answer. Where the provider reported usage, the
 * session costs what was reported, and a replayed request is charged as the one that was sent was: in the provider's tokens, and
 * without its cache where it had lost what was written. What a request costs in an arm goes by what was known when it was answered, so that
 * no later one changes it.
 */
export function compareCosts(old: OldSession, settings: CostSettings): readonly CostArm[] {
	const { budget, isAuto, pricesOf, policy, lowWater, count, isExplained, otherCost } = settings;
	const { messages } = old;
	const session = { path: "", name: "", format: "pi", messages, damage: [] };
	const recording = { session, scale: undefined, ...recordTurns(messages, count) };
	const { turns, sizes } = recording;
	if (turns.length === 0) return [];
	/** The answers are the same in every arm, so they cost the same. */
	const outputs = turns.map(({ reply, outputTokens }) => reply.usage.output || outputTokens);
	// In our own tokens: the factor of the whole session would change with each request.
	const requests = Array.from(listSent({ old, count }), ({ answer, isManaged, sent }) => {
		const reported = inputTokens(answer);
		const prices = pricesOf(answer);
		const charged = reported > 0 ? chargeUsage(answer.usage, prices) : undefined;
		return { answer, isManaged, shown: sent(), reported, prices, charged };
	});
	const first = requests.find(({ reported }) => reported > 0);
	/** Tokens of system prompt and tools: what the first request with usage had beyond its messages. */
	const overhead = first ? Math.max(0, first.reported - sum(first.shown.flatMap(sizes))) : 0;
	const createMeter = () => {
		/** Each model has a cache of its own. */
		const meters = new Map<string, ReturnType<typeof createPrefixMeter>>();
		/** Models whose provider caches what it is asked to write. */
		const writers = new Set<string>();
		const measureAll = createPrefixMeter(sizes, overhead);
		return (
			shown: readonly HostMessage[],
			index: number,
			answer: Answer,
			isLost: boolean,
		): CountedRequest => {
			const name = modelName(answer);
			const { input, cacheWrite } = answer.usage;
			const measure = meters.get(name) ?? createPrefixMeter(sizes, overhead);
			meters.set(name, measure);
			if (cacheWrite > 0) writers.add(name);
			const isWritten = !writers.has(name) || input <= cacheWrite;
			const reach = Math.max(overhead, measureAll(shown).sharedTokens);
			return { ...measure(shown, isWritten, isLost), reach, outputTokens: outputs[index] ?? 0 };
		};
	};
	const measureSent = createMeter();
	const own = requests.map((request, index) => {
		const { answer, shown } = request;
		return { ...request, size: measureSent(shown, index, answer, answer.usage.cacheRead === 0) };
	});
	/** Each model counts with a tokenizer of its own. */
	const calibrations = new Map<string, Calibration>();
	const bills: Bill[] = [];
	const billAt = (index: number) => bills[index] ?? usualBill;
	for (const [index, { answer, isManaged, size, prices, ...request }] of own.entries()) {
		const before = own[index - 1];
		const name = modelName(answer);
		const reported = isExplained ? request.reported : 0;
		const calibration = calibrate(calibrations.get(name) ?? uncalibrated, { counted: size.tokens, reported });
		calibrations.set(name, calibration);
		const { factor, rest } = billAt(index - 1);
		const bill =
			reported > 0 ? billOf(answer, size, prices, calibration.factor) : { ...usualBill, factor, rest };
		// A pass, an undo or a switch of cwl changes what the provider finds in its cache, which no replay does; a pause ends it for all.
		const isChanged = before && (isManaged !== before.isManaged || size.reach < before.size.tokens);
		const isPaused = before && answer.timestamp - before.answer.timestamp > SHORTEST_LIFETIME;
		bills.push(isChanged && !isPaused ? { ...bill, kept: 1 } : bill);
	}
	/** The summaries that compactions of the session asked a model for. */
	const summaries = ownSummaries(old, settings);
	const went = own.map(({ charged, size, prices }, index) => ({
		...((isExplained && charged) || charge(size, billAt(index), prices)),
		summaries: summaries.filter(({ request }) => request === index),
	}));
	const replay = (kind: Kind, name: string, under: ReplayPolicy) => {
		const arm = { policy: under, budget, isAuto, fixed: { system: overhead, tools: 0 } };
		/** The budget in our tokens, and the prices of the model in use. */
		const settingsAt = (index: number) => {
			const { factor, rest } = billAt(index);
			return {
				budget: Math.max(1, (budget - rest) / factor),
				modelPrices: pricesOf(own[index]?.answer),
			};
		};
		const measure = createMeter();
		const requests = Array.from(
			replaySession(recording, arm, settingsAt),
			({ messages: shown, turn, extraCalls = [] }, index) => {
				const prices = pricesOf(turn.reply);
				const bill = billAt(index);
				const summaries = extraCalls.map(({ input, cached, output }) => {
					const { factor, price } = bill;
					const call = { input: factor * input, cached: factor * cached, output: factor * output };
					return { count: 1, tokens: call.input, cost: price * priceCall(call, prices) };
				});
				return { ...charge(measure(shown, index, turn.reply, bill.kept === 0), bill, prices), summaries };
			},
		);
		return makeArm(kind, `replay: ${name}`, requests, otherCost);
	};
	const reported = requests.map(({ charged = { tokens: 0, cost: 0 } }) => ({ ...charged, summaries: [] }));
	const basis = first && isExplained ? "as the provider reported" : "counted";
	const engine = enginePolicy(policy, () => policyByName(policy), { lowWater });
	return [
		makeArm("session", `this session, ${basis}`, went, otherCost),
		...(first && !isExplained
			? [makeArm("reported", "the provider's own figures", reported, otherCost)]
			: []),
		replay("cwl", describeSettings(settings), engine),
		...parsePolicies("compaction").map((other) =>
			replay("compaction", `pi's compaction at ${formatTokens(budget)}`, other),
		),
		...parsePolicies("none").map((other) => replay("none", "no eviction", other)),
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
