/** The figures of a run, in the shape that `cwl replay --json` prints; README.md documents it. */
import type { FixedTokens } from "#core";
import { type ComparedSession, type Comparison, compare } from "../metrics/comparison.ts";
import { addGroundings, emptyGrounding, type Grounding } from "../metrics/grounding.ts";
import type { Violation } from "../metrics/rules.ts";
import { addTallies, emptyTally, type Tally } from "../metrics/tally.ts";
import { describePassTimes, describeTraffic, type PassTimes, type Traffic } from "../metrics/traffic.ts";
import type { Annotation, AnnotationCount } from "../replay/annotation.ts";
import type { Chaining } from "../replay/chain.ts";
import type { Run } from "../replay/run.ts";
import type { SessionReplay } from "../replay/session-replay.ts";
import type { SessionResult } from "../replay/session-result.ts";
import { type Advice, advise } from "../replay/what-if.ts";

export interface Report {
	readonly version: 1;
	/** Tokens; a session is under pressure from the first request whose whole history passes it. */
	readonly budget: number;
	readonly fixed: FixedTokens;
	readonly annotate: Annotation;
	readonly chain: Chaining | null;
	readonly interrupted: boolean;
	readonly sessions: {
		/** Those that could not be replayed, or not before an interrupt, included. */
		readonly planned: number;
		readonly replayed: number;
		/** Of those replayed, how many were recorded in which format. */
		readonly formats: Readonly<Record<string, number>>;
		/** Sessions whose episodes `delimiter` calls mark; those of the others are inferred. */
		readonly annotated: number;
		readonly pressed: number;
	};
	/** Replies of the sessions that were recorded with delimiters; null when there is no such session. */
	readonly annotationOnly: (AnnotationCount & { readonly share: number | null }) | null;
	readonly problems: Run["problems"];
	readonly damage: Run["damage"];
	readonly policies: readonly PolicyReport[];
	/** The setting to take, where budgets were swept (`--what-if`). */
	readonly advice: Advice | null;
}

interface Figures extends Traffic {
	readonly passMs: PassTimes;
	/** Over requests under pressure only; null without any. */
	readonly pressed: Pressed | null;
	/** Over requests under pressure only. */
	readonly grounding: Grounding;
	readonly violations: number;
}

type Pressed = Pick<
	Traffic,
	"requests" | "meanContext" | "overBudget" | "cachedShare" | "cost" | "dollars" | "extraCalls"
>;

export interface PolicyReport extends Figures {
	readonly policy: string;
	/** The policy's own budget in tokens. */
	readonly budget: number;
	/** Cost over requests under pressure, as a share of what `paper` costs there; null when that was not replayed. */
	readonly ratioToPaper: { readonly anthropic: number | null; readonly openai: number | null };
	/** The same with intervals, and what is kept less what `paper` keeps; null when that was not replayed. */
	readonly versusPaper: Comparison | null;
	/** The first violations, for a look at what is wrong. */
	readonly violationExamples: readonly (Violation & { readonly session: string })[];
	readonly bySession: readonly (Figures & { readonly session: string })[];
}

export interface ReportOptions {
	readonly arms: readonly { readonly name: string; readonly budget: number }[];
	/** Tokens. */
	readonly pressure: number;
	readonly fixed: FixedTokens;
	readonly annotation: Annotation;
	readonly chaining: Chaining | undefined;
	/** Names of the models whose prices follow those of the two kinds of provider in each tally. */
	readonly models: readonly string[];
	/** Whether the arms are those of `whatIfArms`. */
	readonly isSweep?: boolean;
}

const EXAMPLES = 20;
const REFERENCE = "paper";

export function createReport(run: Run, options: ReportOptions): Report {
	const { arms, pressure, fixed, annotation, chaining } = options;
	const reference = arms.findIndex((arm) => arm.name === REFERENCE);
	const paper = reference < 0 ? undefined : comparedSessions(run, reference);
	const policies = arms.map((_, i) => reportPolicy(run, i, options, paper));
	return {
		version: 1,
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
}

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
): PolicyReport {
	const { name = "", budget = 0 } = options.arms[index] ?? {};
	const versusPaper = paper ? compare(comparedSessions(run, index), paper) : null;
	const violations = run.replays.flatMap(({ session, results }) =>
		(results[index]?.violations.first ?? []).map((violation) => ({ session, ...violation })),
	);
	return {
		policy: name,
		budget,
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
			models,
		),
		grounding: results.map((result) => result.grounding).reduce(addGroundings, emptyGrounding),
		violations: results.reduce((count, { violations }) => count + violations.count, 0),
	};
}

function describePressed(tally: Tally, models: readonly string[]): Pressed | null {
	if (tally.requests === 0) return null;
	const { requests, meanContext, overBudget, cachedShare, cost, dollars, extraCalls } = describeTraffic(
		tally,
		models,
	);
	return { requests, meanContext, overBudget, cachedShare, cost, dollars, extraCalls };
}
