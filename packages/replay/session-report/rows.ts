/**
 * The requests, episodes and passes of a session as its report shows them: what each request really sent, also where
 * another program compacted the session; when each episode grew and how much of it is gone; all passes, also those that
 * the user asked for or took back.
 */
import type { Episode, Graph } from "#core/graph";
import type { Ledger } from "#core/ledger";
import type { Decision, Pass, StripLevel, View } from "#core/log";
import { isPrefixChange, MANUAL_PASS } from "#core/planning";
import type { HostMessage } from "#pi/codec";
import { type NamedBlocker, nameBlocker } from "#pi/screen";
import { type CountedAnswer, type ManagedSession, type OldSession, readHistory } from "#pi/session";

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
	/** True if a compaction put a summary in its place. */
	readonly isCompacted: boolean;
}

/** `firstKept` is the index of the first message that the last compaction kept. */
export function describeEpisodes(graph: Graph, view: View, firstKept: number): readonly EpisodeRow[] {
	let answers = -1;
	const requests = graph.messages.map(({ author }) => {
		if (author === "model") answers += 1;
		return Math.max(0, answers);
	});
	const requestOf = (message: number | undefined) => requests[message ?? 0] ?? 0;
	return graph.episodes.map((episode): EpisodeRow => {
		const { id, name, kind, origin, state, tokens, dependencies, description, items } = episode;
		const last = items.at(-1)?.message;
		return {
			...{ id, name, kind, origin, state, tokens, dependencies },
			description: description ?? null,
			from: requestOf(items[0]?.message),
			to: requestOf(last),
			level: view.episodes.get(id)?.level ?? 0,
			evictedTokens: view.episodes.get(id)?.removedTokens ?? 0,
			isCompacted: last !== undefined && last < firstKept,
		};
	});
}

export interface PassRow extends Pick<Pass, "policy" | "budget" | "before" | "after"> {
	readonly blockers: readonly NamedBlocker[];
	readonly number: number;
	/** The request that it was made for, counted from 0; null when none came after it. */
	readonly request: number | null;
	/** True if the user asked for it with a command. */
	readonly isManual: boolean;
	/** True if the user took it back later. */
	readonly isUndone: boolean;
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

/** `regrets` are those of the passes that still hold, in their order. */
export function describePasses(
	old: OldSession,
	answers: readonly SentRequest[],
	graph: Graph,
	regrets: readonly { readonly regretted: number }[],
): readonly PassRow[] {
	const names = new Map(graph.episodes.map(({ id, name }) => [id, name]));
	const all = listPasses(old);
	const held = all.filter(({ isUndone }) => !isUndone).map(({ pass }) => pass);
	return all.map(({ pass, isUndone }, index) => {
		const { policy, budget, before, after, blockers, strips, decision } = pass;
		const request = answers.findIndex(({ passes }) => passes.some((each) => isSamePass(each, pass)));
		return {
			...{ number: index + 1, policy, budget, before, after, isUndone },
			blockers: blockers.map(nameBlocker),
			isManual: policy === MANUAL_PASS,
			request: request < 0 ? null : request,
			episodes: strips.map(({ episode, level, tokens }) => ({
				...{ name: names.get(episode) ?? episode, level, tokens },
			})),
			decision: decision ?? null,
			regretted: regrets[held.indexOf(pass)]?.regretted ?? 0,
		};
	});
}

interface LoggedPass {
	readonly pass: Pass;
	readonly isUndone: boolean;
}

/** In the order in which the log of a session has them; as there, an undo takes back no record of a changed prefix. */
function listPasses({ branch, messages }: OldSession): readonly LoggedPass[] {
	const passes: LoggedPass[] = [];
	const add = (pass: Pass) => passes.push({ pass, isUndone: false });
	for (const step of readHistory(branch, messages)) {
		if (step.type === "pass") add(step.pass);
		if (step.type !== "undo") continue;
		const last = passes.findLastIndex(({ pass, isUndone }) => !isUndone && !isPrefixChange(pass));
		const undone = passes[last];
		if (undone) passes[last] = { ...undone, isUndone: true };
		if (step.change) add(step.change);
	}
	return passes;
}

/** Figures of the passes that hold, which they count from 1, under the numbers that all passes have in their rows. */
export function numberLikeRows<T extends { readonly pass: number }>(
	figures: readonly T[],
	rows: readonly Pick<PassRow, "number" | "isUndone">[],
): readonly T[] {
	const held = rows.filter(({ isUndone }) => !isUndone);
	return figures.map((figure) => ({ ...figure, pass: held[figure.pass - 1]?.number ?? figure.pass }));
}

/** Each reading of the file makes objects of its own. */
function isSamePass(a: Pass, b: Pass): boolean {
	return a.newest === b.newest && a.before === b.before && a.after === b.after;
}

/** An answer with the size of its request by component. */
export interface SentRequest extends Omit<CountedAnswer, "ledger" | "sent" | "state"> {
	readonly ledger: Ledger;
}

/** The stretch of a session between two compactions. */
export interface Stretch {
	/** The messages of a request at its end: the summary and the kept messages, then everything since. */
	readonly messages: readonly HostMessage[];
	/** Index in `messages` of the first one that came after the compaction. */
	readonly firstNew: number;
	/** Index of that message in the whole session. */
	readonly position: number;
}

/** One stretch more than there were compactions, oldest first. */
export function splitAtCompactions({ messages, compactions = [] }: OldSession): readonly Stretch[] {
	const starts = [undefined, ...compactions];
	return starts.map((compaction, index) => {
		const end = compactions[index]?.position ?? messages.length;
		if (!compaction) return { messages: messages.slice(0, end), firstNew: 0, position: 0 };
		const { position, firstKept, summary } = compaction;
		const timestamp = messages[position]?.timestamp ?? 0;
		const head: HostMessage = { role: "compactionSummary", summary, tokensBefore: 0, timestamp };
		const kept = messages.slice(firstKept, end);
		return { messages: [head, ...kept], firstNew: 1 + position - firstKept, position };
	});
}

/** The request of each answer, as passes and compactions left it, with prompt and tools counted as `overhead` tokens. */
export function* listSent(
	session: ManagedSession,
	{ branch }: OldSession,
	stretches: readonly Stretch[],
	overhead: number,
): Generator<CountedAnswer> {
	const fixed = { system: overhead, tools: 0 };
	for (const { messages, firstNew } of stretches) {
		const isNew = new Set<HostMessage>(messages.slice(firstNew));
		for (const request of session.recount(readHistory(branch, messages), fixed)) {
			if (isNew.has(request.answer)) yield request;
		}
	}
}

/** The same with their sizes, and without their messages. */
export function countSent(...args: Parameters<typeof listSent>): readonly SentRequest[] {
	const sent: SentRequest[] = [];
	for (const { sent: _, state: __, ...request } of listSent(...args))
		sent.push({ ...request, ledger: request.ledger() });
	return sent;
}
