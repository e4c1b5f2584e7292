/**
 * The state of a session as plain data: what `/cwl report --json` prints. Its `version` rises when it changes. Goal, task, constraints
 * and brief in words as well.
 */
import type { Pressure } from "#core/health";
import { computeLedger, type RequestAccount } from "#core/ledger";
import type { Pass } from "#core/log";
import { type PlanInput, type Policy, passEffect, previewNextTurn, previewPass } from "#core/planning";
import { type Item, visibleText } from "#core/transcript";
import type { LoadedBrief } from "../brief/brief-file.ts";
import { constraintLines, type Goal, type SessionState } from "../brief/goal-and-constraints.ts";
import { nameBlocker } from "../screen/budget-text.ts";
import { countOf } from "../screen/figures.ts";
import { shorten } from "../screen/terminal-text.ts";
import { describeSettings, type LoadedSettings } from "../settings/load-settings.ts";
import type { Alert } from "./alert.ts";
import type { DroppedThinking } from "./alerts.ts";
import type { HealthReport, HealthRow } from "./health-report.ts";

/** The parts that a report repeats as they are, and those that the rest of it is made from. */
interface ReportSources {
	readonly goal: Goal | null;
	/** The active task and the constraints, as the model sees them. */
	readonly state: SessionState;
	/** The brief of the session, or the checkpoint of an earlier version; null where there is none. */
	readonly checkpoint: Pick<LoadedBrief, "file" | "savedAt" | "problem"> | null;
	/** The budget in force and why it is so, in one sentence. */
	readonly budgetReason: string;
	/** The pressure that the footer shows, in the provider's tokens. */
	readonly pressure: Pressure;
	/** The provider's tokens for one token of our count. */
	readonly scale: number;
	/** The input of all requests so far, in the provider's tokens. */
	readonly traffic: RequestAccount;
	readonly health: HealthReport;
	/** Thinking that the provider found invalid, as pi from 0.85 on reports it for Anthropic's own API. */
	readonly droppedThinking: DroppedThinking;
	/** Open ones, the gravest first. */
	readonly alerts: readonly Alert[];
	readonly loaded: LoadedSettings;
	readonly policy: Policy;
	readonly input: PlanInput;
	readonly log: readonly Pass[];
}

/** Tokens are those that we count, unless said otherwise. */
export type StateReport = ReturnType<typeof reportState>;

export function reportState({ loaded, policy, input, log, ...facts }: ReportSources) {
	const { graph, view, fixed, budget, pinned } = input;
	const names = new Map(graph.episodes.map(({ id, name }) => [id, name]));
	const nameOf = (id: string): string => names.get(id) ?? id;
	/** The strips of a pass, and the outputs that it shows at lower detail. */
	const changes = ({ strips, fades = [] }: Pick<Pass, "strips" | "fades">) => ({
		strips: strips.map(({ episode, level, tokens }) => ({ episode: nameOf(episode), level, tokens })),
		fades: fades.map(({ episode, age, tokens }) => ({ episode: nameOf(episode), age, tokens })),
	});
	const origins: Readonly<Record<string, string>> = loaded.origins;
	const { pass, toCome } = previewPass(policy, input);
	const next = previewNextTurn(policy, input);
	return {
		version: 1 as const,
		settings: describeSettings(loaded.settings),
		origins,
		problems: loaded.problems,
		budget,
		/** The next request by component. */
		ledger: computeLedger(graph, view, fixed),
		...facts,
		episodes: graph.episodes.map((episode) => {
			const { name, kind, origin, state, tokens, description = null, dependencies, items } = episode;
			const { level, removedTokens = 0 } = view.episodes.get(episode.id) ?? {};
			return {
				...{ name, kind, origin, state, tokens, description },
				/** True for unmarked words without a call: a row of its own would say nothing, so screens count them. */
				isAnswer: origin === "inferred" && items.length > 0 && items.every(isWords),
				pinned: pinned?.has(episode.id) ?? false,
				/** True if the model marked it to be evicted last. */
				kept: episode.isKept === true,
				dependencies: dependencies.map(nameOf),
				/** 0 while nothing of it was taken. */
				level: level ?? (0 as const),
				evictedTokens: removedTokens,
			};
		}),
		passes: log.map(({ policy: by, budget: limit, before, after, blockers, ...made }) => ({
			...{ policy: by, budget: limit, before, after },
			...changes(made),
			blockers: blockers.map(nameBlocker),
			/** Thinking that left because it was bound to what the pass changed. */
			forfeited: made.forfeited ?? 0,
			/** The expected cost and savings; null where they were not computed. */
			decision: made.decision ?? null,
		})),
		nextPass: {
			/** Tokens that may still come before it is due. */
			dueIn: toCome,
			...changes(pass ?? { strips: [] }),
			/** Tokens that it frees, and cached tokens that the request after it sends again. */
			...(pass ? passEffect(input, pass) : { freed: 0, rewritten: 0 }),
			/** Tokens that a pass with the user's next message would free; 0 where that brings none. */
			freedWithMessage: next ? next.before - next.after : 0,
			/** Thinking that it would give up. */
			forfeited: pass?.forfeited ?? 0,
		},
	};
}

const isWords = ({ type }: Item) => type === "text" || type === "reasoning";

/** In columns. */
const MAX_DETAIL = 200;

/** One row for each of them that there is. */
export function describeSession(
	session: Pick<StateReport, "goal" | "state" | "checkpoint" | "pressure">,
): readonly HealthRow[] {
	const { goal, checkpoint } = session;
	const { file, problem, savedAt } = checkpoint ?? { file: "", problem: null, savedAt: null };
	const { zone, turnsToRed } = session.pressure;
	const { task } = session.state;
	const all = constraintLines(session.state);
	const isNear = turnsToRed !== undefined && turnsToRed > 0 && turnsToRed < 100;
	const toRed = isNear ? `red within about ${countOf(turnsToRed, "request")}, if no pass comes before` : "";
	return [
		row("zone", zone, toRed),
		...(goal ? [row("goal", goal.isDone ? "done" : "set", goal.text)] : []),
		...(task === "" ? [] : [row("task", "set", task)]),
		...(all.length === 0 ? [] : [row("constraints", String(all.length), all.join("; "))]),
		// The reason matters more than the path, which it begins with.
		...(problem !== null ? [row("brief", "unused", problem.replace(`${file}: `, ""))] : []),
		...(savedAt !== null ? [row("brief", "fits", `saved ${savedAt} in ${file}`)] : []),
	];
}

function row(metric: string, value: string, detail: string): HealthRow {
	return { metric, value, detail: shorten(visibleText(detail.replace(/\s+/g, " ")), MAX_DETAIL) };
}
