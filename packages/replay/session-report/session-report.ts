/** A session as its report shows it: plain data, from its file alone. */
import { countOf, formatTokens } from "#basics";
import { measureHealth } from "#core/health";
import { uncalibrated } from "#core/ledger";
import { defaultToolTable } from "#pi";
import { inputTokens, modelName } from "#pi/codec";
import { findAlerts, measureFidelity, measureSecondLooks, reportHealth } from "#pi/health";
import { createSizes } from "#pi/screen";
import { createManagedSession, type OldSession, readLogEntries } from "#pi/session";
import { measureScale, scaleCounter } from "../recording/calibration.ts";
import { createSizes as createMessageSizes } from "../recording/recording.ts";
import { listSent, type Stretch, splitAtCompactions } from "../recording/sent-requests.ts";
import { compareTo } from "../report/report.ts";
import { type CostArm, compareCosts, formatCost, type ReportSettings } from "./costs.ts";
import { withLostHistory } from "./lost-history.ts";
import { countNew, countSent, describeEpisodes, describePasses, type SentRequest } from "./rows.ts";
import { createPassScale } from "./scaled-passes.ts";

export type SessionReport = ReturnType<typeof reportSession>;

/** Read a whole session. Everything is counted again, so it takes as long as counting its tokens takes. */
export function reportSession(given: OldSession, settings: ReportSettings) {
	const measured = measureSession(given, settings);
	/** `verdict` is the answer in a sentence or two. */
	return { ...measured, verdict: join(describeVerdict(measured), describeUnexplained(measured)) };
}

/** Tokens are the provider's where the file records usage, otherwise o200k. */
function measureSession(given: OldSession, settings: ReportSettings) {
	const { budget, unit } = settings;
	const scale = measureScale(given, settings.count);
	const count = scaleCounter(settings.count, scale);
	const messageSizes = createMessageSizes(count);
	const old = withLostHistory(given, messageSizes);
	const { passes, descriptions, pinned, outputs } = readLogEntries(old.branch);
	const session = createManagedSession(count, { outputs });
	session.describe(descriptions);
	const counted = session.inspect(old.messages).graph;
	const scalePass = createPassScale(counted, scale?.factor ?? 1);
	const scaledPasses = passes.map(scalePass);
	session.restore(scaledPasses);
	const stretches = splitAtCompactions(old);
	const sentSession = { session, old, stretches, scale: scalePass };
	const { answers, overhead } = countSent(sentSession, scale?.overhead);
	const isWhole = stretches.length === 1 && answers.every((answer) => answer.passes.length === 0);
	const whole = session.inspect(old.messages);
	const messages = stretches.at(-1)?.messages ?? old.messages;
	const current = session.inspect(messages);
	const fixed = { system: overhead, tools: 0 };
	const input = { ...current, fixed, budget, tools: defaultToolTable, pinned };
	const health = measureHealth(input, scaledPasses);
	const last = answers.at(-1)?.answer;
	const rows = describePasses(old, answers, whole.graph, health.regret.passes, scalePass);
	const looks = measureSecondLooks(input, scaledPasses, health.regret.all);
	// Sizes are the provider's already where the file records usage.
	const sizes = createSizes({ ...uncalibrated, samples: scale?.requests ?? 0 });
	const fidelity = measureFidelity({ messages, graph: current.graph }, current.view);
	const described = reportHealth({ health, looks, fidelity, sizes });
	/** The passes that hold, which the figures count from 1, have the numbers of all passes in their rows. */
	const numbers = rows.filter(({ isUndone }) => !isUndone).map(({ number }) => number);
	const numbered = <Figures extends { readonly pass: number }>(figures: Figures): Figures => {
		return { ...figures, pass: numbers[figures.pass - 1] ?? figures.pass };
	};
	const { passes: held, calls } = described.regret;
	const added = countNew(old, stretches, answers, messageSizes);
	const sent = isWhole ? undefined : requestsOf(listSent(sentSession));
	return {
		/** Rises when the shape changes. */
		version: 2 as const,
		session: old.id,
		folder: old.cwd,
		/** `provider/model` of the last answer. */
		model: last ? modelName(last.provider, last.model) : null,
		budget,
		/** The provider's tokens, compared with ours; null where all sizes are ours. */
		scale: scale ?? null,
		requests: answers.map(({ answer, ledger, passes: made, isManaged }, index) => ({
			/** Of what was really sent. */
			ledger,
			/** Tokens that no earlier request had sent, counted as the ledger is. */
			added: added[index] ?? 0,
			/** False while the user had switched cwl off. */
			isManaged,
			/** As the provider reported it, in its tokens; 0 where it reported none. */
			input: inputTokens(answer),
			cached: answer.usage.cacheRead,
			/** Passes that held by then. */
			passes: made.length,
		})),
		passes: rows,
		/** Compactions by the host or by the agent that recorded the session. */
		compactions: describeCompactions(stretches, answers),
		episodes: describeEpisodes(whole.graph, whole.view, old.compactions?.at(-1)?.firstKept ?? 0),
		health: {
			...described,
			regret: { ...described.regret, passes: held.map(numbered), calls: calls.map(numbered) },
		},
		alerts: findAlerts({ input, looks, sizes }),
		costs: { unit, arms: compareCosts(old.messages, sent, { ...settings, count, overhead }) },
	};
}

function* requestsOf(answers: ReturnType<typeof listSent>) {
	for (const { sent } of answers) yield { messages: sent() };
}

function describeCompactions(stretches: readonly Stretch[], answers: readonly SentRequest[]) {
	return stretches.slice(1).map(({ messages, firstNew }) => {
		const since = new Set<unknown>(messages.slice(firstNew));
		const request = answers.findIndex(({ answer }) => since.has(answer));
		const before = answers[request < 0 ? answers.length - 1 : request - 1];
		return {
			/** The first request after it, counted from 0; null when none came. */
			request: request < 0 ? null : request,
			/** Tokens of the request before it, and of the first one after it; null where there is none. */
			before: before?.ledger.total ?? null,
			after: answers[request]?.ledger.total ?? null,
		};
	});
}

/** The largest request, in the unit of all sizes of the report. */
function peakOf({ requests, scale }: Pick<SessionReport, "requests" | "scale">): number {
	return requests.reduce((most, request) => Math.max(most, sizeOf(request, scale)), 0);
}

/** A request in the provider's tokens where `scale` is known, in ours otherwise. */
function sizeOf({ ledger, input }: SessionReport["requests"][number], scale: SessionReport["scale"]): number {
	return scale && input > 0 ? input : ledger.total;
}

/** Usage that the messages in the file do not explain has a sentence of its own: no size of the others compares with it. */
function describeUnexplained({ requests, scale }: ReturnType<typeof measureSession>): string {
	const reported = Math.max(0, ...requests.map(({ input }) => input));
	if (scale || reported === 0) return "";
	return `The provider counted up to ${formatTokens(reported)}, which the messages in the file do not explain: every other size is counted with o200k.`;
}

/**
 * Says what happened, and what it cost compared with pi's own compaction and with no eviction. A session with passes goes by what
 * was sent; only one without them by a replay of cwl.
 */
function describeVerdict(measured: ReturnType<typeof measureSession>): string {
	const { budget, requests, passes, compactions, costs } = measured;
	if (requests.length === 0) return "No request has been answered yet, so there is nothing to report.";
	const peak = peakOf(measured);
	const arm = (kind: CostArm["kind"]) => costs.arms.find((each) => each.kind === kind);
	const cwl = arm("cwl");
	const compaction = arm("compaction");
	const none = arm("none");
	const instead = arm("sent") ?? none;
	const unit = ` ${costs.unit.replace(/^dollars /, "")}`;
	const limit = `the budget of ${formatTokens(budget)} tokens`;
	const excuse = explainPeak(measured);
	if (passes.length > 0) {
		const held = passes.filter(({ isUndone }) => !isUndone);
		const size = `the largest request had ${formatTokens(peak)}${peak > budget ? `, above ${limit}${excuse}` : ` of ${limit}`}`;
		const evicted = held.reduce((sum, { before, after }) => sum + before - after, 0);
		return join(
			held.length === 0
				? `You took ${passes.length === 1 ? "the only pass" : `all ${passes.length} passes`} back, and ${size}.`
				: `cwl evicted ${formatTokens(evicted)} tokens in ${countOf(held.length, "pass", "passes")} and ${size}.`,
			compactions.length > 0 ? `It was compacted ${times(compactions.length)} too.` : "",
			instead && compaction && none
				? `It cost ${formatCost(instead.total)}${unit}, counted as the replays of its steps are: ${against(instead, compaction)}${compareTo(instead.total, none.total, "no eviction")}.`
				: "",
		);
	}
	const would =
		cwl && instead && compaction
			? `In a replay of its steps cwl costs ${against(cwl, compaction)}${compareTo(cwl.total, instead.total, "what was sent")}, in requests of at most ${formatTokens(cwl.largest)} tokens.`
			: "";
	if (compactions.length > 0) {
		return join(
			`cwl made no pass in this session: it was compacted ${times(compactions.length)}, and its largest request had ${formatTokens(peak)} tokens${peak > budget ? excuse : ""}.`,
			would,
		);
	}
	if (peak <= budget)
		return `This session never outgrew ${limit}: its largest request had ${formatTokens(peak)}, so nothing had to be evicted.`;
	return join(
		`This session ran without a pass of cwl and without compaction: its largest request had ${formatTokens(peak)} tokens, above ${limit}${excuse}.`,
		would,
	);
}

/** The comparison with pi's compaction, where a replay has made any. */
function against(own: CostArm, compaction: CostArm): string {
	if (compaction.summaries === 0) return "";
	return `${compareTo(own.total, compaction.total, "pi's own compaction")} and `;
}

/** Says why the largest request may be above the budget: cwl was off. Empty where it was on. */
function explainPeak({ requests, scale }: ReturnType<typeof measureSession>): string {
	const largest = requests.toSorted((a, b) => sizeOf(b, scale) - sizeOf(a, scale))[0];
	return largest && !largest.isManaged ? ", while cwl was off (`/cwl off`)" : "";
}

function times(count: number): string {
	return count === 1 ? "once" : `${count} times`;
}

function join(...sentences: readonly string[]): string {
	return sentences.filter((sentence) => sentence !== "").join(" ");
}
