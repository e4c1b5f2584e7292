/**
 * OpenHands' event stream up to version 0 (github.com/All-Hands-AI/OpenHands, openhands/events/serialization):
 * actions `{id, source, action, args}` and observations `{id, cause, observation, content, extras}`, as the list that
 * an export saves, or one file an event. `tool_call_metadata` holds the model's whole response; actions that share
 * one came with one request. What a condenser forgot stays in the stream.
 */
import { type Block, type Draft, openDraft, says, thinks, toolCall } from "./composing.ts";
import { firstEvents, isList, readEvents } from "./event-stream.ts";
import { type Fields, isFields } from "./json.ts";
import { fieldsOf, listOf, readArguments, textOf, timeOf } from "./parts.ts";
import type { Opening, RecordedSession, SessionReader } from "./session-reader.ts";

export const openHandsReader: SessionReader = {
	format: "openhands",
	recognise,
	read,
	telltale: /"(action|observation)"\s*:\s*"/,
};

function recognise(opening: Opening): boolean {
	return firstEvents(opening).some(
		({ action, observation, args, extras }) =>
			(typeof action === "string" && isFields(args)) || (typeof observation === "string" && isFields(extras)),
	);
}

/** The id of each call by that of its action. */
type CallIds = Map<unknown, string>;

async function read(opening: Opening): Promise<RecordedSession> {
	const draft = openDraft(opening.path, isList(opening) ? "#" : ":");
	const calls: CallIds = new Map();
	await readEvents(opening, draft.note, (event, place) => {
		const time = timeOf(event.timestamp);
		if (typeof event.action === "string") addAction(draft, calls, event, event.action, place, time);
		else if (typeof event.observation === "string") addObservation(draft, calls, event, time);
		else draft.note(place, "neither an action nor an observation: skipped");
	});
	return draft.finish(openHandsReader.format);
}

/** The prompt, the state of the program, and look-ups by it whose text is made when it is sent. */
const ASIDES = new Set([
	"system",
	"change_agent_state",
	"agent_state_changed",
	"null",
	"recall",
	"condensation_request",
	"start",
]);

function addAction(draft: Draft, calls: CallIds, event: Fields, action: string, place: number, time: number) {
	const args = fieldsOf(event.args);
	if (action === "condensation") {
		if (typeof args.summary === "string") draft.summary(args.summary, time);
	} else if (ASIDES.has(action)) return;
	else if (event.source === "user") draft.user(draft.parts(args.content ?? event.message), time);
	else if (action === "message") draft.reply(says(textOf(args.content)), time);
	else calls.set(event.id, addCall(draft, event, action, place, time));
}

/** Returns the id of the call. */
function addCall(draft: Draft, event: Fields, action: string, place: number, time: number): string {
	const metadata = fieldsOf(event.tool_call_metadata);
	const response = fieldsOf(metadata.model_response);
	const args = fieldsOf(event.args);
	const callId = textOf(metadata.tool_call_id) || `c${place}`;
	const tool = textOf(metadata.function_name) || action;
	const replyId = textOf(response.id) || `event ${place}`;
	const said = fieldsOf(fieldsOf(listOf(response.choices)[0]).message);
	const blocks: Block[] = [
		...(draft.hasReply(replyId) ? [] : thinks(textOf(said.reasoning_content))),
		...says(textOf(args.thought)),
		toolCall(callId, tool, readCallArguments(said, callId) ?? withoutThought(args)),
	];
	draft.reply(blocks, time, replyId);
	return callId;
}

/** As the model wrote them; the action's own are what the program made of them. */
function readCallArguments(said: Fields, callId: string): Fields | undefined {
	const call = listOf(said.tool_calls)
		.map(fieldsOf)
		.find(({ id }) => id === callId);
	return call && readArguments(fieldsOf(call.function).arguments);
}

function withoutThought({ thought: _, ...args }: Fields): Fields {
	return args;
}

/** Told to the model as what went wrong. */
const FAILURES = new Set(["error", "user_rejected"]);

/** An observation that answers no call of the model is a note. */
function addObservation(draft: Draft, calls: CallIds, event: Fields, time: number) {
	const { tool_call_metadata, cause, extras, success } = event;
	const observation = textOf(event.observation);
	if (ASIDES.has(observation)) return;
	const content = draft.parts(event.content);
	const callId = textOf(fieldsOf(tool_call_metadata).tool_call_id) || calls.get(cause);
	if (callId === undefined) {
		if (content.length > 0) draft.aside(content, time);
		return;
	}
	const { metadata, exit_code: direct } = fieldsOf(extras);
	const code = fieldsOf(metadata).exit_code ?? direct;
	const isFailed = typeof code === "number" && code !== 0;
	const isError = FAILURES.has(observation) || success === false || isFailed;
	draft.result(callId, content, time, isError);
}
