/** A session as its report shows it: plain data, from its file alone. `version` rises when the shape changes. */
import { measureHealth } from "#core/health";
import type { Ledger } from "#core/ledger";
import { defaultToolTable } from "#pi";
import { type CountTokens, inputTokens } from "#pi/codec";
import { type Alert, findAlerts, type HealthReport, measureFidelity, reportHealth } from "#pi/health";
import { modelName } from "#pi/requests";
import { countOf, formatTokens } from "#pi/screen";
import {
	type CountedAnswer,
	createManagedSession,
	type OldSession,
	type PassSettings,
	readLogEntries,
} from "#pi/session";
import type { PriceList } from "../metrics/prices.ts";
import { createSizes } from "../recording/recording.ts";
import { compareTo } from "../report/report.ts";
import { type CostArm, compareCosts, formatCost } from "./costs.ts";
import { withLostHistory } from "./lost-history.ts";
import {
	countSent,
	describeEpisodes,
	describePasses,
	type EpisodeRow,
	listSent,
	numberLikeRows,
	type PassRow,
	type SentRequest,
	type Stretch,
	splitAtCompactions,
} from "./rows.ts";

/** Tokens are counted with o200k, unless said otherwise. */
export interface SessionReport {
	readonly version: 2;
	/** The answer in one sentence or two. */
	readonly verdict: string;
	readonly session: string;
	readonly folder: string;
	/** `provider/model` of the last answer. */
	readonly model: string | null;
	readonly budget: number;
	readonly requests: readonly RequestRow[];
	readonly passes: readonly PassRow[];
	/** Compactions by the host or by the agent that recorded the session. */
	readonly compactions: readonly CompactionRow[];
	readonly episodes: readonly EpisodeRow[];
	readonly health: HealthReport;
	readonly alerts: readonly Alert[];
	readonly costs: { readonly unit: string; readonly arms: readonly CostArm[] };
}

export interface RequestRow {
	/** Of what was really sent. */
	readonly ledger: Ledger;
	/** As the provider reported it, in its tokens; 0 where it reported none. */
	readonly input: number;
	readonly cached: number;
	/** Passes that held by then. */
	readonly passes: number;
}

export interface CompactionRow {
	/** The first request after it, counted from 0; null when none came. */
	readonly request: number | null;
	/** Tokens of the request before it, and of the first one after it; null where there is none. */
	readonly before: number | null;
	readonly after: number | null;
}

export interface ReportSettings extends PassSettings {
	/** Tokens; the attention cap of an automatic budget. */
	readonly budget: number;
	readonly count: CountTokens;
	readonly prices: PriceList;
	/** The currency of its prices and the model they belong to: `dollars, anthropic/claude-...`. */
	readonly unit: string;
}

/** Read a whole session. Everything is counted again, so it takes as long as counting its tokens takes. */
export function reportSession(given: OldSession, settings: ReportSettings): SessionReport {
	const { budget, count, unit } = settings;
	const old = withLostHistory(given, createSizes(count));
	const { passes, descriptions, pinned, outputs } = readLogEntries(old.branch);
	const session = createManagedSession(count, { outputs });
	session.describe(descriptions);
	session.restore(passes);
	const stretches = splitAtCompactions(old);
	const overhead = overheadOf(countSent(session, old, stretches, 0));
	const answers = countSent(session, old, stretches, overhead);
	const isWhole = stretches.length === 1 && answers.every(({ passes: held }) => held.length === 0);
	const whole = session.inspect(old.messages);
	const current = session.inspect(stretches.at(-1)?.messages ?? old.messages);
	const fixed = { system: overhead, tools: 0 };
	const input = { ...current, fixed, budget, tools: defaultToolTable, pinned };
	const health = measureHealth(input, passes);
	const last = answers.at(-1)?.answer;
	const source = { messages: stretches.at(-1)?.messages ?? old.messages, graph: current.graph };
	const rows = describePasses(old, answers, whole.graph, health.regret.passes);
	const described = reportHealth(health, measureFidelity(source, current.view));
	const { regret } = described;
	const report = {
		version: 2 as const,
		session: old.id,
		folder: old.cwd,
		model: last ? modelName(last.provider, last.model) : null,
		budget,
		requests: answers.map(describeRequest),
		passes: rows,
		compactions: describeCompactions(stretches, answers),
		episodes: describeEpisodes(whole.graph, whole.view, old.compactions?.at(-1)?.firstKept ?? 0),
		health: {
			...described,
			regret: {
				...regret,
				passes: numberLikeRows(regret.passes, rows),
				calls: numberLikeRows(regret.calls, rows),
			},
		},
		alerts: findAlerts({ input, health }),
		costs: {
			unit,
			arms: compareCosts(
				old.messages,
				isWhole ? undefined : requestsOf(listSent(session, old, stretches, overhead)),
				count,
				{ ...settings, overhead },
			),
		},
	};
	return { ...report, verdict: describeVerdict(report) };
}

function* requestsOf(answers: Iterable<CountedAnswer>) {
	for (const { sent } of answers) yield { messages: sent() };
}

/** System prompt and tools are not in the file: they are what the first reported request had beyond the messages. */
function overheadOf(answers: readonly SentRequest[]): number {
	const first = answers.find(({ answer }) => inputTokens(answer) > 0);
	return first ? Math.max(0, inputTokens(first.answer) - first.ledger.total) : 0;
}

function describeRequest({ answer, ledger, passes }: SentRequest): RequestRow {
	return { ledger, input: inputTokens(answer), cached: answer.usage.cacheRead, passes: passes.length };
}

function describeCompactions(
	stretches: readonly Stretch[],
	answers: readonly SentRequest[],
): readonly CompactionRow[] {
	return stretches.slice(1).map(({ messages, firstNew }) => {
		const since = new Set<unknown>(messages.slice(firstNew));
		const request = answers.findIndex(({ answer }) => since.has(answer));
		const before = answers[request < 0 ? answers.length - 1 : request - 1];
		return {
			request: request < 0 ? null : request,
			before: before?.ledger.total ?? null,
			after: answers[request]?.ledger.total ?? null,
		};
	});
}

type Reported = Pick<SessionReport, "budget" | "requests" | "passes" | "compactions" | "costs">;

/**
 * Says what happened, and what it cost compared with pi's own compaction and with no eviction. A session with passes goes by what
 * was sent; only one without them by a replay of cwl.
 */
function describeVerdict({ budget, requests, passes, compactions, costs }: Reported): string {
	if (requests.length === 0) return "No request has been answered yet, so there is nothing to report.";
	const peak = requests.reduce((most, { ledger, input }) => Math.max(most, input || ledger.total), 0);
	const arm = (kind: CostArm["kind"]) => costs.arms.find((each) => each.kind === kind);
	const [reported, cwl, compaction, none] = [arm("reported"), arm("cwl"), arm("compaction"), arm("none")];
	const instead = arm("sent") ?? none;
	const unit = ` ${costs.unit.replace(/^dollars /, "")}`;
	const limit = `the budget of ${formatTokens(budget)} tokens`;
	if (passes.length > 0) {
		const held = passes.filter(({ isUndone }) => !isUndone);
		const size = `the largest request had ${formatTokens(peak)}${peak > budget ? `, above ${limit}` : ` of ${limit}`}`;
		const evicted = held.reduce((sum, { before, after }) => sum + before - after, 0);
		return join(
			held.length === 0
				? `You took ${passes.length === 1 ? "the only pass" : `all ${passes.length} passes`} back, and ${size}.`
				: `cwl evicted ${formatTokens(evicted)} tokens in ${countOf(held.length, "pass", "passes")} and ${size}.`,
			compactions.length > 0 ? `Another program compacted the session ${times(compactions.length)}.` : "",
			reported
				? `It cost ${formatCost(reported.total, costs.unit)}${unit}, by the tokens that the provider reported.`
				: "",
			instead && compaction && none
				? `Against replays of its steps, that is ${compareTo(instead.total, compaction.total, "pi's own compaction")} and ${compareTo(instead.total, none.total, "no eviction")}.`
				: "",
		);
	}
	const would =
		cwl && instead && compaction
			? `In a replay of its steps cwl costs ${compareTo(cwl.total, instead.total, "what was sent")} and ${compareTo(cwl.total, compaction.total, "pi's own compaction")}, in requests of at most ${formatTokens(cwl.largest)} tokens.`
			: "";
	if (compactions.length > 0) {
		return join(
			`cwl made no pass in this session: another program compacted it ${times(compactions.length)}, and its largest request had ${formatTokens(peak)} tokens.`,
			would,
		);
	}
	if (peak <= budget)
		return `This session never outgrew ${limit}: its largest request had ${formatTokens(peak)}, so nothing had to be evicted.`;
	return join(
		`This session ran without a pass of cwl and without compaction: its largest request had ${formatTokens(peak)} tokens, above ${limit}.`,
		would,
	);
}

function times(count: number): string {
	return count === 1 ? "once" : `${count} times`;
}

function join(...sentences: readonly string[]): string {
	return sentences.filter((sentence) => sentence !== "").join(" ");
}
