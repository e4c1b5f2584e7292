/**
 * The state of a session as plain data: what `/cwl report --json` prints. Its `version` rises when it changes. Goal, task, constraints
 * and brief in words as well.
 */
import { countOf } from "#basics";
import type { Pressure } from "#core/health";
import { computeLedger, type RequestAccount } from "#core/ledger";
import type { PlanInput, Policy } from "#core/planning";
import { type Item, visibleText } from "#core/transcript";
import type { LoadedBrief } from "../brief/brief-file.ts";
import { constraintLines, type Goal, type SessionState } from "../brief/goal-and-constraints.ts";
import { nameBlocker } from "../screen/budget-text.ts";
import { passSizes, reportDecision, type Sizes } from "../screen/sizes.ts";
import { shorten } from "../screen/terminal-text.ts";
import type { NumberedPass } from "../session/read-pass.ts";
import { describeSettings, type LoadedSettings } from "../settings/load-settings.ts";
import type { Alert } from "./alert.ts";
import type { DroppedThinking } from "./alerts.ts";
import type { HealthReport, HealthRow } from "./health-report.ts";
import { reportNextPasses } from "./next-passes.ts";

/** The parts that a report repeats as they are, and those that the rest of it is made from. */
interface ReportSources {
	readonly goal: Goal | null;
	/** The active task and the constraints, as the model sees them. */
	readonly state: SessionState;
	/** The brief of the session; null where there is none. */
	readonly checkpoint: Pick<LoadedBrief, "file" | "savedAt" | "problem"> | null;
	/** The budget in force and why it is so, in one sentence. */
	readonly budgetReason: string;
	/** The pressure that the footer shows, in the provider's tokens. */
	readonly pressure: Pressure;
	readonly sizes: Sizes;
	/** Answers of the branch so far. */
	readonly requests: number;
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
	readonly log: readonly NumberedPass[];
}

/** Tokens are the provider's, estimated while `pressure.source` says so. */
export type StateReport = ReturnType<typeof reportState>;

export function reportState({ loaded, policy, input, log, sizes, ...facts }: ReportSources) {
	const { graph, view, pinned } = input;
	const names = new Map(graph.episodes.map(({ id, name }) => [id, name]));
	const nameOf = (id: string): string => names.get(id) ?? id;
	const origins: Readonly<Record<string, string>> = loaded.origins;
	return {
		version: 1 as const,
		settings: describeSettings(loaded.settings),
		origins,
		problems: loaded.problems,
		/** The next request by component, which add up to its size. */
		ledger: reportLedger(input, facts.pressure.used, sizes),
		...facts,
		episodes: graph.episodes.map((episode) => {
			const { name, kind, origin, state, tokens, description = null, dependencies, items } = episode;
			const { level, removedTokens = 0 } = view.episodes.get(episode.id) ?? {};
			return {
				name,
				kind,
				origin,
				state,
				tokens: sizes.part(tokens),
				description,
				/** True for unmarked words without a call: a row of its own would say nothing, so screens count them. */
				isAnswer: origin === "inferred" && items.length > 0 && items.every(isWords),
				pinned: pinned?.has(episode.id) ?? false,
				/** True if the model marked it to be evicted last. */
				kept: episode.isKept === true,
				dependencies: dependencies.map(nameOf),
				/** 0 while nothing of it was taken. */
				level: level ?? (0 as const),
				evictedTokens: sizes.part(removedTokens),
			};
		}),
		passes: log.map((pass) => reportPass(pass, nameOf, sizes)),
		/** The passes to come, the nearest first. */
		nextPasses: reportNextPasses(policy, input, sizes),
	};
}

/** A pass as its log has it, with names in place of ids. */
function reportPass(pass: NumberedPass, nameOf: (id: string) => string, sizes: Sizes) {
	const { policy, blockers, strips, reductions = [], forfeited = 0, decision } = pass;
	const { reported, isKnown, part } = passSizes(pass, sizes);
	return {
		/** As it was made with: a pass that was taken back keeps its number. */
		number: pass.number,
		policy,
		...reported,
		isKnown,
		strips: strips.map(({ episode, level, tokens }) => ({
			episode: nameOf(episode),
			level,
			tokens: part(tokens),
		})),
		reductions: reductions.map(({ episode, form, tokens }) => ({
			episode: nameOf(episode),
			form,
			tokens: part(tokens),
		})),
		blockers: blockers.map((blocker) => ({ ...nameBlocker(blocker), tokens: part(blocker.tokens) })),
		/** Thinking that left because it was bound to what the pass changed. */
		forfeited: part(forfeited),
		/** The expected cost and savings; null where they were not computed. */
		decision: decision ? reportDecision(decision, part) : null,
	};
}

/** The framing of a request, which no part of it has, belongs to the system prompt. */
function reportLedger({ graph, view, fixed }: PlanInput, used: number, sizes: Sizes) {
	const { system, tools, prologue, user, expl, act, unannotated, markers } = computeLedger(
		graph,
		view,
		fixed,
	);
	const { part } = sizes;
	return {
		system: sizes.fixed(system),
		tools: part(tools),
		prologue: part(prologue),
		user: part(user),
		expl: part(expl),
		act: part(act),
		unannotated: part(unannotated),
		/** Lines that stand for evicted episodes, one by one or folded. */
		markers: part(markers),
		total: used,
	};
}

const isWords = ({ type }: Item) => type === "text" || type === "reasoning";

/** The unit is columns. */
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
