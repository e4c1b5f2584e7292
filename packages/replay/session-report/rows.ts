/**
 * The requests, episodes and passes of a session as its report shows them: what each request really sent, also where
 * another program compacted the session; when each episode grew and how much of it is gone; all passes, also those that
 * the user asked for or took back.
 */
import type { Graph } from "#core/graph";
import { uncalibrated } from "#core/ledger";
import type { Pass, View } from "#core/log";
import { isPrefixChange, MANUAL_PASS } from "#core/planning";
import { type HostMessage, inputTokens } from "#pi/codec";
import { createSizes, nameBlocker, passSizes, reportDecision } from "#pi/screen";
import { type CountedAnswer, type ManagedSession, type OldSession, readHistory } from "#pi/session";

export type EpisodeRow = ReturnType<typeof describeEpisodes>[number];

/** `firstKept` is the index of the first message that the last compaction kept. */
export function describeEpisodes(graph: Graph, view: View, firstKept: number) {
	let answers = -1;
	const requests = graph.messages.map(({ author }) => {
		if (author === "model") answers += 1;
		return Math.max(0, answers);
	});
	const requestOf = (message = 0) => requests[message] ?? 0;
	return graph.episodes.map(({ id, name, kind, origin, state, tokens, dependencies, description, items }) => {
		const last = items.at(-1)?.message;
		return {
			...{ id, name, kind, origin, state, tokens, dependencies },
			description: description ?? null,
			/** Requests during which it grew, counted from 0. */
			from: requestOf(items[0]?.message),
			to: requestOf(last),
			/** 0 while nothing of it was taken. */
			level: view.episodes.get(id)?.level ?? 0,
			evictedTokens: view.episodes.get(id)?.removedTokens ?? 0,
			/** True if a compaction put a summary in its place. */
			isCompacted: last !== undefined && last < firstKept,
		};
	});
}

export type PassRow = ReturnType<typeof describePasses>[number];

/** `regrets` are those of the passes that still hold, in their order. */
export function describePasses(
	old: OldSession,
	answers: readonly SentRequest[],
	graph: Graph,
	regrets: readonly { readonly regretted: number }[],
) {
	const names = new Map(graph.episodes.map(({ id, name }) => [id, name]));
	let held = 0;
	return listPasses(old).map(({ pass, isUndone }, index) => {
		const { policy, blockers, strips, decision } = pass;
		// As the screens of the session showed it.
		const { reported, part } = passSizes(pass, createSizes(uncalibrated));
		const request = answers.findIndex(({ passes }) => passes.some((each) => isSamePass(each, pass)));
		return {
			...{ number: index + 1, policy, ...reported, isUndone },
			blockers: blockers.map(nameBlocker),
			/** True if the user asked for it with a command. */
			isManual: policy === MANUAL_PASS,
			/** The request that it was made for, counted from 0; null when none came after it. */
			request: request < 0 ? null : request,
			episodes: strips.map(({ episode, level, tokens }) => ({
				...{ name: names.get(episode) ?? episode, level, tokens: part(tokens) },
			})),
			decision: decision ? reportDecision(decision, part) : null,
			/** Tokens of it that were read again since. */
			regretted: (isUndone ? undefined : regrets[held++]?.regretted) ?? 0,
		};
	});
}

/** In the order in which the log of a session has them; as there, an undo takes back no record of a changed prefix. */
function listPasses({ branch, messages }: OldSession) {
	const passes: { pass: Pass; isUndone: boolean }[] = [];
	for (const step of readHistory(branch, messages)) {
		if (step.type === "pass") passes.push({ pass: step.pass, isUndone: false });
		if (step.type !== "undo") continue;
		const undone = passes.findLast(({ pass, isUndone }) => !isUndone && !isPrefixChange(pass));
		if (undone) undone.isUndone = true;
		if (step.change) passes.push({ pass: step.change, isUndone: false });
	}
	return passes;
}

/** Each reading of the file makes objects of its own. */
function isSamePass(a: Pass, b: Pass): boolean {
	return a.newest === b.newest && a.before === b.before && a.after === b.after;
}

export type Stretch = ReturnType<typeof splitAtCompactions>[number];

/** The stretches of a session between compactions, one more than there were compactions, oldest first. */
export function splitAtCompactions({ messages, compactions = [] }: OldSession) {
	const starts = [undefined, ...compactions];
	return starts.map((compaction, index) => {
		const end = compactions[index]?.position ?? messages.length;
		if (!compaction) return { messages: messages.slice(0, end), firstNew: 0 };
		const { position, firstKept, summary } = compaction;
		const timestamp = messages[position]?.timestamp ?? 0;
		const head: HostMessage = { role: "compactionSummary", summary, tokensBefore: 0, timestamp };
		return {
			/** The messages of a request at its end: the summary and the kept messages, then everything since. */
			messages: [head, ...messages.slice(firstKept, end)],
			/** Index in `messages` of the first one that came after the compaction. */
			firstNew: 1 + position - firstKept,
		};
	});
}

/** The request of each answer, as passes and compactions left it, prompt and tools left out. */
export function* listSent(
	session: ManagedSession,
	{ branch }: OldSession,
	stretches: readonly Stretch[],
): Generator<CountedAnswer> {
	for (const { messages, firstNew } of stretches) {
		const isNew = new Set<HostMessage>(messages.slice(firstNew));
		for (const request of session.recount(readHistory(branch, messages), { system: 0, tools: 0 })) {
			if (isNew.has(request.answer)) yield request;
		}
	}
}

export type SentRequest = ReturnType<typeof countSent>["answers"][number];

/**
 * The answers, each with the size of its request by component. The file does not hold system prompt and tools: they are
 * what the first reported request had beyond the messages.
 */
export function countSent(...args: Parameters<typeof listSent>) {
	const counted = Array.from(listSent(...args), ({ answer, passes, ledger }) => ({
		...{ answer, passes, ledger: ledger() },
	}));
	const first = counted.find(({ answer }) => inputTokens(answer) > 0);
	const overhead = first ? Math.max(0, inputTokens(first.answer) - first.ledger.total) : 0;
	const answers = counted.map(({ ledger, ...request }) => ({
		...request,
		ledger: { ...ledger, system: overhead, total: ledger.total + overhead },
	}));
	return { overhead, answers };
}
