/** Sums a run up into the figures that `cwl replay --json` prints; docs/replay.md documents them. */
import type { FixedTokens } from "#core/ledger";
import type { Violation } from "../metrics/rules.ts";
import { addUp, describeTraffic, type Traffic } from "../metrics/traffic.ts";
import type { Annotation } from "../recording/annotation.ts";
import type { Run } from "../run/run.ts";
import { emptySums, type SessionResult, type Sums } from "../run/session.ts";
import type { RunSettings } from "../run/setup.ts";
import { type Advice, advise, costOf, describeVerdict } from "./verdict.ts";

export interface Report {
	readonly version: 3;
	/** The answer in a sentence. */
	readonly verdict: string;
	/** Name of the model that the sessions are replayed as. */
	readonly as: string | null;
	/** Tokens; a session is under pressure from the first request whose whole history passes it. */
	readonly budget: number;
	readonly fixed: FixedTokens;
	readonly annotate: Annotation;
	readonly interrupted: boolean;
	readonly sessions: {
		/** Those that could not be replayed, or not before an interrupt, included. */
		readonly planned: number;
		readonly replayed: number;
		/** The number of replayed sessions in each format. */
		readonly formats: Readonly<Record<string, number>>;
		/** Sessions whose episodes `delimiter` calls mark; those of the others are inferred. */
		readonly annotated: number;
		readonly pressed: number;
	};
	readonly problems: Run["problems"];
	readonly damage: Run["damage"];
	readonly policies: readonly PolicyReport[];
	/** The setting to take, where budgets were swept (`--what-if`). */
	readonly advice: Advice | null;
}

/** The figures of one policy over some sessions; `grounding` over requests under pressure only. */
export interface Figures extends Traffic, Pick<Sums, "grounding" | "faults" | "thinking"> {
	/** Over requests under pressure only; null without any. */
	readonly pressed: Traffic | null;
	readonly violations: number;
	/**
	 * Cost over requests under pressure, as a share of what `none` costs there, at the prices of the first model or else
	 * Anthropic-like ones; null when that was not replayed.
	 */
	readonly costComparedToNone: number | null;
}

export interface PolicyReport extends Figures {
	readonly policy: string;
	/** The policy's own budget in tokens; with an automatic budget the most that it may be. */
	readonly budget: number;
	readonly isAuto: boolean;
	/** Sessions that cost over 1.02 times as much under pressure as with `none`; null when that was not replayed. */
	readonly sessionsMoreExpensive: number | null;
	/** The first violations, as examples of what is wrong. */
	readonly violationExamples: readonly (Violation & { readonly session: string })[];
	readonly bySession: readonly (Figures & { readonly session: string })[];
}

const EXAMPLES = 20;
/** A session costs more only beyond this share of what it costs without eviction: figures are estimates. */
const MORE_EXPENSIVE = 1.02;

export function createReport(run: Run, settings: RunSettings): Report {
	const { replays, planned, isInterrupted, problems, damage } = run;
	const policies = settings.arms.map((_, arm) => reportPolicy(run, arm, settings));
	const formats: Record<string, number> = {};
	for (const { format } of replays) formats[format] = (formats[format] ?? 0) + 1;
	const report = {
		version: 3 as const,
		as: settings.as ?? null,
		budget: settings.pressure,
		...{ fixed: settings.fixed, annotate: settings.annotation, interrupted: isInterrupted },
		sessions: {
			...{ planned, replayed: replays.length, formats },
			annotated: replays.filter(({ isAnnotated }) => isAnnotated).length,
			pressed: replays.filter(({ isPressed }) => isPressed).length,
		},
		...{ problems, damage, policies },
		advice: settings.isSweep ? advise(policies) : null,
	};
	return { ...report, verdict: describeVerdict(report) };
}

function reportPolicy({ replays }: Run, arm: number, { arms, models }: RunSettings): PolicyReport {
	const { name: policy = "", budget = 0, isAuto = false } = arms[arm] ?? {};
	const none = arms.findIndex((each) => each.name === "none");
	const resultsOf = (index = -1) => replays.flatMap(({ results }) => results[index] ?? []);
	const unevicted = resultsOf(none);
	const bySession = resultsOf(arm).map((result, i) => ({
		session: replays[i]?.session ?? "",
		...summarize([result], unevicted.slice(i, i + 1), models),
	}));
	const dearer = bySession.filter(({ costComparedToNone }) => (costComparedToNone ?? 0) > MORE_EXPENSIVE);
	const violations = replays.flatMap(({ session, results }) =>
		(results[arm]?.violations.first ?? []).map((violation) => ({ session, ...violation })),
	);
	return {
		...{ policy, budget, isAuto },
		...summarize(resultsOf(arm), unevicted, models),
		sessionsMoreExpensive: none === -1 ? null : dearer.length,
		violationExamples: violations.slice(0, EXAMPLES),
		bySession,
	};
}

/** `unevicted` are the results of the same sessions without eviction, if there are any. */
function summarize(
	results: readonly SessionResult[],
	unevicted: readonly SessionResult[],
	models: readonly string[],
): Figures {
	const sumOf = (all: readonly SessionResult[]) => all.reduce<Sums>(addUp, emptySums(models.length + 2));
	const pressedOf = ({ pressed }: Sums) => (pressed.requests === 0 ? null : describeTraffic(pressed, models));
	const sums = sumOf(results);
	const pressed = pressedOf(sums);
	const reference = costOf({ pressed: pressedOf(sumOf(unevicted)) });
	return {
		...describeTraffic(sums.all, models),
		...{ pressed, faults: sums.faults, grounding: sums.grounding, thinking: sums.thinking },
		violations: results.reduce((count, { violations }) => count + violations.count, 0),
		costComparedToNone: reference > 0 ? costOf({ pressed }) / reference : null,
	};
}
