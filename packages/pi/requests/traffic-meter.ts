/** The size of requests by the provider's own count, and how every token of them was billed. */
import { sum } from "#basics";
import {
	accountFor,
	type Calibration,
	type CountSample,
	calibrate,
	reportedPart,
	reportedTokens,
	sealedTokens,
	sumAccounts,
	totalTokens,
	uncalibrated,
} from "#core/ledger";
import type { Pass } from "#core/log";
import { type PlanInput, tokensBeforeCut } from "#core/planning";
import { sumTokens } from "#core/transcript";
import { type Answer, type HostMessage, inputTokens, lastAnswer, modelName } from "../codec/host-message.ts";
import type { CountedAnswer } from "../session/session-history.ts";

/** The session as it is sent; `isCold` if the provider's cache was known to be cold. */
type SentContext = Required<Pick<PlanInput, "graph" | "view" | "fixed" | "isCold">>;

/** An answer, and what its request was counted as. */
type CountedRequest = Pick<CountedAnswer, "answer" | "tokens" | "sealed" | "isManaged" | "isSuperseded">;

export type TrafficMeter = ReturnType<typeof createTrafficMeter>;

export function createTrafficMeter() {
	const calibrations = new Map<string, Calibration>();
	/** Those that answers of while CWL is off have changed: they hold only until it is on, as pi's own prompt is counted in another way. */
	const whileOff = new Map<string, Calibration>();
	/** A model begins with what the last one showed of sealed thinking, whose size is estimated in the same way for all. */
	let first = uncalibrated;
	const calibration = (model: string, isManaged = true) =>
		(isManaged ? undefined : whileOff.get(model)) ?? calibrations.get(model) ?? first;
	/** The last request. Its answer is later than `after`; an older one is the last after a move in the session tree. */
	let pending:
		| (ReturnType<typeof requestOf> & { readonly isManaged: boolean; readonly after: number })
		| undefined;
	let learnt: Answer["timestamp"] | undefined;
	let total = sumAccounts([]);

	function teach(answer: Answer, sample: CountSample, isManaged: boolean, confirms = true) {
		const name = modelName(answer);
		const known = calibration(name, isManaged);
		const before = confirms ? known : { ...known, doubted: undefined };
		const next = calibrate(before, sample);
		(isManaged ? calibrations : whileOff).set(name, next);
		first = { ...uncalibrated, sealedFactor: next.sealedFactor };
	}

	return {
		/**
		 * Learns from the usage of the last answer among these messages, before the next request is planned. Returns our estimate
		 * when the request was sent, the reported usage, and its columns, which add up to that.
		 */
		learn(messages: readonly HostMessage[]) {
			const answer = lastAnswer(messages);
			// Every answer is asked about once.
			if (!answer || answer.timestamp === learnt) return undefined;
			const request = pending;
			learnt = answer.timestamp;
			pending = undefined;
			const reported = inputTokens(answer);
			if (!request || reported === 0 || answer.timestamp <= request.after) return undefined;
			const { counted, sealed, isManaged } = request;
			teach(answer, { counted, sealed, reported }, isManaged);
			const { estimated, pass } = request;
			const input = { input: reported, cached: answer.usage.cacheRead };
			const account = accountFor({ ...request, hasPass: pass !== undefined }, input);
			total = sumAccounts([total, account]);
			return { estimated, reported, account, pass };
		},
		/** Notes a request as it is sent, after the passes that broke its cached prefix; with `isManaged` false while CWL is off. */
		sent(model: string, context: SentContext, passes: readonly Pass[], isManaged = true) {
			const request = requestOf(calibration(model, isManaged), model, context, passes);
			pending = { ...request, isManaged, after: learnt ?? -Infinity };
		},
		/**
		 * Begins with a session of before: learns from its answers, given with what their requests were counted as. Only an
		 * answer of this process confirms a report that contradicts the others: in between, the session may have been sent
		 * without this extension. None of the messages answers what is sent from now on.
		 */
		relearn(answers: Iterable<CountedRequest>, messages: readonly HostMessage[]) {
			// A request that fails is tried again with the old answer as the last one.
			learnt = lastAnswer(messages)?.timestamp;
			for (const { answer, tokens, sealed, isManaged, isSuperseded } of answers) {
				const reported = inputTokens(answer);
				if (isSuperseded || reported === 0) continue;
				teach(answer, { counted: tokens - sealed.unsent, sealed: sealed.sent, reported }, isManaged, false);
			}
		},
		/** The calibration for a model's tokenizer, while CWL is on or off. */
		calibration,
		/** Columns of all requests that were settled. */
		total: () => total,
	};
}

function requestOf(
	known: Calibration,
	model: string,
	{ graph, view, fixed, isCold }: SentContext,
	passes: readonly Pass[],
) {
	const { sent: sealed, unsent } = sealedTokens(graph, view, model);
	const counted = totalTokens({ graph, view, fixed }) - unsent;
	// Since the last request: its answer, and everything that followed.
	const since = graph.messages.slice(graph.lastExchange).flatMap(({ items }) => items);
	const added = graph.lastExchange < 0 ? counted : sumTokens(since);
	const head = fixed.system + fixed.tools;
	const cuts = passes.map((pass) => head + tokensBeforeCut(graph, view, pass));
	const addedSealed = sum(since, (item) => (item.type === "reasoning" && item.sealed) || 0);
	const shared = cuts.length > 0 ? Math.min(...cuts) : counted - added;
	const sharedSealed = Math.min(shared, Math.max(0, sealed - addedSealed));
	return {
		counted,
		sealed,
		estimated: reportedTokens(known, counted, sealed),
		added: reportedPart(known, added, Math.min(added, addedSealed)),
		// Framing is next to what it frames, most of it to system prompt and tools.
		shared: shared === 0 ? 0 : reportedTokens(known, shared, sharedSealed),
		isCold,
		/** Number of the pass that was made for it, counted from 1. */
		pass: passes.length > 0 ? view.passes : undefined,
	};
}
