/** The size of requests by the provider's own count, and how every token of them was billed. */
import {
	accountFor,
	type Calibration,
	calibrate,
	reportedTokens,
	sumAccounts,
	totalTokens,
	uncalibrated,
} from "#core/ledger";
import type { Pass } from "#core/log";
import { type PlanInput, tokensBeforeCut } from "#core/planning";
import { sumTokens } from "#core/transcript";
import { type Answer, type HostMessage, inputTokens, lastAnswer } from "../codec/host-message.ts";
import type { CountedAnswer } from "../session/session-history.ts";

/** The session as it is sent; `isCold` if the provider's cache was known to be cold. */
type SentContext = Required<Pick<PlanInput, "graph" | "view" | "fixed" | "isCold">>;

export type TrafficMeter = ReturnType<typeof createTrafficMeter>;

export function createTrafficMeter() {
	const calibrations = new Map<string, Calibration>();
	const calibration = (model: string) => calibrations.get(model) ?? uncalibrated;
	let pending: ReturnType<typeof requestOf> | undefined;
	let learnt: Answer["timestamp"] | undefined;
	let total = sumAccounts([]);

	function teach(answer: Answer, counted: number, reported: number) {
		const model = modelName(answer.provider, answer.model);
		calibrations.set(model, calibrate(calibration(model), { counted, reported }));
	}

	return {
		/**
		 * Learns from the usage of the last answer among these messages; before the next request is planned. Returns our estimate
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
			if (!request || reported === 0) return undefined;
			teach(answer, request.counted, reported);
			const { estimated, pass } = request;
			const input = { input: reported, cached: answer.usage.cacheRead };
			const account = accountFor({ ...request, hasPass: pass !== undefined }, input);
			total = sumAccounts([total, account]);
			return { estimated, reported, account, pass };
		},
		/** Notes a request as it is sent, after the passes that broke its cached prefix. */
		sent(model: string, context: SentContext, passes: readonly Pass[]) {
			pending = requestOf(calibration(model), context, passes);
		},
		/**
		 * Begins with a session of before: learns from its answers, given with what their requests were counted as. None of
		 * the messages answers what is sent from now on.
		 */
		relearn(answers: Iterable<CountedAnswer>, messages: readonly HostMessage[]) {
			// A request that fails is tried again with the old answer as the last one.
			learnt = lastAnswer(messages)?.timestamp;
			for (const { answer, tokens, isManaged } of answers) {
				const reported = inputTokens(answer);
				if (isManaged && reported > 0) teach(answer, tokens, reported);
			}
		},
		/** The request was sent unmodified; ignore its usage. */
		skip() {
			pending = undefined;
		},
		/** The calibration for a model's tokenizer. */
		calibration,
		/** Columns of all requests that were settled. */
		total: () => total,
	};
}

function requestOf(known: Calibration, { graph, view, fixed, isCold }: SentContext, passes: readonly Pass[]) {
	const counted = totalTokens(graph, view, fixed);
	// Since the last request: its answer, and everything that followed.
	const since = graph.messages.slice(graph.lastExchange).flatMap(({ items }) => items);
	const added = graph.lastExchange < 0 ? counted : sumTokens(since);
	const head = fixed.system + fixed.tools;
	const cuts = passes.map((pass) => head + tokensBeforeCut(graph, view, pass));
	const shared = cuts.length > 0 ? Math.min(...cuts) : counted - added;
	return {
		counted,
		estimated: reportedTokens(known, counted),
		added: Math.round(known.factor * added),
		// Framing stands with what it frames, most of it with system prompt and tools.
		shared: shared === 0 ? 0 : reportedTokens(known, shared),
		isCold,
		/** Number of the pass that was made for it, counted from 1. */
		pass: passes.length > 0 ? view.passes : undefined,
	};
}

/** One name for a model of a provider. */
export function modelName(provider: string, model: string): string {
	return `${provider}/${model}`;
}
