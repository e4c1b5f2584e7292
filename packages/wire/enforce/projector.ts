/** From the body of a request to the body that is sent: reads it, makes a pass where one is due, and cuts out what left. */

import type { UnknownRecord } from "#basics";
import { textOf } from "#basics";
import { createSession, type Session } from "#core";
import {
	type Calibration,
	calibrate,
	countedBudget,
	reportedTokens,
	sealedTokens,
	uncalibrated,
} from "#core/ledger";
import { changesContext, type Pass, viewOfLog } from "#core/log";
import { planChangeAt, tokensBeforeCut } from "#core/planning";
import { findListPrice, type ModelPrices, readPrices } from "#core/prices";
import {
	type CompletionOptions,
	createCompletion,
	createTextFinder,
	readRecallOffer,
} from "../answer-own-tools.ts";
import { UNCHANGED } from "../conversation/changed-prefix.ts";
import { createConversations, rootOf } from "../conversation/follow-conversation.ts";
import type { Conversation } from "../conversation/request.ts";
import type { Transcript } from "../conversation/transcript.ts";
import type { Endpoint } from "../formats/formats.ts";
import { FRAMING, type WireFormat } from "../formats/wire-format.ts";
import type { ConversationStore, StoredCount, StoredPass } from "../pass-store.ts";
import { renderRequest } from "./render.ts";

export interface ProjectorOptions extends CompletionOptions {
	/** In tokens as the provider counts them, or as we do until an answer says how it does. */
	readonly budget: number;
	/** True if the prices of each request's model say where passes begin and stop, and `budget` is the most. */
	readonly isAuto?: boolean;
	/** The day whose list prices count, such as `2026-11-28`. */
	readonly today: () => string;
	/** Takes one line for the user about a fault of the engine. */
	readonly warn: (line: string) => void;
}

export type ProjectedRequest = ReturnType<typeof projectConversation>;
export type Projector = ReturnType<typeof createProjector>;

interface State {
	readonly session: Session;
	/** Names of the messages at which the passes of the session's log were made. */
	applied: readonly string[];
	/** A change of the agent's that no entry of the log speaks of yet: the request that made it only counted. */
	change: number;
}

/** Creates a projector. It keeps nothing that it could not find again in a request and the store. */
export function createProjector(options: ProjectorOptions) {
	const { budget, isAuto = false, reader, tools } = options;
	const countTokens = (text: string) => reader.countTokens(text) + FRAMING;
	const conversations = createConversations(reader, createCompletion(options));
	const states = new WeakMap<Transcript, State>();
	const stateOf = (transcript: Transcript): State => {
		const session = () => createSession({ budget, isAuto, countTokens, tools });
		const state = states.get(transcript) ?? { session: session(), applied: [], change: UNCHANGED };
		states.set(transcript, state);
		return state;
	};
	return {
		/** @throws NotUnderstood */
		project(endpoint: Endpoint, body: Buffer) {
			const conversation = conversations.follow(body, endpoint.format);
			return projectConversation(options, conversation, stateOf(conversation.transcript), endpoint);
		},
		/** Does the long part of the work on a large body before it is projected, and lets other requests through meanwhile. */
		readAhead: ({ format }: Endpoint, body: Buffer) => conversations.readAhead(body, format),
	};
}

/** Requests below this share of the budget need no exact count. */
const EXACT_FROM = 0.5;

/** A request after it was read. All sizes in tokens as the provider would count them, as far as its answers have told. */
function projectConversation(
	options: ProjectorOptions,
	conversation: Conversation,
	state: State,
	{ format, onlyCounts }: Endpoint,
) {
	const { store } = options;
	const { request, transcript, names, fixed } = conversation;
	const { session } = state;
	const root = rootOf(conversation);
	const at = names.at(-1) ?? "";
	const name = root ?? at;
	const model = textOf(request.options.model);
	// The same request again learns nothing from its own answer, so that it stays the same.
	const counts = store.countsAlong(name, names.slice(0, -1)).filter(({ count }) => count.model === model);
	const calibration = counts.reduce((known, { count }) => calibrate(known, count), uncalibrated);
	const prices = pricesFor(model, format, options.today());
	session.sync(transcript.messages);
	applyLog(store, state, names, root);
	const sealedNow = () => sealedTokens(session.state().graph, session.state().view).sent;
	// A provider may count more framing than the whole budget.
	const budget = Math.max(1, countedBudget(calibration, options.budget, sealedNow()));
	session.configure({
		budget,
		prices,
		fixed: { system: fixed.system + transcript.uncounted, tools: fixed.tools },
		keepsLoopThinking: format.keepsLoopThinking(request.options),
	});
	state.change = Math.min(state.change, conversation.change);
	let pass: Pass | undefined;
	if (!onlyCounts && root !== undefined && !state.applied.includes(at)) {
		recordChange(store, state, conversation, { root, budget });
		const planned = state.applied.includes(at) ? undefined : planSafely(session, options.warn);
		pass = planned && addPass(store, state, root, { at, pass: planned });
	}
	const body = renderRequest(request, format, transcript, {
		parts: session.request(),
		offerRecall: readRecallOffer(request),
	});
	const { graph, view } = session.state();
	const always = fixed.system + transcript.uncounted + fixed.tools;
	const counted = session.tokens();
	const sealed = sealedNow();
	const whole = sealedTokens(graph, viewOfLog([])).sent;
	const byProvider = (tokens: number, some: number) =>
		tokens === 0 ? 0 : reportedTokens(calibration, tokens, some);
	return {
		conversation: name,
		prices,
		/** The body to send, the same object if nothing is evicted. */
		body,
		/** The pass that this request made. */
		pass,
		/** The size of the request as it came. */
		received: byProvider(graph.tokens + always, whole),
		/** The size of the request as it is sent. */
		sent: byProvider(counted, sealed),
		/** The part of the request in front of what that pass changed; all of it without a pass. Thinking behind it left. */
		unchanged: byProvider(pass ? always + tokensBeforeCut(graph, view, pass) : counted, sealed),
		/** Answers a recall over the conversation, as far as it was read. */
		recall: (query: string, page: number) =>
			options.answerRecall({ graph, view, textOf: createTextFinder(conversation) }, query, page),
		/** Learns from the usage that the answer reports. The next request of this conversation relies on it. */
		onUsage(usage: UnknownRecord) {
			const count = { model, counted, sealed, reported: format.reportedInput(usage) };
			if (!onlyCounts && counted > EXACT_FROM * budget) learnCount(store, name, calibration, { at, count });
		},
	};
}

/** A count that is closer than this to what was expected need not be stored. */
const TOLERANCE = 0.001;

/** Stores what the provider counted a request as, if that teaches something. */
function learnCount(store: ConversationStore, root: string, known: Calibration, stored: StoredCount) {
	const { counted, sealed, reported } = stored.count;
	// A count that cannot be true is ignored by the calibration.
	if (calibrate(known, stored.count) === known) return;
	const missed = Math.abs(reported - reportedTokens(known, counted, sealed));
	if (known.samples === 0 || missed > TOLERANCE * reported) store.addCount(root, stored);
}

/** Brings the session's log up to the passes that the store has for this conversation. */
function applyLog(
	store: ConversationStore,
	state: State,
	names: readonly string[],
	root: string | undefined,
) {
	const stored = root === undefined ? [] : store.passesAlong(root, names);
	const applied = stored.map(({ at }) => at);
	if (applied.join() === state.applied.join()) return;
	state.session.restore(stored.map(({ pass }) => pass));
	state.applied = applied;
}

/** Stores a pass and lets it act. Returns the one that counts; undefined if it cannot be stored. */
function addPass(store: ConversationStore, state: State, root: string, stored: StoredPass): Pass | undefined {
	const pass = store.append(root, stored);
	if (!pass) return undefined;
	state.session.commit(pass);
	state.applied = [...state.applied, stored.at];
	return pass;
}

/** Takes the thinking behind a change that the agent made to its own prefix: current models would refuse it. */
function recordChange(
	store: ConversationStore,
	state: State,
	{ names, transcript, fixed }: Conversation,
	{ root, budget }: { readonly root: string; readonly budget: number },
) {
	if (state.change === UNCHANGED) return;
	const message = transcript.entries[state.change]?.firstMessage ?? 0;
	const { graph, view } = state.session.state();
	const pass = planChangeAt({ graph, view, fixed, budget }, message);
	if (!pass || addPass(store, state, root, { at: names.at(-1) ?? "", pass })) state.change = UNCHANGED;
}

/** The pass that is due. On a fault of the engine those that were made still hold: the request continues the one before. */
function planSafely(session: Session, warn: (line: string) => void): Pass | undefined {
	try {
		const planned = session.plan();
		return planned && changesContext(planned) ? planned : undefined;
	} catch (error) {
		warn(`nothing more is evicted from this conversation, through a fault of cwl: ${String(error)}.`);
		return undefined;
	}
}

/**
 * The list prices of the model that a request names, in US dollars per token. For a model that the list does not have,
 * the usual prices of its API in multiples of plain input.
 */
function pricesFor(model: string, { prices }: WireFormat, today: string): ModelPrices {
	const listed = findListPrice(model, today);
	const known = listed && readPrices(listed);
	if (known?.type === "known") return known.prices;
	const { read, write } = prices;
	return { read, write, longWrite: 2 * write, input: 1, output: 5, tiers: [] };
}
