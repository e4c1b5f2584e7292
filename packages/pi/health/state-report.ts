/**
 * The state of a session as plain data: what `/cwl report --json` prints. Its `version` rises when it changes. Goal, task, constraints
 * and brief in words as well.
 */
import { countOf, sum, visibleText } from "#basics";
import { componentOf, type Episode, type EpisodeComponent, type Graph } from "#core/graph";
import type { Pressure } from "#core/health";
import { computeLedger, leftOf, type RequestAccount, sealedIn } from "#core/ledger";
import { createNamer, createNetSizes } from "#core/log";
import type { PlanInput } from "#core/planning";
import { RECALL } from "#core/recall";
import type { Item } from "#core/transcript";
import type { LoadedBrief } from "../brief/brief-file.ts";
import { constraintLines, type Goal, type SessionState } from "../brief/goal-and-constraints.ts";
import { customPartsOf, type HostMessage, RECALL_MESSAGE } from "../codec/host-message.ts";
import { episodeSizes, passSizes, type Sizes } from "../screen/sizes.ts";
import { shorten } from "../screen/terminal-text.ts";
import { type NumberedPass, passesIn } from "../session/read-pass.ts";
import { describeSettings, type LoadedSettings } from "../settings/load-settings.ts";
import type { Alert } from "./alert.ts";
import type { DroppedThinking } from "./alerts.ts";
import type { HealthReport, HealthRow } from "./health-report.ts";
import type { NextPass } from "./next-passes.ts";
import { createPassReader, describeReasons } from "./pass-parts.ts";
import { measureRewrite, type Rewrites } from "./rewrites.ts";

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
	/** Model calls of the session so far, on all branches, pi's own such as a compaction included. */
	readonly requests: number;
	/** The input of all requests so far, in the provider's tokens. */
	readonly traffic: RequestAccount;
	readonly health: HealthReport;
	/** Thinking that the provider found invalid, as pi from 0.85 on reports it for Anthropic's own API. */
	readonly droppedThinking: DroppedThinking;
	/** Open ones, the gravest first. */
	readonly alerts: readonly Alert[];
	/** The passes to come, the nearest first; none while CWL is off. */
	readonly nextPasses: readonly NextPass[];
	readonly loaded: LoadedSettings;
	readonly input: PlanInput;
	/** The messages that the input was read from. */
	readonly messages: readonly HostMessage[];
	/** The session from its beginning, what a compaction hides included. */
	readonly whole: Pick<Graph, "episodes" | "reasoning">;
	readonly log: readonly NumberedPass[];
	/** The tokens that requests wrote to the cache again because of these passes, as the provider reported it. */
	readonly rewrites: Rewrites;
}

/** Tokens are the provider's, estimated while `pressure.source` says so. */
export type StateReport = ReturnType<typeof reportState>;

export function reportState({
	loaded,
	input,
	messages,
	whole,
	log,
	rewrites,
	sizes,
	...facts
}: ReportSources) {
	const { graph, view, pinned } = input;
	const nameOf = createNamer(whole);
	const reader = createPassReader(whole);
	const origins: Readonly<Record<string, string>> = loaded.origins;
	return {
		version: 2 as const,
		settings: describeSettings(loaded.settings),
		origins,
		problems: loaded.problems,
		/** The next request by component. */
		ledger: reportLedger(input, facts.pressure.used, sizes),
		...facts,
		episodes: graph.episodes.map((episode) => {
			const { name, kind, origin, state, tokens, description = null, dependencies, items } = episode;
			const { level = 0 } = view.episodes.get(episode.id) ?? {};
			const { whole: size, left } = episodeSizes(episode, input, sizes);
			const isRecall = isRecalledNote(messages, items);
			// A note may have the id of an older one of the same words.
			const own = items.find(({ type }) => type !== "note");
			const wholeName = own ? nameOf({ episode: episode.id, item: own.id }) : name;
			return {
				name,
				/** The episode that it is the rest of, where a compaction summarized the beginning of that one; else null. */
				restOf: wholeName === name ? null : wholeName,
				kind,
				origin,
				state,
				tokens: size,
				description,
				/** True for unmarked words and notes without a call: a row of its own would say nothing, so screens show only the size of all of them. */
				isAnswer: isOtherText(episode, messages),
				/** True for what a recall brought back, by a command or by the model. */
				isRecall,
				pinned: pinned?.has(episode.id) ?? false,
				/** True if the model marked it to be evicted last. */
				kept: episode.isKept === true,
				dependencies,
				/** 0 while nothing of it was taken, 4 once all of it has left. */
				level: tokens > 0 && leftOf(episode, view) === 0 ? 4 : level === 4 ? 3 : level,
				evictedTokens: size - left,
			};
		}),
		passes: passesIn(log.map(createNetSizes())).map((pass) => reportPass(pass, reader, sizes, rewrites)),
	};
}

/** Returns true for the items of an episode that holds nothing but what a recall brought back, by a command or by the model. */
export function isRecalledNote(messages: readonly HostMessage[], items: readonly Item[]): boolean {
	const isRecalled = (item: Item) => {
		const message = messages[item.message];
		const isCommands = message && customPartsOf(message)?.customType === RECALL_MESSAGE;
		return isCommands || (item.type === "call" && item.tool === RECALL);
	};
	return (
		items.some(isRecalled) &&
		items.every((item) => isWords(item) || isRecalled(item) || item.type === "result")
	);
}

/** The row of unmarked words and notes between the episodes, which have none of their own. */
export const OTHER_TEXT = "other text";

function isOtherText({ origin, items }: Episode, messages: readonly HostMessage[]): boolean {
	const isText = origin === "inferred" && items.length > 0 && items.every(isWords);
	return isText && !isRecalledNote(messages, items);
}

/** The names of the episodes that are other text. */
export function otherTextIn({ episodes }: Pick<Graph, "episodes">, messages: readonly HostMessage[]) {
	return new Set(episodes.filter((each) => isOtherText(each, messages)).map(({ name }) => name));
}

/** A pass as its log has it, with names in place of ids. */
function reportPass(
	pass: NumberedPass,
	reader: ReturnType<typeof createPassReader>,
	sizes: Sizes,
	rewrites: Rewrites,
) {
	const { number, policy } = pass;
	const { reported, isKnown, part } = passSizes(pass, sizes);
	const { part: partOf } = reader.sizesOf(pass, sizes);
	const { blockers, decision } = describeReasons(pass, part);
	const { sent, cached, rewritten } = measureRewrite(number, rewrites);
	return {
		/** Its number among all passes of the branch, also those that were taken back. */
		number,
		policy,
		...reported,
		isKnown,
		/** The size of its request as the provider reported it, which `after` estimated; null where that is not known. */
		sent,
		...reader.partsOf(pass, partOf),
		blockers,
		decision,
		/**
		 * Tokens that its request wrote to the cache again, as the provider reported it; null where that is not known, where another pass has the
		 * figure, and where `/cwl off`, `/cwl on` or a compaction had all of it written.
		 */
		rewritten,
		/** Tokens of its request that came from the provider's cache; null where that is not known. */
		cached,
	};
}

/** The parts of the next request, which total its size. */
function reportLedger({ graph, view, fixed, model }: PlanInput, used: number, sizes: Sizes) {
	const { system, tools, prologue, user, expl, act, unannotated, markers } = computeLedger({
		graph,
		view,
		fixed,
	});
	const { part } = sizes;
	const own = { system: part(system), tools: part(tools) };
	const sealedOf = (component: EpisodeComponent) => {
		const episodes = graph.episodes.filter((episode) => componentOf(graph, episode) === component);
		return sealedIn(
			episodes.flatMap(({ items }) => items.filter(({ id }) => !view.removed.has(id))),
			model,
		);
	};
	const messages = {
		prologue: part(prologue),
		user: part(user),
		expl: part(expl, sealedOf("expl")),
		act: part(act, sealedOf("act")),
		unannotated: part(unannotated, sealedOf("unannotated")),
		/** Lines that replace evicted episodes, one by one or folded. */
		markers: part(markers),
	};
	const room = used - own.system - own.tools;
	const parts = { ...own, ...fitParts(messages, room) };
	/** `unassigned`: the framing of a request, and the error of our count; below 0 only where system prompt and tools alone exceed the request. */
	return { ...parts, unassigned: Math.max(0, room - sumOf(messages)) + Math.min(0, room), total: used };
}

const sumOf = (parts: Readonly<Record<string, number>>) => sum(Object.values(parts));

/** Parts that sum to more than `room` share the difference by their size, so that they sum to it; others stay as they are. */
export function fitParts<Name extends string>(
	parts: Readonly<Record<Name, number>>,
	room: number,
): Readonly<Record<Name, number>> {
	const total = sumOf(parts);
	if (total <= room) return parts;
	const factor = Math.max(0, room) / total;
	const fitted: Record<Name, number> = { ...parts };
	let seen = 0;
	for (const name in parts) {
		const start = Math.round(factor * seen);
		seen += parts[name];
		fitted[name] = Math.round(factor * seen) - start;
	}
	return fitted;
}

const isWords = ({ type }: Item) => type === "text" || type === "reasoning" || type === "note";

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
