/** Sums a run up into a report. */
import type { FixedTokens } from "#core/ledger";
import { type ComparedSession, compare } from "../metrics/comparison.ts";
import { addFaults, noFaults } from "../metrics/faults.ts";
import { addGroundings, emptyGrounding } from "../metrics/grounding.ts";
import { addMissedEdits } from "../metrics/missed-edits.ts";
import { addRepairs, noRepair, type Repair } from "../metrics/repair.ts";
import { addTallies, emptyTally, type Tally } from "../metrics/tally.ts";
import { addThinking, noThinking } from "../metrics/thinking.ts";
import { describePassTimes, describeTraffic } from "../metrics/traffic.ts";
import type { Annotation } from "../recording/annotation.ts";
import type { Chaining } from "../recording/chain-sessions.ts";
import type { Run } from "../run/run.ts";
import type { SessionReplay } from "../run/session-replay.ts";
import type { SessionResult } from "../run/session-result.ts";
import { advise } from "./advice.ts";
import type { Figures, PolicyReport, Pressed, Report } from "./report.ts";
import { costOf, describeVerdict } from "./verdict.ts";

export interface ReportOptions {
	readonly arms: readonly { readonly name: string; readonly budget: number; readonly isAuto?: boolean }[];
	/** Tokens. */
	readonly pressure: number;
	readonly fixed: FixedTokens;
	readonly annotation: Annotation;
	readonly chaining: Chaining | undefined;
	/** The model that the sessions are replayed as. */
	readonly model?: { readonly name: string } | undefined;
	/** Names of the models whose prices follow those of the two kinds of provider in each tally. */
	readonly models: readonly string[];
	/** True if the arms are those of `whatIfArms`. */
	readonly isSweep?: boolean;
}

const EXAMPLES = 20;
const REFERENCE = "paper";
const UNEVICTED = "none";
/** A session costs more only beyond this share of what it costs without eviction: figures are estimates. */
const MORE_EXPENSIVE = 1.02;

export function createReport(run: Run, options: ReportOptions): Report {
	const { arms, pressure, fixed, annotation, chaining } = options;
	const reference = arms.findIndex((arm) => arm.name === REFERENCE);
	const paper = reference < 0 ? undefined : comparedSessions(run, reference);
	const policies = arms.map((_, i) => reportPolicy(run, i, options, paper)).map(compareToUnevicted);
	const report = {
		version: 1 as const,
		as: options.model?.name ?? null,
		budget: pressure,
		fixed,
		annotate: annotation,
		chain: chaining ?? null,
		interrupted: run.isInterrupted,
		sessions: {
			planned: run.planned,
			replayed: run.replays.length,
			formats: countFormats(run.replays),
			annotated: run.replays.filter(({ isAnnotated }) => isAnnotated).length,
			pressed: run.replays.filter(({ isPressed }) => isPressed).length,
		},
		annotationOnly: sumAnnotation(run.replays),
		problems: run.problems,
		damage: run.damage,
		policies,
		advice: options.isSweep ? advise(policies) : null,
	};
	return { ...report, verdict: describeVerdict(report) };
}

/** Adds to each policy what it costs compared with sending everything. */
function compareToUnevicted(
	policy: UncomparedReport,
	_: number,
	policies: readonly UncomparedReport[],
): PolicyReport {
	const none = policies.find((each) => each.policy === UNEVICTED);
	const bySession = policy.bySession.map((own, index) => {
		return { ...own, costComparedToNone: costShare(own, none?.bySession[index]) };
	});
	const dearer = bySession.filter(
		({ costComparedToNone: share }) => share !== null && share > MORE_EXPENSIVE,
	);
	return {
		...policy,
		costComparedToNone: costShare(policy, none),
		sessionsMoreExpensive: none ? dearer.length : null,
		bySession,
	};
}

function costShare(own: Figures, none: Figures | undefined): number | null {
	const [cost, reference] = [costOf(own), none ? costOf(none) : 0];
	return reference > 0 ? cost / reference : null;
}

type UncomparedReport = Omit<PolicyReport, "costComparedToNone" | "sessionsMoreExpensive" | "bySession"> & {
	readonly bySession: readonly (Figures & { readonly session: string })[];
};

function resultsOf({ replays }: Run, arm: number): readonly SessionResult[] {
	return replays.flatMap(({ results }) => results[arm] ?? []);
}

function countFormats(replays: readonly SessionReplay[]): Readonly<Record<string, number>> {
	const counts: Record<string, number> = {};
	for (const { format } of replays) counts[format] = (counts[format] ?? 0) + 1;
	return counts;
}

function sumAnnotation(replays: readonly SessionReplay[]): Report["annotationOnly"] {
	const counts = replays.flatMap(({ annotationCount }) => annotationCount ?? []);
	if (counts.length === 0) return null;
	const requests = counts.reduce((sum, count) => sum + count.requests, 0);
	const only = counts.reduce((sum, count) => sum + count.only, 0);
	return { requests, only, share: requests === 0 ? null : only / requests };
}

function comparedSessions(run: Run, arm: number): readonly ComparedSession[] {
	return resultsOf(run, arm)
		.filter(({ pressed }) => pressed.requests > 0)
		.map(({ pressed, grounding }) => ({ cost: describeTraffic(pressed, []).cost, grounding }));
}

function reportPolicy(
	run: Run,
	index: number,
	options: ReportOptions,
	paper: readonly ComparedSession[] | undefined,
): UncomparedReport {
	const { name = "", budget = 0, isAuto = false } = options.arms[index] ?? {};
	const versusPaper = paper ? compare(comparedSessions(run, index), paper) : null;
	const violations = run.replays.flatMap(({ session, results }) =>
		(results[index]?.violations.first ?? []).map((violation) => ({ session, ...violation })),
	);
	return {
		policy: name,
		budget,
		isAuto,
		...summarise(resultsOf(run, index), options.models),
		ratioToPaper: {
			anthropic: versusPaper?.cost.anthropic?.value ?? null,
			openai: versusPaper?.cost.openai?.value ?? null,
		},
		versusPaper,
		violationExamples: violations.slice(0, EXAMPLES),
		bySession: run.replays.flatMap(({ session, results }) => {
			const result = results[index];
			return result ? [{ session, ...summarise([result], options.models) }] : [];
		}),
	};
}

function summarise(results: readonly SessionResult[], models: readonly string[]): Figures {
	const sum = (of: (result: SessionResult) => Tally) =>
		results.map(of).reduce(addTallies, emptyTally(models.length + 2));
	return {
		...describeTraffic(
			sum(({ all }) => all),
			models,
		),
		passMs: describePassTimes(results.flatMap(({ passMs }) => passMs)),
		pressed: describePressed(
			sum(({ pressed }) => pressed),
			results.map(({ repair }) => repair).reduce(addRepairs, noRepair(models.length + 2)),
			models,
		),
		faults: results.map(({ faults }) => faults).reduce(addFaults, noFaults),
		savedOnce: results.reduce((tokens, result) => tokens + result.savedOnce, 0),
		grounding: results.map((result) => result.grounding).reduce(addGroundings, emptyGrounding),
		missedEdits: results.map((result) => result.missedEdits).reduce(addMissedEdits, {}),
		violations: results.reduce((count, { violations }) => count + violations.count, 0),
		thinking: results.map((result) => result.thinking).reduce(addThinking, noThinking),
	};
}

function describePressed(tally: Tally, repair: Repair, models: readonly string[]): Pressed | null {
	if (tally.requests === 0) return null;
	const { requests, meanContext, overBudget, cachedShare, modeledSeconds, cost, dollars, extraCalls } =
		describeTraffic(tally, models);
	const [anthropic = 0, openai = 0] = repair.costs;
	return {
		...{ requests, meanContext, overBudget, cachedShare, modeledSeconds, cost, dollars, extraCalls },
		repair: { requests: repair.requests, tokens: repair.tokens },
		costWithRepair: { anthropic: cost.anthropic + anthropic, openai: cost.openai + openai },
	};
}
