/**
 * The state of a session as plain data: what `/cwl report --json` prints. Its `version` rises when it changes. Goal, task, constraints
 * and brief in words as well.
 */
import type { Episode } from "#core/graph";
import type { Pressure } from "#core/health";
import { type BudgetComponent, computeLedger, type Ledger, type RequestAccount } from "#core/ledger";
import type { Decision, FadeAge, Pass, StripLevel } from "#core/log";
import { type PlanInput, type Policy, passEffect, previewPass } from "#core/planning";
import { visibleText } from "#core/transcript";
import type { Goal, SessionState } from "../brief/session-state.ts";
import { type NamedBlocker, nameBlocker } from "../screen/budget-text.ts";
import { shorten } from "../screen/terminal-text.ts";
import { describeSettings, type LoadedSettings } from "../settings/load-settings.ts";
import type { Alert } from "./alert.ts";
import type { DroppedThinking } from "./alerts.ts";
import type { HealthReport, HealthRow } from "./health-report.ts";

/** Tokens are those that we count, unless said otherwise. */
export interface StateReport {
	readonly version: 1;
	readonly settings: Readonly<Record<string, string>>;
	readonly origins: Readonly<Record<string, string>>;
	readonly problems: readonly string[];
	readonly goal: Goal | null;
	/** The active task and the constraints, as the model sees them. */
	readonly state: SessionState;
	/** The checkpoint file of the session; null where there is none. */
	readonly checkpoint: CheckpointReport | null;
	readonly budget: number;
	/** The budget in force and why it is so, in one sentence. */
	readonly budgetReason: string;
	/** The pressure that the footer shows, in the provider's tokens. */
	readonly pressure: Pressure;
	/** The provider's tokens for one token of our count. */
	readonly scale: number;
	/** The next request by component. */
	readonly ledger: Ledger;
	/** Soft limits by component, as shares of the budget: an alert names a component that is over its limit. */
	readonly limits: Partial<Readonly<Record<BudgetComponent, number>>>;
	/** The input of all requests so far, in the provider's tokens. */
	readonly traffic: RequestAccount;
	readonly episodes: readonly EpisodeReport[];
	readonly passes: readonly PassReport[];
	readonly nextPass: NextPassReport;
	readonly health: HealthReport;
	/** Thinking that the provider found invalid, as pi from 0.85 on reports it for Anthropic's own API. */
	readonly droppedThinking: DroppedThinking;
	/** Open ones, the gravest first. */
	readonly alerts: readonly Alert[];
}

export interface CheckpointReport {
	readonly file: string;
	/** The time in ISO 8601; null if the checkpoint cannot be used. */
	readonly savedAt: string | null;
	/** Why a resume would not use it; null if it would. */
	readonly problem: string | null;
}

interface EpisodeReport
	extends Pick<Episode, "name" | "kind" | "origin" | "state" | "dependencies" | "tokens"> {
	readonly description: string | null;
	/** True for unmarked words without a call, which screens count instead of listing them. */
	readonly isAnswer: boolean;
	readonly pinned: boolean;
	/** True if the model marked it to be evicted last. */
	readonly kept: boolean;
	/** 0 while nothing of it was taken. */
	readonly level: StripLevel | 0;
	readonly evictedTokens: number;
}

type FadeReport = { readonly episode: string; readonly age: FadeAge; readonly tokens: number };
type StripReport = { readonly episode: string; readonly level: StripLevel; readonly tokens: number };

interface PassReport extends Pick<Pass, "policy" | "budget" | "before" | "after"> {
	readonly blockers: readonly NamedBlocker[];
	readonly strips: readonly StripReport[];
	/** Outputs that it shows at lower detail. */
	readonly fades: readonly FadeReport[];
	/** Thinking that left because it was bound to what the pass changed. */
	readonly forfeited: number;
	/** The expected cost and savings; null where they were not computed. */
	readonly decision: Decision | null;
}

interface NextPassReport {
	/** Tokens that may still come before it is due. */
	readonly dueIn: number;
	readonly strips: readonly StripReport[];
	readonly fades: readonly FadeReport[];
	readonly freed: number;
	/** Thinking that it would give up. */
	readonly forfeited: number;
	/** Cached tokens that the request after the pass sends again. */
	readonly rewritten: number;
}

/** What a report says as it is, and what it is made from. */
export interface ReportSources
	extends Pick<
		StateReport,
		| "goal"
		| "state"
		| "checkpoint"
		| "budgetReason"
		| "pressure"
		| "scale"
		| "traffic"
		| "health"
		| "droppedThinking"
		| "alerts"
	> {
	readonly loaded: LoadedSettings;
	readonly policy: Policy;
	readonly input: PlanInput;
	readonly log: readonly Pass[];
}

export function reportState({ loaded, policy, input, log, ...said }: ReportSources): StateReport {
	const { graph, view, fixed, budget, pinned } = input;
	const names = new Map(graph.episodes.map(({ id, name }) => [id, name]));
	const strips = (pass: Pass) =>
		pass.strips.map(({ episode, level, tokens }) => ({
			episode: names.get(episode) ?? episode,
			level,
			tokens,
		}));
	const fades = ({ fades = [] }: Pass) =>
		fades.map(({ episode, age, tokens }) => ({ episode: names.get(episode) ?? episode, age, tokens }));
	const { pass, toCome } = previewPass(policy, input);
	const effect = pass ? passEffect(input, pass) : { freed: 0, rewritten: 0 };
	return {
		version: 1,
		settings: describeSettings(loaded.settings),
		origins: loaded.origins,
		problems: loaded.problems,
		budget,
		ledger: computeLedger(graph, view, fixed),
		limits: Object.fromEntries(
			Object.entries(loaded.settings.componentBudgets).map(([name, { soft }]) => [name, soft]),
		),
		...said,
		episodes: graph.episodes.map((episode) => ({
			...{ name: episode.name, kind: episode.kind, origin: episode.origin, state: episode.state },
			tokens: episode.tokens,
			description: episode.description ?? null,
			isAnswer: isUnmarkedAnswer(episode),
			pinned: pinned?.has(episode.id) ?? false,
			kept: episode.isKept === true,
			dependencies: episode.dependencies.map((id) => names.get(id) ?? id),
			level: view.episodes.get(episode.id)?.level ?? 0,
			evictedTokens: view.episodes.get(episode.id)?.removedTokens ?? 0,
		})),
		passes: log.map((made) => {
			const { policy: by, before, after, blockers, forfeited = 0, decision = null } = made;
			return {
				policy: by,
				budget: made.budget,
				before,
				after,
				...{ strips: strips(made), fades: fades(made) },
				blockers: blockers.map(nameBlocker),
				forfeited,
				decision,
			};
		}),
		nextPass: {
			dueIn: toCome,
			...{ strips: pass ? strips(pass) : [], fades: pass ? fades(pass) : [] },
			...effect,
			forfeited: pass?.forfeited ?? 0,
		},
	};
}

/** Returns true for unmarked words without a call: a row of its own would say nothing. */
function isUnmarkedAnswer({ origin, items }: Pick<Episode, "origin" | "items">): boolean {
	const isWords = items.every(({ type }) => type === "text" || type === "reasoning");
	return origin === "inferred" && items.length > 0 && isWords;
}

/** In columns. */
const MAX_DETAIL = 200;

/** One row for each of them that there is. */
export function describeSession({
	goal,
	state,
	checkpoint,
}: Pick<StateReport, "goal" | "state" | "checkpoint">): readonly HealthRow[] {
	const { task, constraints, notedConstraints } = state;
	const all = [...constraints, ...notedConstraints.map((line) => `${line} (noted by the agent)`)];
	return [
		...(goal ? [row("goal", goal.isDone ? "done" : "set", goal.text)] : []),
		...(task === "" ? [] : [row("task", "set", task)]),
		...(all.length === 0 ? [] : [row("constraints", String(all.length), all.join("; "))]),
		...(checkpoint ? [describeBrief(checkpoint)] : []),
	];
}

function describeBrief({ file, savedAt, problem }: NonNullable<StateReport["checkpoint"]>): HealthRow {
	// The reason matters more than the path, which it begins with.
	if (problem !== null) return row("brief", "unused", problem.replace(`${file}: `, ""));
	return row("brief", "fits", `saved ${savedAt ?? ""} in ${file}`);
}

function row(metric: string, value: string, detail: string): HealthRow {
	return { metric, value, detail: shorten(visibleText(detail.replace(/\s+/g, " ")), MAX_DETAIL) };
}
