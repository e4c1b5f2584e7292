/** Sums a run up into a report. */
import type { FixedTokens } from "#core/ledger";
import { addUp } from "../metrics/add-up.ts";
import { type ComparedSession, compare } from "../metrics/comparison.ts";
import { describeTraffic } from "../metrics/traffic.ts";
import type { Annotation } from "../recording/annotation.ts";
import type { SessionReplay } from "../run/jobs.ts";
import { mergeRows } from "../run/rows.ts";
import { type Run, runOf } from "../run/run.ts";
import { emptySums, type SessionResult, type Sums } from "../run/session-result.ts";
import type { Figures, PolicyReport, Pressed, Report } from "./report.ts";
import { advise, costOf, describeVerdict } from "./verdict.ts";

export interface ReportOptions {
	readonly arms: readonly { readonly name: string; readonly budget: number; readonly isAuto?: boolean }[];
	/** Tokens. */
	readonly pressure: number;
	readonly fixed: FixedTokens;
	readonly annotation: Annotation;
	/** The model that the sessions are replayed as. */
	readonly model?: { readonly name: string } | undefined;
	/** Names of the models whose prices follow those of the two kinds of provider in each tally. */
	readonly models: readonly string[];
	/** True if the arms are those of `whatIfArms`. */
	readonly isSweep?: boolean;
}

const EXAMPLES = 20;
/** A session costs more only beyond this share of what it costs without eviction: figures are estimates. */
const MORE_EXPENSIVE = 1.02;

export function createReport(run: Run, options: ReportOptions): Report {
	const { arms, pressure, fixed, annotation } = options;
	const { replays } = run;
	const policies = arms.map((_, arm) => reportPolicy(run, arm, options));
	const formats: Record<string, number> = {};
	for (const { format } of replays) formats[format] = (formats[format] ?? 0) + 1;
	const report = {
		version: 2 as const,
		as: options.model?.name ?? null,
		budget: pressure,
		fixed,
		annotate: annotation,
		interrupted: run.isInterrupted,
		sessions: {
			planned: run.planned,
			replayed: replays.length,
			formats,
			annotated: replays.filter(({ isAnnotated }) => isAnnotated).length,
			pressed: replays.filter(({ isPressed }) => isPressed).length,
		},
		annotationOnly: sumAnnotation(replays),
		problems: run.problems,
		damage: run.damage,
		policies,
		advice: options.isSweep ? advise(policies) : null,
	};
	return { ...report, verdict: describeVerdict(report) };
}

/**
 * Reports on files of rows as one run over all their sessions would; interrupted if rows are missing.
 * @throws CwlError `other-rows` if they are of different replays, `bad-rows`, `not-found`, `not-readable`
 */
export async function mergeReport(paths: readonly string[]): Promise<Report> {
	const { header, outcomes } = await mergeRows<ReportOptions>(paths);
	const { found, planned, settings } = header;
	const isInterrupted = outcomes.size < planned;
	return createReport({ ...runOf(found, outcomes), isInterrupted, planned }, settings);
}

function sumAnnotation(replays: readonly SessionReplay[]): Report["annotationOnly"] {
	const [first, ...others] = replays.flatMap(({ annotationCount }) => annotationCount ?? []);
	if (!first) return null;
	const sum = others.reduce(addUp, first);
	return { ...sum, share: sum.requests === 0 ? null : sum.only / sum.requests };
}

function reportPolicy({ replays }: Run, arm: number, { arms, models }: ReportOptions): PolicyReport {
	const { name: policy = "", budget = 0, isAuto = false } = arms[arm] ?? {};
	const named = (name: string) => arms.findIndex((each) => each.name === name);
	const [paper, none] = [named("paper"), named("none")];
	const resultsOf = (index: number) => replays.flatMap(({ results }) => results[index] ?? []);
	const bySession = replays.flatMap(({ session, results }) => {
		const result = results[arm];
		return result ? [{ session, ...summarize([result], results.slice(none, none + 1), models) }] : [];
	});
	const dearer = bySession.filter(
		({ costComparedToNone: share }) => share !== null && share > MORE_EXPENSIVE,
	);
	const violations = replays.flatMap(({ session, results }) =>
		(results[arm]?.violations.first ?? []).map((violation) => ({ session, ...violation })),
	);
	return {
		policy,
		budget,
		isAuto,
		...summarize(resultsOf(arm), none < 0 ? [] : resultsOf(none), models),
		sessionsMoreExpensive: none < 0 ? null : dearer.length,
		versusPaper: paper < 0 ? null : compare(compared(resultsOf(arm)), compared(resultsOf(paper))),
		violationExamples: violations.slice(0, EXAMPLES),
		bySession,
	};
}

/** The requests under pressure are the same in every arm. */
function compared(results: readonly SessionResult[]): readonly ComparedSession[] {
	return results
		.filter(({ pressed }) => pressed.requests > 0)
		.map(({ pressed, grounding }) => ({ cost: describeTraffic(pressed, []).cost, grounding }));
}

/** `unevicted` are the results of the same sessions without eviction, if there are any. */
function summarize(
	results: readonly SessionResult[],
	unevicted: readonly SessionResult[],
	models: readonly string[],
): Figures {
	const { all, grounding, faults, thinking, ...sums } = sumResults(results, models);
	const pressed = describePressed(sums, models);
	const reference = costOf({ pressed: describePressed(sumResults(unevicted, models), models) });
	return {
		...describeTraffic(all, models),
		pressed,
		faults,
		grounding,
		violations: results.reduce((count, { violations }) => count + violations.count, 0),
		thinking,
		costComparedToNone: reference > 0 ? costOf({ pressed }) / reference : null,
	};
}

function sumResults(results: readonly SessionResult[], models: readonly string[]): Sums {
	return results.reduce<Sums>(addUp, emptySums(models.length + 2));
}

function describePressed({ pressed }: Pick<Sums, "pressed">, models: readonly string[]): Pressed | null {
	if (pressed.requests === 0) return null;
	const { requests, meanContext, overBudget, cachedShare, modeledSeconds, cost, dollars, extraCalls } =
		describeTraffic(pressed, models);
	return { requests, meanContext, overBudget, cachedShare, modeledSeconds, cost, dollars, extraCalls };
}
