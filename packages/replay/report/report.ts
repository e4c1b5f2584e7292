/** Sums a run up into the figures that `cwl replay --json` prints (docs/replay.md documents them), and into the sentence that a replay begins with. */
import { countOf, formatTokens } from "#basics";
import { policyNames } from "#pi/session";
import { type GroundingCount, type GroundingKind, totalGrounding } from "../metrics/grounding.ts";
import { addUp, describeCosts, describeTraffic, type Traffic } from "../metrics/traffic.ts";
import { median } from "../recording/calibration.ts";
import type { Run } from "../run/run.ts";
import { emptySums, type SessionResult, type Sums } from "../run/session.ts";
import type { RunSettings } from "../run/setup.ts";
import { type Draws, drawSessions, type Interval, intervalOf, projectOf } from "./intervals.ts";

const EXAMPLES = 20;
/** A session costs more only beyond this share of what it costs without eviction: figures are estimates. */
const MORE_EXPENSIVE = 1.02;

export type Report = ReturnType<typeof createReport>;

export function createReport(run: Run, settings: RunSettings) {
	const figures = sumUp(run, settings);
	/** `verdict` is the answer in a sentence. */
	return { ...figures, verdict: describeVerdict(figures) };
}

function sumUp(run: Run, settings: RunSettings) {
	const { replays, planned, isInterrupted, problems, damage } = run;
	const draws = drawSessions(replays.map(({ session }) => projectOf(session)));
	const policies = settings.arms.map((_, arm) => reportPolicy(run, arm, settings, draws));
	const formats: Record<string, number> = {};
	for (const { format } of replays) formats[format] = (formats[format] ?? 0) + 1;
	const marks = replays.flatMap((replay) => replay.marks ?? []);
	const total = marks.length === 0 ? null : marks.reduce(addUp);
	return {
		version: 3 as const,
		/** Name of the model that the sessions are replayed as. */
		as: settings.as ?? null,
		/** Tokens; a session is under pressure from the first request whose whole history passes it. */
		budget: settings.pressure,
		fixed: settings.fixed,
		annotate: settings.annotation,
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
		/** The setting to take, where budgets were swept (`--what-if`). */
		advice: settings.isSweep ? advise(policies) : null,
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

type SessionFigures = ReturnType<typeof summarize>;

function measureIntervals(sessions: readonly SessionFigures[], draws: Draws) {
	const ratio = (above: (of: SessionFigures) => number, below: (of: SessionFigures) => number) =>
		intervalOf(draws, (sum) => {
			const total = (valueIn: (of: SessionFigures) => number) =>
				sum((index) => (sessions[index] ? valueIn(sessions[index]) : 0));
			return total(above) / total(below);
		});
	const noneOf = (of: SessionFigures) => (of.costComparedToNone ? costOf(of) / of.costComparedToNone : 0);
	const kept = (kind: GroundingKind) =>
		ratio(
			({ grounding }) => grounding[kind].kept,
			({ grounding }) => grounding[kind].needed,
		);
	return {
		costComparedToNone: ratio(costOf, noneOf),
		chargedCostComparedToNone: ratio(chargedCostOf, noneOf),
		edit: kept("edit"),
		editCross: kept("editCross"),
		self: kept("self"),
		path: kept("path"),
		ident: kept("ident"),
		conclusion: kept("conclusion"),
	};
}

/** The interval of the cost of one policy as a share of another's, over the same draws of sessions. */
function costInterval(own: PolicyReport, other: PolicyReport): Interval | null {
	const draws = drawSessions(own.bySession.map(({ session }) => projectOf(session)));
	const costIn = (policy: PolicyReport) => (index: number) =>
		costOf(policy.bySession[index] ?? { pressed: null });
	return intervalOf(draws, (sum) => sum(costIn(own)) / sum(costIn(other)));
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
	const reference = costOf({ pressed: pressedOf(sumOf(unevicted)) });
	const comparedToNone = (cost: number) => (reference > 0 ? cost / reference : null);
	return {
		...describeTraffic(sums.all, models),
		/** Over requests under pressure only; null without any. */
		pressed,
		faults: sums.faults,
		grounding: sums.grounding,
		/** Requests under pressure whose recorded step used something that was gone, and what looking again costs. */
		looks,
		thinking: sums.thinking,
		violations: results.reduce((count, { violations }) => count + violations.count, 0),
		/**
		 * Cost over requests under pressure, as a share of what `none` costs there, at the prices of the first model or else
		 * Anthropic-like ones; null when that was not replayed.
		 */
		costComparedToNone: comparedToNone(costOf({ pressed })),
		/** The same with the cost of the looks added. */
		chargedCostComparedToNone: comparedToNone(chargedCostOf({ pressed, looks })),
	};
}

/** The sentences of a verdict, in plain words; one that says why, when there is nothing to compare. */
export function describeVerdict({
	policies,
	sessions,
	budget,
	advice,
}: Pick<ReturnType<typeof sumUp>, "policies" | "sessions" | "budget" | "advice">): string {
	const { replayed, pressed } = sessions;
	const own = `these ${countOf(replayed, "session")}`;
	const all = replayed === 1 ? "this session" : own;
	const limit = `${formatTokens(budget)} tokens`;
	if (replayed === 0) return "No session was replayed.";
	if (pressed === 0) {
		const small = replayed === 1 ? "This session does not outgrow" : `None of ${own} outgrows`;
		return `${small} ${limit}, so no policy has to evict anything: try a smaller budget.`;
	}
	if (advice?.isDefault) return `For ${all} keep the default budget: ${advice.reason}.`;
	if (advice) return `For ${all} set { "cwl": ${advice.setting} }: ${advice.reason}.`;
	const where = replayed === 1 ? "On this session" : `On ${pressed} of ${own} (those that outgrow ${limit})`;
	const cwl = policies.find(({ policy }) => policy.startsWith("cwl"));
	const [other] = baselines(policies);
	if (cwl && other) {
		const kept = compareKept(cwl.grounding, other.policy.grounding);
		const cost = compareTo(costOf(cwl), costOf(other.policy), other.name);
		return `${where} ${cwl.policy} would have cost ${cost}${kept}.${describeDoubt(cwl, other)}`;
	}
	const [cheapest] = byCost(policies);
	return `${where} ${cheapest?.policy} costs least; replay cwl and compaction to compare them.`;
}

/** Says that a difference in cost is none, where drawing other sessions could turn it around; empty otherwise. */
function describeDoubt(
	own: PolicyReport,
	other: { readonly policy: PolicyReport; readonly name: string },
): string {
	const [low, high] = costInterval(own, other.policy) ?? [];
	if (low === undefined || high === undefined || low > 1 || high < 1) return "";
	const share = (ratio: number) => `${Math.round(100 * ratio)} %`;
	return ` That is no difference in cost: other sessions of this kind would cost ${share(low)} to ${share(high)} of ${other.name}.`;
}

/** The choices of a pi user without cwl, the nearest first; a compaction that was never made is no choice. */
function baselines(policies: readonly PolicyReport[]) {
	const compaction = policies.find(
		({ policy, extraCalls }) => /^compaction([:@]|$)/.test(policy) && extraCalls.calls > 0,
	);
	const none = policies.find(({ policy }) => policy === "none");
	return [
		...(compaction ? [{ policy: compaction, name: "pi's own compaction" }] : []),
		...(none ? [{ policy: none, name: "no eviction" }] : []),
	];
}

/** `12 % less than no eviction`. */
export function compareTo(own: number, other: number, name: string): string {
	const difference = other === 0 ? 0 : own / other - 1;
	const rounded = Math.round(100 * Math.abs(difference));
	if (rounded === 0) return `about as much as ${name}`;
	return `${rounded} % ${difference < 0 ? "less" : "more"} than ${name}`;
}

/** Compares charged costs: what a setting evicts has to be looked at again. */
const compareCost = (own: PolicyReport, other: PolicyReport, name = "this one"): string =>
	compareTo(chargedCostOf(own), chargedCostOf(other), name);

/** Edits say most: their old text must be there word for word. Sessions without an edit go by all that was needed. */
function compareKept(own: PolicyReport["grounding"], other: PolicyReport["grounding"]): string {
	const hasEdits = own.edit.needed > 0;
	const what = hasEdits ? "the text that later edits needed" : "what later steps needed";
	const counts = [own, other].map((each) => (hasEdits ? each.edit : totalGrounding(each)));
	if (counts.some(({ needed }) => needed === 0)) return "";
	const [kept, otherKept] = counts.map((count) => `${Math.round(100 * shareOf(count))} %`);
	return ` and kept ${kept === otherKept ? `the same ${kept} of` : `${kept} instead of ${otherKept} of`} ${what}`;
}

/** In dollars of the first model asked for; in uncached input tokens of an Anthropic-like price list without one. */
function costOf({ pressed }: { readonly pressed: Costs | null }): number {
	if (!pressed) return 0;
	return Object.values(pressed.dollars)[0] ?? pressed.cost.anthropic;
}

type Costs = Pick<Traffic, "cost" | "dollars">;

/** The cost with that of the looks, in the same unit. */
function chargedCostOf({
	pressed,
	looks,
}: {
	readonly pressed: Costs | null;
	readonly looks: Costs;
}): number {
	return costOf({ pressed }) + costOf({ pressed: looks });
}

function byCost(policies: readonly PolicyReport[]): readonly PolicyReport[] {
	return policies.toSorted((a, b) => chargedCostOf(a) - chargedCostOf(b));
}

export function shareOf({ needed, kept }: GroundingCount): number {
	return needed === 0 ? 0 : kept / needed;
}

const keptOf = ({ grounding }: PolicyReport) => shareOf(totalGrounding(grounding));

/** How much of what keeps most may be lost for a lower price: a share of all needs. */
const TOLERANCE = 0.01;

/**
 * The cheapest of the settings that live sessions have which stays within its budget and keeps nearly as many needs as the
 * one that keeps most; the default where that is nearly as cheap. Null where the sessions say nothing: none of them outgrows
 * a budget, or no later step needed anything.
 */
export function advise(policies: readonly PolicyReport[]) {
	const settable = policies.filter((policy) => settingOf(policy) !== undefined);
	const held = settable.filter(({ pressed }) => pressed?.overBudget === 0);
	const candidates = byCost((held.length > 0 ? held : settable).filter(({ pressed }) => pressed !== null));
	const [best] = candidates.toSorted((a, b) => keptOf(b) - keptOf(a));
	if (!best || totalGrounding(best.grounding).needed === 0) return null;
	const enough = candidates.filter((each) => keptOf(each) >= keptOf(best) - TOLERANCE);
	const cheapest = enough[0] ?? best;
	const usual = candidates.find(({ isAuto }) => isAuto);
	const isUsualAsGood =
		usual !== undefined &&
		enough.includes(usual) &&
		chargedCostOf(usual) <= (1 + AS_CHEAP) * chargedCostOf(cheapest);
	const chosen = isUsualAsGood ? usual : cheapest;
	const others = [
		...(usual && usual !== chosen ? [{ policy: usual, name: "the default" }] : []),
		...baselines(policies),
	];
	const costs = others.map(({ policy, name }) => compareCost(chosen, policy, name));
	const price = costs.length === 0 ? "" : `costs ${joinWords(costs)}, and `;
	return {
		/** `setting` is to paste, as JSON under the key `cwl`. */
		policy: chosen.policy,
		budget: chosen.budget,
		setting: settingOf(chosen) ?? "",
		/** The default is the advice: no setting is needed. */
		isDefault: chosen.isAuto,
		reason: `it ${price}keeps ${percent(keptOf(chosen))} of what later steps needed`,
	};
}

/** A default that costs at most this share more than the cheapest setting is as good. */
const AS_CHEAP = 0.02;

/** `a`, `a and b`, `a, b and c`. */
function joinWords(words: readonly string[]): string {
	const last = words.at(-1) ?? "";
	return words.length < 2 ? last : `${words.slice(0, -1).join(", ")} and ${last}`;
}

/** Names of the arms, as the setting `lowWater` calls them. */
const lowWaterNames: Readonly<Record<string, string>> = {
	"cwl-economy": "economy",
	cwl: "balanced",
	"cwl-quality": "quality",
};

/** Undefined for a policy that only a replay knows, or one with knobs of its own. */
function settingOf({ policy, budget, isAuto }: PolicyReport): string | undefined {
	if (isAuto) return '{ "budget": "auto" }';
	const [name = ""] = policy.split("@");
	const start = `{ "budget": "${formatTokens(budget)}"`;
	const lowWater = lowWaterNames[name];
	if (lowWater !== undefined) return `${start}, "lowWater": "${lowWater}" }`;
	return policyNames().includes(name) ? `${start}, "policy": "${name}" }` : undefined;
}

function percent(share: number): string {
	return `${(100 * share).toFixed(1)} %`;
}
