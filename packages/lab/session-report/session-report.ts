/** A session as a report shows it: plain data, read from its file alone. `version` rises when its shape changes. */
import {
	type Decision,
	defaultToolTable,
	type Episode,
	type Graph,
	type Ledger,
	measureHealth,
	type Pass,
	type StripLevel,
	type View,
} from "#core";
import {
	type Alert,
	type CountedAnswer,
	type CountTokens,
	createManagedSession,
	findAlerts,
	type HealthReport,
	inputTokens,
	measureFidelity,
	modelName,
	type NamedBlocker,
	nameBlocker,
	type OldSession,
	readHistory,
	readLogEntries,
	reportHealth,
} from "#pi";
import type { PriceList } from "../metrics/prices.ts";
import { openRecording } from "../recording/recording.ts";
import { type CostArm, compareCosts } from "./costs.ts";

/** Tokens are those that we count, unless said otherwise. */
export interface SessionReport {
	readonly version: 1;
	readonly session: string;
	readonly folder: string;
	/** `provider/model` of the last answer. */
	readonly model: string | null;
	readonly budget: number;
	readonly requests: readonly RequestRow[];
	readonly passes: readonly PassRow[];
	readonly episodes: readonly EpisodeRow[];
	readonly health: HealthReport;
	readonly alerts: readonly Alert[];
	readonly costs: { readonly unit: string; readonly arms: readonly CostArm[] };
}

export interface RequestRow {
	readonly ledger: Ledger;
	/** As the provider reported it, in its tokens; 0 where it reported none. */
	readonly input: number;
	readonly cached: number;
	/** Passes that held by then. */
	readonly passes: number;
}

export interface PassRow extends Pick<Pass, "policy" | "budget" | "before" | "after"> {
	readonly blockers: readonly NamedBlocker[];
	readonly number: number;
	/** The request that it was made for, counted from 0; null when none came after it. */
	readonly request: number | null;
	readonly episodes: readonly StripRow[];
	readonly decision: Decision | null;
	/** Tokens of it that were read again since. */
	readonly regretted: number;
}

export interface StripRow {
	readonly name: string;
	readonly level: StripLevel;
	readonly tokens: number;
}

export interface EpisodeRow extends Pick<Episode, "name" | "kind" | "origin" | "state" | "tokens"> {
	readonly id: string;
	/** Ids of the episodes that it declared. */
	readonly dependencies: readonly string[];
	readonly description: string | null;
	/** Requests during which it grew, counted from 0. */
	readonly from: number;
	readonly to: number;
	/** 0 while nothing of it was taken. */
	readonly level: StripLevel | 0;
	readonly evictedTokens: number;
}

export interface ReportSettings {
	/** Tokens. */
	readonly budget: number;
	readonly count: CountTokens;
	readonly prices: PriceList;
	/** What its prices are in, and whose they are: `dollars, anthropic/claude-...`. */
	readonly unit: string;
}

/** Read a whole session. Everything is recounted, so it takes as long as counting its tokens takes. */
export function reportSession(old: OldSession, settings: ReportSettings): SessionReport {
	const { budget, count, prices, unit } = settings;
	const { messages, branch } = old;
	const { passes, descriptions, pinned } = readLogEntries(branch);
	const session = createManagedSession(count, defaultToolTable);
	session.describe(descriptions);
	session.restore(passes);
	const history = readHistory(branch, messages);
	const bare = [...session.recount(history, { system: 0, tools: 0 })];
	const overhead = overheadOf(bare);
	const fixed = { system: overhead, tools: 0 };
	const answers = [...session.recount(history, fixed)];
	const { graph, view } = session.read(messages);
	const input = { graph, view, fixed, budget, tools: defaultToolTable, pinned };
	const health = measureHealth(input, passes);
	const recorded = { path: "", name: old.id, format: "pi", messages, damage: [] };
	const last = answers.at(-1)?.answer;
	return {
		version: 1,
		session: old.id,
		folder: old.cwd,
		model: last ? modelName(last.provider, last.model) : null,
		budget,
		requests: answers.map(describeRequest),
		passes: describePasses(passes, answers, graph, health.regret.passes),
		episodes: describeEpisodes(graph, view),
		health: reportHealth(health, measureFidelity({ messages, graph }, view)),
		alerts: findAlerts({ input, health }),
		costs: { unit, arms: compareCosts(openRecording(recorded, count), { budget, overhead, prices }) },
	};
}

/** System prompt and tools are not in the file: they are what the first reported request had beside the messages. */
function overheadOf(answers: readonly CountedAnswer[]): number {
	const first = answers.find(({ answer }) => inputTokens(answer) > 0);
	return first ? Math.max(0, inputTokens(first.answer) - first.ledger.total) : 0;
}

function describeRequest({ answer, ledger, passes }: CountedAnswer): RequestRow {
	return { ledger, input: inputTokens(answer), cached: answer.usage.cacheRead, passes: passes.length };
}

function describePasses(
	log: readonly Pass[],
	answers: readonly CountedAnswer[],
	graph: Graph,
	regrets: readonly { readonly regretted: number }[],
): readonly PassRow[] {
	const names = new Map(graph.episodes.map(({ id, name }) => [id, name]));
	return log.map((pass, index) => {
		const { policy, budget, before, after, blockers, strips, decision } = pass;
		const request = answers.findIndex(({ passes }) => isSamePass(passes[index], pass));
		return {
			...{ number: index + 1, policy, budget, before, after, blockers: blockers.map(nameBlocker) },
			request: request < 0 ? null : request,
			episodes: strips.map(({ episode, level, tokens }) => ({
				...{ name: names.get(episode) ?? episode, level, tokens },
			})),
			decision: decision ?? null,
			regretted: regrets[index]?.regretted ?? 0,
		};
	});
}

/** Each reading of the file makes objects of its own. */
function isSamePass(a: Pass | undefined, b: Pass): boolean {
	return a?.newest === b.newest && a?.before === b.before && a?.after === b.after;
}

function describeEpisodes({ episodes, messages }: Graph, view: View): readonly EpisodeRow[] {
	let answers = -1;
	const requests = messages.map(({ author }) => {
		if (author === "model") answers += 1;
		return Math.max(0, answers);
	});
	const requestOf = (message: number | undefined) => requests[message ?? 0] ?? 0;
	return episodes.map(({ id, name, kind, origin, state, tokens, dependencies, description, items }) => ({
		...{ id, name, kind, origin, state, tokens, dependencies },
		description: description ?? null,
		from: requestOf(items[0]?.message),
		to: requestOf(items.at(-1)?.message),
		level: view.episodes.get(id)?.level ?? 0,
		evictedTokens: view.episodes.get(id)?.removedTokens ?? 0,
	}));
}
