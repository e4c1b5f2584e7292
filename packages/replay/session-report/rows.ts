/**
 * The requests, episodes and passes of a session as its report shows them: what each request really sent, also where
 * it was compacted; when each episode grew and how much of it is gone; all passes, also those that
 * the user asked for or took back.
 */
import { sum } from "#basics";
import { type Graph, itemIn } from "#core/graph";
import { type computeLedger, type FixedTokens, sealedIn, sentSizes } from "#core/ledger";
import { createNetSizes, type Pass, viewOfLog } from "#core/log";
import { isPrefixChange, MANUAL_PASS, type PlanInput } from "#core/planning";
import { sentBy } from "#core/projection";
import { type HostMessage, inputTokens } from "#pi/codec";
import {
	createPassReader,
	describeReasons,
	isRecalledNote,
	measureRewrite,
	type Rewrites,
	type SecondLooks,
} from "#pi/health";
import { passSizes, type Sizes } from "#pi/screen";
import { type OldSession, type RestoredLog, readHistory, withoutLast } from "#pi/session";
import { listSent, type SentSession } from "../recording/sent-requests.ts";

export type EpisodeRow = ReturnType<typeof describeEpisodes>[number];

/** `graph` is that of `messages`; `next` is the next request, which holds the newest of them. */
export function describeEpisodes(
	graph: Graph,
	messages: readonly HostMessage[],
	next: Pick<PlanInput, "graph" | "view" | "model">,
	{ part }: Sizes,
) {
	const isSent = sentBy(next.graph, next.view);
	const sizeOf = sentSizes(next.graph, next.view);
	let answers = -1;
	const requests = graph.messages.map(({ author }) => {
		if (author === "model") answers += 1;
		return Math.max(0, answers);
	});
	const requestOf = (message = 0) => requests[message] ?? 0;
	return graph.episodes.map(({ id, name, kind, origin, state, tokens, dependencies, description, items }) => {
		const places = items.map((item) => itemIn(next.graph, graph, item));
		const kept = places.filter((item) => item !== undefined);
		const rest = kept.filter(isSent);
		const gone = items.filter((_, index) => {
			const place = places[index];
			return !place || !isSent(place);
		});
		const counted = sum(rest, sizeOf);
		const sentTokens = part(counted, sealedIn(rest, next.model));
		const { level = 0 } = next.view.episodes.get(id) ?? {};
		return {
			name,
			kind,
			origin,
			state,
			/** With what has left as it was sent, whichever model is in use by now. */
			tokens: sentTokens + part(tokens - counted, sealedIn(gone)),
			dependencies,
			description: description ?? null,
			/** True for what a recall brought back. */
			isRecall: isRecalledNote(messages, items),
			/** The numbers of the requests during which it grew, from 1. */
			from: requestOf(items[0]?.message) + 1,
			to: requestOf(items.at(-1)?.message) + 1,
			/** 0 while nothing of it was taken, 4 once all of it has left. */
			level: tokens > 0 && counted === 0 ? 4 : Math.min(3, level),
			/** Tokens of it that the next request sends. */
			sentTokens,
			/** True if a compaction put a summary in the place of it or of its beginning. */
			isCompacted: kept.length < items.length,
		};
	});
}

export type PassRow = ReturnType<typeof describePasses>[number];

interface PassFacts {
	readonly looks: SecondLooks;
	readonly rewrites: Rewrites;
	/** From the count of the log to the provider's. */
	readonly sizes: Sizes;
	/** The same as the session learned it, sealed thinking included. */
	readonly calibrated: Sizes;
}

export function describePasses(
	old: OldSession,
	answers: readonly SentRequest[],
	graph: Graph,
	{ looks, rewrites, sizes, calibrated }: PassFacts,
) {
	const reader = createPassReader(graph);
	const readAgain = new Map(looks.passes.map(({ pass, again }) => [pass, again]));
	return listPasses(old).map(({ pass, isUndone }, index) => {
		const number = index + 1;
		const { policy, newest } = pass;
		const { reported, isKnown, part } = passSizes(pass, sizes);
		const { budget, before, after } = reported;
		const { blockers, decision } = describeReasons(pass, part);
		// Each reading of the file makes objects of its own.
		const isSame = (each: Pass) => each.newest === newest && each.before === before && each.after === after;
		const request = answers.findIndex(({ passes }) => passes.some(isSame));
		const { sent, rewritten } = measureRewrite(number, rewrites);
		return {
			number,
			policy,
			budget,
			before,
			after,
			isKnown,
			/** The size of its request as the provider reported it, which `after` estimated; null where that is not known. */
			sent,
			isUndone,
			blockers,
			/** True if the user asked for it with a command. */
			isManual: policy === MANUAL_PASS,
			/** The number of the request that it was made for, from 1; null when none came after it. */
			request: request < 0 ? null : request + 1,
			...reader.partsOf(pass, reader.sizesOf(pass, calibrated).part),
			decision,
			/** Tokens of it that were read again since. */
			again: readAgain.get(number) ?? 0,
			rewritten,
		};
	});
}

/** In the order in which the log of a session has them, with what each freed when it was made. A record of a changed prefix is no pass. */
function listPasses({ branch, messages }: OldSession) {
	const passes: { pass: ReturnType<typeof toNet>; isUndone: boolean }[] = [];
	let log: readonly Pass[] = [];
	let toNet = createNetSizes();
	for (const step of readHistory(branch, messages)) {
		if (step.type === "pass") {
			const pass = toNet(step.pass);
			log = [...log, step.pass];
			if (!isPrefixChange(pass)) passes.push({ pass, isUndone: false });
		} else if (step.type === "undo") {
			const undone = passes.findLast(({ isUndone }) => !isUndone);
			if (undone) undone.isUndone = true;
			log = [...withoutLast(log).rest, ...(step.change ? [step.change] : [])];
			toNet = createNetSizes(viewOfLog(log));
		}
	}
	return passes;
}

export type SentRequest = ReturnType<typeof countSent>["answers"][number];

/**
 * The answers, each with the size of its request by component. The file does not hold system prompt and tools: they are `overhead`
 * where the messages explain the reported usage, and the components then add up to what was reported; otherwise they are what the
 * first reported request had beyond its messages. `logged`: their sizes as cwl noted them, while it was on and while it was off; without
 * these, all of it counts as system prompt.
 */
export function countSent(
	sent: SentSession,
	overhead: number | undefined,
	{ byRequest }: Rewrites,
	{ on = { system: 1, tools: 0 }, off = on }: RestoredLog["fixed"] = {},
) {
	const counted = Array.from(listSent(sent), ({ answer, passes, isManaged, ledger }) => {
		return { answer, passes, isManaged, ledger: ledger() };
	});
	const first = counted.find(({ answer }) => inputTokens(answer) > 0);
	const rest = first ? Math.max(0, inputTokens(first.answer) - first.ledger.total) : 0;
	const scale = (overhead ?? rest) / Math.max(1, on.system + on.tools);
	const scaled = ({ system, tools }: FixedTokens): FixedTokens => {
		const own = Math.round(scale * tools);
		return { system: Math.round(scale * (system + tools)) - own, tools: own };
	};
	const fixed = scaled(on);
	const whileOff = scaled(off);
	const answers = counted.map((request) => {
		const { system, tools } = request.isManaged ? fixed : whileOff;
		const { system: changes, total, ...parts } = request.ledger;
		const ledger = { ...parts, system: system + changes, tools, total: total + system + tools };
		const reported = inputTokens(request.answer);
		const factor = overhead !== undefined && reported > 0 ? reported / ledger.total : 1;
		return {
			...request,
			ledger: factor === 1 ? ledger : fitLedger(ledger, factor, reported),
			/** Tokens that an earlier request had sent and that did not come from the cache, as the provider reported it. */
			rewritten: byRequest.get(request.answer.timestamp) ?? 0,
		};
	});
	return { fixed, answers };
}

type Ledger = ReturnType<typeof computeLedger>;

/** The components times a factor, which add up to `total`: the system prompt takes what rounding leaves. */
function fitLedger(ledger: Ledger, factor: number, total: number): Ledger {
	const { system: _system, total: _total, ...parts } = ledger;
	const fitted = Object.entries(parts).map(([name, tokens]) => [name, Math.round(factor * tokens)] as const);
	const rest = total - sum(fitted.map(([, tokens]) => tokens));
	return { ...ledger, ...Object.fromEntries(fitted), system: Math.max(0, rest), total };
}
