/** Measures a session from its file alone: what each request sent, passes, episodes, health, and what it would have cost otherwise. */
import { sum, textOf } from "#basics";
import { uncalibrated } from "#core/ledger";
import { inputTokens, modelName } from "#pi/codec";
import { findAlerts, readRewrites, reportHealth } from "#pi/health";
import { createSizes } from "#pi/screen";
import { createManagedSession, type OldSession, readLogEntries } from "#pi/session";
import { measureScale, scaleCounter } from "../recording/calibration.ts";
import { createSizes as createMessageSizes } from "../recording/recording.ts";
import { type Stretch, splitAtCompactions } from "../recording/sent-requests.ts";
import { chargeUsage } from "./bills.ts";
import { compareCosts, type ReportSettings } from "./costs.ts";
import { withLostHistory } from "./lost-history.ts";
import { measureNext, readChanges } from "./measure-next.ts";
import { ownSummaries } from "./own-summaries.ts";
import { countSent, describeEpisodes, describePasses, type SentRequest } from "./rows.ts";
import { createPassScale } from "./scaled-passes.ts";

export type MeasuredSession = ReturnType<typeof measureSession>;

/** Tokens are the provider's where the file records usage, otherwise o200k. */
export function measureSession(given: OldSession, settings: ReportSettings) {
	const read = readSession(given, settings);
	const { old, scale, stretches, answers, isExplained } = read;
	const { input, health, whole, looks, fidelity, sizes, used } = measureNext(read, settings);
	const last = answers.at(-1)?.answer;
	const otherCalls = chargeOtherCalls(old, settings);
	return {
		/** Rises when the shape changes. */
		version: 9 as const,
		session: old.id,
		/** The branch of the file that the rest is about. */
		branch: settings.branch,
		folder: old.cwd,
		/** `provider/model` of the last answer. */
		model: last ? modelName(last) : null,
		budget: settings.budget,
		/** The provider's tokens, compared with ours; null where all sizes are ours. */
		scale: scale ?? null,
		requests: answers.map(describeRequest),
		passes: describePasses(old, answers, whole.graph, {
			looks,
			rewrites: read.rewrites,
			sizes: read.ownSizes,
			calibrated: sizes,
		}),
		/** Compactions by the host or by the agent that recorded the session. */
		compactions: describeCompactions(stretches, answers),
		episodes: describeEpisodes(whole.graph, read.old.messages, input, sizes),
		health: reportHealth({
			health,
			looks,
			fidelity,
			sizes,
			used,
			budget: settings.budget,
			isCompacted: stretches.length > 1,
		}),
		alerts: findAlerts({ input, looks, sizes }),
		costs: {
			unit: settings.unit,
			/** Calls that are not on the branch, which every arm has: other branches, answers that failed, calls of the host. */
			otherCalls,
			arms: compareCosts(old, { ...settings, isExplained, otherCost: otherCalls.cost }),
		},
	};
}

/** Reads what the requests of a session sent, with its passes in the provider's tokens. */
function readSession(given: OldSession, settings: ReportSettings) {
	const scale = measureScale(given, settings.count);
	const count = scaleCounter(settings.count, scale);
	const old = withLostHistory(given, createMessageSizes(count), scale?.overhead ?? 0);
	const logged = readLogEntries(old.branch);
	const { factor, requests: samples } = scale ?? { factor: 1, requests: 0 };
	/** Sizes of the log, which holds our own count; all others are the provider's already where the file records usage. */
	const ownSizes = createSizes({ ...uncalibrated, samples, factor });
	const session = createManagedSession(count, { outputs: logged.outputs });
	const scalePass = createPassScale(session.inspect(old.messages).graph, ownSizes);
	const stretches = splitAtCompactions(old);
	const messages = session.asSent(old.messages);
	const rewrites = readRewrites(withFailed(old), { messages, count: settings.count, sizes: ownSizes });
	// The session's own count of system prompt and tools, where it has one, is nearer than what the messages leave unexplained.
	const { on } = logged.fixed;
	const own = on && Math.round(factor * (on.system + on.tools));
	const requests = countSent(
		{ old, count, scale: scalePass, changeOf: readChanges(old.branch, count).changeOf },
		scale && (own ?? scale.overhead),
		rewrites,
		logged.fixed,
	);
	return {
		...requests,
		scale,
		ownSizes,
		old,
		logged,
		stretches,
		rewrites,
		overhead: Math.round((requests.fixed.system + requests.fixed.tools) / factor),
		// What cwl managed explains its requests itself.
		isExplained: scale !== undefined || old.branch.some(({ type }) => type === "custom"),
	};
}

/** The branch with the answers that failed after they had been counted, each at its time. */
function withFailed({ branch, otherCalls = [] }: OldSession) {
	const failed = otherCalls.filter(({ isElsewhere }) => !isElsewhere);
	return failed.reduce((entries, { entry }) => {
		const last = entries.findLastIndex(({ timestamp }) => textOf(timestamp) <= textOf(entry.timestamp));
		return entries.toSpliced(last + 1, 0, entry);
	}, branch);
}

/** Charges the calls that are not on the branch, compactions of other branches included. */
function chargeOtherCalls({ otherCalls = [], compactedBranches = [] }: OldSession, settings: ReportSettings) {
	const elsewhere = compactedBranches.flatMap((branch) => ownSummaries(branch, settings).slice(-1));
	const charged = otherCalls.map(({ usage, by, isElsewhere }) => {
		return { ...chargeUsage(usage, settings.pricesOf(by)), isElsewhere };
	});
	const left = [...charged.filter(({ isElsewhere }) => isElsewhere), ...elsewhere];
	return {
		count: charged.length + sum(elsewhere.map(({ count }) => count)),
		tokens: sum([...charged, ...elsewhere].map(({ tokens }) => tokens)),
		cost: sum([...charged, ...elsewhere].map(({ cost }) => cost)),
		/** The part of the cost that other branches have. */
		elsewhere: sum(left.map(({ cost }) => cost)),
	};
}

function describeRequest({ answer, ledger, passes, isManaged, rewritten }: SentRequest) {
	return {
		/** Of what was really sent; the components add up to `input` where `scale` is known. */
		ledger,
		/** Tokens that an earlier request had sent and that did not come from the cache. */
		rewritten,
		/** False while the user had switched cwl off. */
		isManaged,
		/** As the provider reported it, in its tokens; 0 where it reported none. */
		input: inputTokens(answer),
		cached: answer.usage.cacheRead,
		/** Passes that held by then. */
		passes: passes.length,
	};
}

function describeCompactions(stretches: readonly Stretch[], answers: readonly SentRequest[]) {
	return stretches.slice(1).map(({ messages, firstNew }) => {
		const since = new Set<unknown>(messages.slice(firstNew));
		const request = answers.findIndex(({ answer }) => since.has(answer));
		const before = answers[request < 0 ? answers.length - 1 : request - 1];
		return {
			/** The number of the first request after it, from 1; null when none came. */
			request: request < 0 ? null : request + 1,
			/** Tokens of the request before it, and of the first one after it; null where there is none. */
			before: before?.ledger.total ?? null,
			after: answers[request]?.ledger.total ?? null,
		};
	});
}
