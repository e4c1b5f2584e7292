/** Sums a run up into the figures that `cwl replay --json` prints (docs/replay.md documents them). */
import { sum } from "#basics";
import type { Grounding, GroundingCount } from "../metrics/grounding.ts";
import { addUp, describeCosts, describeTraffic, type Traffic } from "../metrics/traffic.ts";
import { median } from "../recording/calibration.ts";
import type { Run } from "../run/run.ts";
import { emptySums, type SessionResult, type Sums } from "../run/session.ts";
import type { RunSettings } from "../run/setup.ts";
import {
	type Draws,
	drawSessions,
	type Interval,
	intervalOf,
	projectOf,
	type SumOfDraw,
} from "./intervals.ts";

const EXAMPLES = 20;
/** A session costs more only beyond this share of what it costs without eviction: figures are estimates. */
const MORE_EXPENSIVE = 1.02;

export type Figures = ReturnType<typeof sumUp>;

export function sumUp(run: Run, settings: RunSettings) {
	const { replays, planned, isInterrupted, problems, damage } = run;
	const draws = drawSessions(replays.map(({ session }) => projectOf(session)));
	const policies = settings.arms.map((_, arm) => reportPolicy(run, arm, settings, draws));
	const formats: Record<string, number> = {};
	for (const { format } of replays) formats[format] = (formats[format] ?? 0) + 1;
	const marks = replays.flatMap((replay) => replay.marks ?? []);
	const total = marks.length === 0 ? null : marks.reduce(addUp);
	return {
		version: 4 as const,
		/** Name of the model that the sessions are replayed as. */
		as: settings.as ?? null,
		/** Tokens; a session is under pressure from the first request whose whole history passes it. */
		budget: settings.pressure,
		fixed: settings.fixed,
		interrupted: isInterrupted,
		sessions: {
			/** `planned` counts those that could not be replayed, or not before an interrupt, too. */
			planned,
			replayed: replays.length,
			formats,
			/** Sessions whose episodes `delimiter` calls mark; those of the others are inferred. */
			annotated: replays.filter(({ isAnnotated }) => isAnnotated).length,
			pressed: replays.filter(({ isPressed }) => isPressed).length,
		},
		/** The provider's tokens, compared with ours, where files record its usage; null if none does. */
		calibration: describeCalibration(replays),
		/** How well the models marked their work: sums over the sessions with marks, `share` their mean; null without any. */
		marks: total && { ...total, share: total.share / marks.length },
		problems,
		damage,
		policies,
	};
}

/** Sizes, budgets and prices of the sessions listed are in the provider's tokens; those of the others in ours. */
function describeCalibration(replays: Run["replays"]) {
	const bySession = replays.flatMap(({ session, scale }) => (scale ? [{ session, ...scale }] : []));
	const factors = bySession.map(({ factor }) => factor);
	if (factors.length === 0) return null;
	return {
		/** The provider's tokens for one of ours, in text: the median of the sessions, the least and the most. */
		factor: { median: median(factors), least: Math.min(...factors), most: Math.max(...factors) },
		/** Tokens of the recorded prompts and tools: the median. */
		overhead: median(bySession.map(({ overhead }) => overhead)),
		bySession,
	};
}

export type PolicyReport = ReturnType<typeof reportPolicy>;

function reportPolicy({ replays }: Run, arm: number, { arms, models }: RunSettings, draws: Draws) {
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
		/** `budget` is the policy's own in tokens; with an automatic budget the most that it may be. */
		policy,
		budget,
		isAuto,
		...summarize(resultsOf(arm), unevicted, models),
		/** 95 % intervals, from drawing projects and then sessions with replacement; null where sessions are too few. */
		intervals: measureIntervals(bySession, draws),
		/** Sessions that cost over 1.02 times as much under pressure as with `none`; null when that was not replayed. */
		sessionsMoreExpensive: none === -1 ? null : dearer.length,
		/** The first violations, as examples of what is wrong. */
		violationExamples: violations.slice(0, EXAMPLES),
		bySession,
	};
}

export type SessionFigures = ReturnType<typeof summarize>;

/** The two parts of a figure that is a ratio of sums over sessions. */
export type Parts = readonly [above: number, below: number];

const costOfNone = ({ costComparedToNone, pressed }: SessionFigures) =>
	costComparedToNone ? costOf(pressed) / costComparedToNone : 0;

const keptOf =
	(kind: keyof Grounding) =>
	({ grounding }: SessionFigures): Parts => [grounding[kind].kept, grounding[kind].needed];

/** The figures with intervals, over requests under pressure. */
export const ratios = {
	costComparedToNone: (of: SessionFigures): Parts => [costOf(of.pressed), costOfNone(of)],
	chargedCostComparedToNone: (of: SessionFigures): Parts => [chargedCostOf(of), costOfNone(of)],
	edit: keptOf("edit"),
	own: keptOf("own"),
	name: keptOf("name"),
	conclusion: keptOf("conclusion"),
};

/** The ratio over sessions that `sum` adds up. */
export const ratioOf = (parts: readonly Parts[], sum: SumOfDraw): number =>
	sum((session) => parts[session]?.[0] ?? 0) / sum((session) => parts[session]?.[1] ?? 0);

function measureIntervals(sessions: readonly SessionFigures[], draws: Draws) {
	const intervals = Object.entries(ratios).map(([name, partsOf]) => {
		const parts = sessions.map(partsOf);
		return [name, intervalOf(draws, (sum) => ratioOf(parts, sum))];
	});
	// Object.fromEntries knows no literal keys.
	const byName: Readonly<Record<keyof typeof ratios, Interval | null>> = Object.fromEntries(intervals);
	return byName;
}

/**
 * The figures of one policy over some sessions; `grounding` over requests under pressure only. `unevicted` are the results
 * of the same sessions without eviction, if there are any.
 */
function summarize(
	results: readonly SessionResult[],
	unevicted: readonly SessionResult[],
	models: readonly string[],
) {
	const sumOf = (all: readonly SessionResult[]) => all.reduce<Sums>(addUp, emptySums(models.length + 2));
	const pressedOf = ({ pressed }: Sums) => (pressed.requests === 0 ? null : describeTraffic(pressed, models));
	const sums = sumOf(results);
	const pressed = pressedOf(sums);
	const { count, tokens, costs } = sums.looks;
	const looks = { count, tokens, ...describeCosts(costs, models) };
	const reference = costOf(pressedOf(sumOf(unevicted)));
	const comparedToNone = (cost: number) => (reference > 0 ? cost / reference : null);
	return {
		...describeTraffic(sums.all, models),
		/** Over requests under pressure only; null without any. */
		pressed,
		grounding: sums.grounding,
		/** Requests under pressure whose recorded step used something that was gone, and what looking again costs. */
		looks,
		thinking: sums.thinking,
		violations: sum(results, ({ violations }) => violations.count),
		/**
		 * Cost over requests under pressure, as a share of what `none` costs there, at the prices of the first model or else
		 * Anthropic-like ones; null when that was not replayed.
		 */
		costComparedToNone: comparedToNone(costOf(pressed)),
		/** The same with the cost of the looks added. */
		chargedCostComparedToNone: comparedToNone(chargedCostOf({ pressed, looks })),
	};
}

/** In dollars of the first model asked for; in uncached input tokens of an Anthropic-like price list without one. */
export function costOf(figures: Costs | null): number {
	if (!figures) return 0;
	return Object.values(figures.dollars)[0] ?? figures.cost.anthropic;
}

type Costs = Pick<Traffic, "cost" | "dollars">;

/** The cost with that of the looks, in the same unit. */
export function chargedCostOf({
	pressed,
	looks,
}: {
	readonly pressed: Costs | null;
	readonly looks: Costs;
}): number {
	return costOf(pressed) + costOf(looks);
}

/** The share of some needs that a request still showed; 0 without any. */
export function shareOf({ needed, kept }: GroundingCount): number {
	return needed === 0 ? 0 : kept / needed;
}
