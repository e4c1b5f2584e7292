/** From the body of a request to the body that is sent: reads it, makes a pass where one is due, and cuts out what left. */
import { createSession, type Session, type UnknownRecord } from "#core";
import { countedBudget, reportedTokens } from "#core/ledger";
import { changesContext, type Pass } from "#core/log";
import { planChangeAt, tokensBeforeCut } from "#core/planning";
import { findListPrice, type ModelPrices, readPrices } from "#core/prices";
import type { ToolTable } from "#core/transcript";
import { firstOf, type PrefixChange } from "../conversation/changed-prefix.ts";
import { type Conversation, createConversations, rootOf } from "../conversation/follow-conversation.ts";
import type { NotUnderstood } from "../conversation/request.ts";
import { type AnswerRecall, createCompletion, readRecallOffer } from "../own-tools.ts";
import type { ConversationStore } from "../pass-store.ts";
import type { Endpoint } from "../wire/formats.ts";
import { FRAMING, type RequestOptions, type TextReader, type WireFormat } from "../wire/wire-format.ts";
import { calibrationFor, learnCount, reportedInput } from "./provider-count.ts";
import { renderRequest } from "./render.ts";

export interface ProjectorOptions {
	/** In tokens as the provider counts them, or as we do until an answer says how it does. */
	readonly budget: number;
	/** True if the prices of each request's model say where passes begin and stop, and `budget` is the most. */
	readonly isAuto?: boolean;
	readonly reader: TextReader;
	readonly tools: ToolTable;
	readonly store: ConversationStore;
	/** Answers the recalls of models whose agent has the tools of `cwl mcp`. */
	readonly answerRecall: AnswerRecall;
	/** Takes one line for the user about a fault of the engine. */
	readonly warn: (line: string) => void;
}

export type ProjectedRequest = ReturnType<typeof projectConversation>;
export type Projection = ProjectedRequest | NotUnderstood;
export type Projector = ReturnType<typeof createProjector>;

interface State {
	readonly session: Session;
	/** Names of the messages at which the passes of the session's log were made. */
	applied: readonly string[];
	/** A change of the agent's that no entry of the log speaks of yet: the request that made it only counted. */
	change?: PrefixChange | undefined;
}

/** Creates a projector. It keeps nothing that it could not find again in a request and the store. */
export function createProjector(options: ProjectorOptions) {
	const { budget, isAuto = false, reader, tools } = options;
	const countTokens = (text: string) => reader.countTokens(text) + FRAMING;
	const conversations = createConversations<State>(
		reader,
		() => ({ session: createSession({ budget, isAuto, countTokens, tools }), applied: [] }),
		createCompletion(options),
	);
	const project = (endpoint: Endpoint, body: Buffer): Projection => {
		const followed = conversations.follow(body, endpoint.format);
		if (followed.type !== "followed") return followed;
		return projectConversation(options, followed.conversation, endpoint);
	};
	/** Does the long part of the work on a large body before it is projected, and lets other requests through meanwhile. */
	const readAhead = ({ format }: Endpoint, body: Buffer) => conversations.readAhead(body, format);
	return Object.assign(project, { readAhead });
}

/** Requests below this share of the budget need no exact count. */
const EXACT_FROM = 0.5;

/** A request after it was read. All sizes in tokens as the provider would count them, as far as its answers have told. */
function projectConversation(
	options: ProjectorOptions,
	conversation: Conversation<State>,
	{ format, onlyCounts }: Endpoint,
) {
	const { store } = options;
	const { request, transcript, state, names, fixed } = conversation;
	const { session } = state;
	const root = rootOf(conversation);
	const at = names.at(-1) ?? "";
	const name = root ?? at;
	const place = { root: name, names, options: request.options };
	const calibration = calibrationFor(store, place);
	// A provider may count more framing than the whole budget.
	const budget = Math.max(1, countedBudget(calibration, options.budget));
	const prices = pricesFor(request.options, format, Date.now());
	session.configure({
		...{ budget, prices },
		fixed: { system: fixed.system + transcript.uncounted, tools: fixed.tools },
		keepsLoopThinking: format.keepsLoopThinking(request.options),
	});
	session.sync(transcript.messages);
	applyLog(store, conversation, root);
	const isAsked = !onlyCounts && root !== undefined;
	state.change = firstOf(state.change, conversation.change);
	if (isAsked) recordChange(store, budget, conversation, root);
	const pass = isAsked ? makePass(options, state, root, at) : undefined;
	const body = renderRequest(request, format, transcript, {
		parts: session.request(),
		recall: readRecallOffer(request),
	});
	const { graph, view } = session.state();
	const always = fixed.system + transcript.uncounted + fixed.tools;
	const counted = session.tokens();
	const byProvider = (tokens: number) => (tokens === 0 ? 0 : reportedTokens(calibration, tokens));
	return {
		...{ type: "projected" as const, conversation: name, prices },
		/** The body to send, the same object if nothing is evicted, and the pass that this request made. */
		...{ body, pass },
		/** The size of the request as it came, and as it is sent. */
		...{ received: byProvider(graph.tokens + always), sent: byProvider(counted) },
		/** The part of the request in front of what that pass changed; all of it without a pass. */
		unchanged: byProvider(pass ? always + tokensBeforeCut(graph, view, pass) : counted),
		/** Learns from the usage that the answer reports. The next request of this conversation relies on it. */
		onUsage(usage: UnknownRecord) {
			const reported = reportedInput(format, usage);
			if (!onlyCounts && counted > EXACT_FROM * budget)
				learnCount(store, place, calibration, counted, reported);
		},
	};
}

/** Brings the session's log up to the passes that the store has for this conversation. */
function applyLog(store: ConversationStore, { state, names }: Conversation<State>, root: string | undefined) {
	const stored = root === undefined ? [] : store.passesAlong(root, names);
	const applied = stored.map(({ at }) => at);
	if (applied.join() === state.applied.join()) return;
	state.session.restore(stored.map(({ pass }) => pass));
	state.applied = applied;
}

/** Takes the thinking behind a change that the agent made to its own prefix: current models would refuse it. */
function recordChange(
	store: ConversationStore,
	budget: number,
	conversation: Conversation<State>,
	root: string,
) {
	const { state, names, transcript, fixed } = conversation;
	const { change } = state;
	const at = names.at(-1) ?? "";
	if (!change || state.applied.includes(at)) return;
	const message = change.type === "head" ? 0 : (transcript.entries[change.entry]?.firstMessage ?? 0);
	const { graph, view } = state.session.state();
	const planned = planChangeAt({ graph, view, fixed, budget }, message);
	const pass = planned && store.append(root, { at, pass: planned });
	if (pass || !planned) state.change = undefined;
	if (!pass) return;
	state.session.commit(pass);
	state.applied = [...state.applied, at];
}

/** Makes the pass that is due at the last message, once: the same request again finds it in the log. */
function makePass(
	{ store, warn }: ProjectorOptions,
	state: State,
	root: string,
	at: string,
): Pass | undefined {
	if (state.applied.includes(at)) return undefined;
	const planned = planSafely(state.session, warn);
	if (!planned || !changesContext(planned)) return undefined;
	const pass = store.append(root, { at, pass: planned });
	if (!pass) return undefined;
	state.session.commit(pass);
	state.applied = [...state.applied, at];
	return pass;
}

/** On a fault of the engine the passes that were made still hold: the request continues the one before. */
function planSafely(session: Session, warn: (line: string) => void): Pass | undefined {
	try {
		return session.plan();
	} catch (error) {
		warn(`nothing more is evicted from this conversation, through a fault of cwl: ${String(error)}.`);
		return undefined;
	}
}

/**
 * The list prices of the model that a request names, in US dollars per token. For a model that the list does not have,
 * the usual prices of its API in multiples of plain input. `now` in ms since 1970.
 */
function pricesFor({ model }: RequestOptions, { prices }: WireFormat, now: number): ModelPrices {
	const day = new Date(now).toISOString().slice(0, 10);
	const listed = typeof model === "string" ? findListPrice(model, day) : undefined;
	const known = listed && readPrices(listed);
	if (known?.type === "known") return known.prices;
	const { read, write } = prices;
	return { read, write, longWrite: 2 * write, input: 1, output: 5, tiers: [] };
}
