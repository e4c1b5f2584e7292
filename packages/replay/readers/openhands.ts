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
import {
	type Draft,
	joinText,
	type Part,
	readArguments,
	readParts,
	type SessionReader,
	says,
	thinks,
	toolCall,
} from "./draft.ts";
import { firstEvents, readEvents } from "./event-stream.ts";
import { type Fields, fieldsOf, isFields, recordsOf, textOf, timeOf } from "./json.ts";

export const openHandsReader: SessionReader = {
	format: "openhands",
	recognise: (opening) =>
		firstEvents(opening).some(
			({ action, observation, args, extras }) =>
				(typeof action === "string" && isFields(args)) ||
				(typeof observation === "string" && isFields(extras)),
		),
	async read(draft, opening) {
		const calls: CallIds = new Map();
		await readEvents(opening, draft.note, (event, place) => {
			const time = timeOf(event.timestamp);
			if (typeof event.action === "string") addAction(draft, calls, event, event.action, place, time);
			else if (typeof event.observation === "string") addObservation(draft, calls, event, time);
			else draft.note(place, "neither an action nor an observation: skipped");
		});
	},
};

/** The id of each call by that of its action. */
type CallIds = Map<unknown, string>;

/** The prompt, the state of the program, and look-ups by it whose text is made when it is sent. */
const ASIDES = new Set(
	"system change_agent_state agent_state_changed null recall condensation_request start".split(" "),
);

function addAction(draft: Draft, calls: CallIds, event: Fields, action: string, place: number, time: number) {
	const args = fieldsOf(event.args);
	if (action === "condensation") {
		if (typeof args.summary === "string") draft.summary(args.summary, time);
	} else if (ASIDES.has(action)) return;
	else if (event.source === "user") draft.user(readParts(args.content ?? event.message), time);
	else if (action === "message") draft.reply(says(textOf(args.content)), time);
	else calls.set(event.id, addCall(draft, event, action, place, time));
}

/** Returns the id of the call. */
function addCall(draft: Draft, event: Fields, action: string, place: number, time: number): string {
	const { thought, ...args } = fieldsOf(event.args);
	const metadata = fieldsOf(event.tool_call_metadata);
	const response = fieldsOf(metadata.model_response);
	const callId = textOf(metadata.tool_call_id) || `c${place}`;
	const replyId = textOf(response.id) || `event ${place}`;
	const said = fieldsOf(recordsOf(response.choices)[0]?.message);
	// The arguments as the model wrote them; the action's own are what the program made of them.
	const written = recordsOf(said.tool_calls).find(({ id }) => id === callId);
	const own = written ? readArguments(fieldsOf(written.function).arguments) : args;
	const blocks = [
		...(draft.hasReply(replyId) ? [] : thinks(textOf(said.reasoning_content))),
		...says(textOf(thought)),
		toolCall(callId, textOf(metadata.function_name) || action, own),
	];
	draft.reply(blocks, time, replyId);
	return callId;
}

/** Sent to the model as what went wrong. */
const FAILURES = new Set(["error", "user_rejected"]);

/** An observation that answers no call of the model is a note. */
function addObservation(draft: Draft, calls: CallIds, event: Fields, time: number) {
	const observation = textOf(event.observation);
	if (ASIDES.has(observation)) return;
	const content = readParts(event.content);
	const callId = textOf(fieldsOf(event.tool_call_metadata).tool_call_id) || calls.get(event.cause);
	const { metadata, exit_code: direct } = fieldsOf(event.extras);
	const code = fieldsOf(metadata).exit_code ?? direct;
	const isFailed = typeof code === "number" && code !== 0;
	const isError = FAILURES.has(observation) || event.success === false || isFailed;
	if (callId !== undefined) draft.result(callId, content, time, isError);
	else if (content.length > 0) draft.aside(content, time);
}

const KINDS = new Set(
	"SystemPromptEvent MessageEvent ActionEvent ObservationEvent AgentErrorEvent".split(" "),
);

export const openHandsSdkReader: SessionReader = {
	format: "openhands-sdk",
	recognise: (opening) => firstEvents(opening).some(({ kind }) => KINDS.has(textOf(kind))),
	read: (draft, opening) => readEvents(opening, draft.note, (event, place) => addEvent(draft, event, place)),
};

/** Other kinds are the program's own: its state, pauses, requests to condense. */
function addEvent(draft: Draft, event: Fields, place: number) {
	const time = timeOf(event.timestamp);
	const reply = textOf(event.llm_response_id) || `event ${place}`;
	const callId = textOf(event.tool_call_id);
	const addResult = (content: readonly Part[], isError: boolean) => {
		if (callId === "") draft.aside(content, time);
		else draft.result(callId, content, time, isError, textOf(event.tool_name));
	};
	switch (event.kind) {
		case "MessageEvent":
			return addMessage(draft, event, reply, time);
		case "ActionEvent": {
			// `tool_call` is what the model wrote, in the form of the Chat Completions API or flat.
			const call = fieldsOf(event.tool_call);
			const written = fieldsOf(call.function).arguments ?? call.arguments;
			const { kind: _, ...action } = fieldsOf(event.action);
			const tool = textOf(event.tool_name) || textOf(call.name) || "unknown";
			const blocks = [
				...thinks(textOf(event.reasoning_content)),
				...says(joinText(readParts(event.thought))),
				toolCall(callId || `c${place}`, tool, written ?? action),
			];
			return draft.reply(blocks, time, reply);
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
			if (typeof event.summary === "string") draft.summary(event.summary, time);
			return;
		default:
			if (typeof event.kind !== "string") draft.note(place, "an event without a kind: skipped");
	}
}

function addMessage(draft: Draft, event: Fields, reply: string, time: number) {
	const { content: recorded, reasoning_content } = fieldsOf(event.llm_message);
	const content = readParts(recorded);
	if (event.source === "agent") {
		draft.reply([...thinks(textOf(reasoning_content)), ...says(joinText(content))], time, reply);
		return;
	}
	if (event.source === "user") draft.user(content, time);
	else draft.aside(content, time);
	// What skills add to the user's words.
	const extended = readParts(event.extended_content);
	if (extended.length > 0) draft.aside(extended, time);
}
