/**
 * The events of OpenHands, in both of its formats. Actions of one response came with one request. What a condenser forgot
 * stays in the stream.
 *
 * `openhands`: the event stream up to version 0 (github.com/All-Hands-AI/OpenHands, openhands/events/serialization):
 * actions `{id, source, action, args}` and observations `{id, cause, observation, content, extras}`, as the list that an
 * export saves, or one file an event. `tool_call_metadata` holds the model's whole response.
 *
 * `openhands-sdk`: the agent SDK, version 1 on (github.com/OpenHands/software-agent-sdk,
 * openhands-sdk/openhands/sdk/event): `conversations/ID/events/event-00012-ID.json`, told apart by `kind`.
 */
import type { Draft, SessionReader } from "./draft.ts";
import { type Fields, fieldsOf, isFields, recordsOf, textOf } from "./json.ts";
import {
	joinText,
	type Part,
	readArguments,
	readParts,
	readSentThinking,
	says,
	toolCall,
} from "./message-parts.ts";
import { findItems, type Opening } from "./opening.ts";

/** The names that evaluations and exports give to the list of events. */
export const EVENT_LISTS = ["history", "events", "trajectory"];

/** The first events, from which their format is recognized. */
function firstEvents({ document, lines }: Opening): readonly Fields[] {
	return (findItems(document, EVENT_LISTS) ?? lines).slice(0, 20).filter(isFields);
}

export const openHandsReader: SessionReader = {
	format: "openhands",
	lists: EVENT_LISTS,
	recognise: (opening) =>
		firstEvents(opening).some(
			({ action, observation, args, extras }) =>
				(typeof action === "string" && isFields(args)) ||
				(typeof observation === "string" && isFields(extras)),
		),
	async read(draft, events) {
		const calls: CallIds = new Map();
		for await (const event of events) {
			if (typeof event.action === "string") addAction(draft, calls, event, event.action);
			else if (typeof event.observation === "string") addObservation(draft, calls, event);
			else draft.note("neither an action nor an observation: skipped");
		}
	},
};

/** The id of each call by that of its action. */
type CallIds = Map<unknown, string>;

/** The prompt, the state of the program, and look-ups by it whose text is made when it is sent. */
const ASIDES = new Set(
	"system change_agent_state agent_state_changed null recall condensation_request start".split(" "),
);

function addAction(draft: Draft, calls: CallIds, event: Fields, action: string) {
	const args = fieldsOf(event.args);
	if (action === "condensation") {
		if (typeof args.summary === "string") draft.summary(args.summary);
	} else if (ASIDES.has(action)) return;
	else if (event.source === "user") draft.user(readParts(args.content ?? event.message));
	else if (action === "message") draft.reply(says(textOf(args.content)));
	else calls.set(event.id, addCall(draft, event, action));
}

/** Returns the id of the call. */
function addCall(draft: Draft, event: Fields, action: string): string {
	const { thought, ...args } = fieldsOf(event.args);
	const metadata = fieldsOf(event.tool_call_metadata);
	const response = fieldsOf(metadata.model_response);
	const callId = textOf(metadata.tool_call_id) || `c${draft.place()}`;
	const replyId = textOf(response.id) || `event ${draft.place()}`;
	const said = fieldsOf(recordsOf(response.choices)[0]?.message);
	// The arguments as the model wrote them; the action's own are what the program made of them.
	const written = recordsOf(said.tool_calls).find(({ id }) => id === callId);
	const own = written ? readArguments(fieldsOf(written.function).arguments) : args;
	const blocks = [
		...(draft.hasReply(replyId) ? [] : readSentThinking(said)),
		...says(textOf(thought)),
		toolCall(callId, textOf(metadata.function_name) || action, own),
	];
	draft.reply(blocks, replyId);
	return callId;
}

/** Sent to the model as what went wrong. */
const FAILURES = new Set(["error", "user_rejected"]);

/** An observation that answers no call of the model is a note. */
function addObservation(draft: Draft, calls: CallIds, event: Fields) {
	const observation = textOf(event.observation);
	if (ASIDES.has(observation)) return;
	const content = readParts(event.content);
	const callId = textOf(fieldsOf(event.tool_call_metadata).tool_call_id) || calls.get(event.cause);
	const { metadata, exit_code: direct } = fieldsOf(event.extras);
	const code = fieldsOf(metadata).exit_code ?? direct;
	const isFailed = typeof code === "number" && code !== 0;
	const isError = FAILURES.has(observation) || event.success === false || isFailed;
	if (callId !== undefined) draft.result(callId, content, isError);
	else if (content.length > 0) draft.aside(content);
}

const KINDS = new Set(
	"SystemPromptEvent MessageEvent ActionEvent ObservationEvent AgentErrorEvent".split(" "),
);

export const openHandsSdkReader: SessionReader = {
	format: "openhands-sdk",
	lists: EVENT_LISTS,
	recognise: (opening) => firstEvents(opening).some(({ kind }) => KINDS.has(textOf(kind))),
	async read(draft, events) {
		for await (const event of events) addEvent(draft, event);
	},
};

/** Other kinds are the program's own: its state, pauses, requests to condense. */
function addEvent(draft: Draft, event: Fields) {
	const place = draft.place();
	const reply = textOf(event.llm_response_id) || `event ${place}`;
	const callId = textOf(event.tool_call_id);
	const addResult = (content: readonly Part[], isError: boolean) => {
		if (callId === "") draft.aside(content);
		else draft.result(callId, content, isError, textOf(event.tool_name));
	};
	switch (event.kind) {
		case "MessageEvent":
			return addMessage(draft, event, reply);
		case "ActionEvent": {
			// `tool_call` is what the model wrote, in the form of the Chat Completions API or flat.
			const call = fieldsOf(event.tool_call);
			const written = fieldsOf(call.function).arguments ?? call.arguments;
			const { kind: _, ...action } = fieldsOf(event.action);
			const tool = textOf(event.tool_name) || textOf(call.name) || "unknown";
			const blocks = [
				...readSentThinking(event),
				...says(joinText(readParts(event.thought))),
				toolCall(callId || `c${place}`, tool, written ?? action),
			];
			return draft.reply(blocks, reply);
		}
		case "ObservationEvent": {
			// Early versions keep the text as `output`, later ones the parts as `content`.
			const { content, output, is_error, error, exit_code, metadata } = fieldsOf(event.observation);
			const code = exit_code ?? fieldsOf(metadata).exit_code;
			const isFailed = typeof code === "number" && code > 0;
			return addResult(readParts(content ?? output), is_error === true || error === true || isFailed);
		}
		case "AgentErrorEvent":
		case "UserRejectObservation":
			return addResult([{ type: "text", text: textOf(event.error ?? event.rejection_reason) }], true);
		case "Condensation":
			if (typeof event.summary === "string") draft.summary(event.summary);
			return;
		default:
			if (typeof event.kind !== "string") draft.note("an event without a kind: skipped");
	}
}

function addMessage(draft: Draft, event: Fields, reply: string) {
	const message = fieldsOf(event.llm_message);
	const content = readParts(message.content);
	if (event.source === "agent") {
		draft.reply([...readSentThinking(message), ...says(joinText(content))], reply);
		return;
	}
	if (event.source === "user") draft.user(content);
	else draft.aside(content);
	// What skills add to the user's words.
	const extended = readParts(event.extended_content);
	if (extended.length > 0) draft.aside(extended);
}
