/**
 * The events of OpenHands' agent SDK, version 1 on (github.com/OpenHands/software-agent-sdk,
 * openhands-sdk/openhands/sdk/event): `conversations/ID/events/event-00012-ID.json`, told apart by `kind`. Actions of
 * one `llm_response_id` came with one request.
 */
import { type Draft, openDraft, type Part, says, textPart, thinks, toolCall } from "./composing.ts";
import { firstEvents, isList, readEvents } from "./event-stream.ts";
import type { Fields } from "./json.ts";
import { fieldsOf, joinText, readArguments, readParts, textOf, timeOf } from "./parts.ts";
import type { Opening, RecordedSession, SessionReader } from "./session-reader.ts";

export const openHandsSdkReader: SessionReader = {
	format: "openhands-sdk",
	recognise,
	read,
	telltale: /"kind"\s*:\s*"\w*(Event|Observation)"/,
};

const KINDS = new Set([
	"SystemPromptEvent",
	"MessageEvent",
	"ActionEvent",
	"ObservationEvent",
	"AgentErrorEvent",
]);

function recognise(opening: Opening): boolean {
	return firstEvents(opening).some(({ kind }) => KINDS.has(textOf(kind)));
}

async function read(opening: Opening): Promise<RecordedSession> {
	const draft = openDraft(opening.path, isList(opening) ? "#" : ":");
	await readEvents(opening, draft.note, (event, place) => addEvent(draft, event, place));
	return draft.finish(openHandsSdkReader.format);
}

/** Other kinds are the program's own: its state, pauses, requests to condense. */
function addEvent(draft: Draft, event: Fields, place: number) {
	const time = timeOf(event.timestamp);
	switch (event.kind) {
		case "MessageEvent":
			return addMessage(draft, event, place, time);
		case "ActionEvent":
			return addAction(draft, event, place, time);
		case "ObservationEvent":
			return addResult(draft, event, readObservation(fieldsOf(event.observation)), time);
		case "AgentErrorEvent":
			return addFailure(draft, event, textOf(event.error), time);
		case "UserRejectObservation":
			return addFailure(draft, event, textOf(event.rejection_reason), time);
		case "Condensation": {
			const { summary } = event;
			if (typeof summary === "string") draft.summary(summary, time);
			return;
		}
		default:
			if (typeof event.kind !== "string") draft.note(place, "an event without a kind: skipped");
	}
}

function addMessage(draft: Draft, event: Fields, place: number, time: number) {
	const message = fieldsOf(event.llm_message);
	const content = draft.parts(message.content);
	if (event.source === "agent") {
		const blocks = [...thinks(textOf(message.reasoning_content)), ...says(joinText(content))];
		draft.reply(blocks, time, textOf(event.llm_response_id) || `event ${place}`);
		return;
	}
	if (event.source === "user") draft.user(content, time);
	else draft.aside(content, time);
	// What skills add to the person's words.
	const extended = draft.parts(event.extended_content);
	if (extended.length > 0) draft.aside(extended, time);
}

/** `tool_call` is what the model wrote, in the form of the Chat Completions API or flat; `action` what was made of it. */
function addAction(draft: Draft, event: Fields, place: number, time: number) {
	const call = fieldsOf(event.tool_call);
	const written = fieldsOf(call.function).arguments ?? call.arguments;
	const { kind: _, ...action } = fieldsOf(event.action);
	const callId = textOf(event.tool_call_id) || `c${place}`;
	const tool = textOf(event.tool_name) || textOf(call.name) || "unknown";
	const blocks = [
		...thinks(textOf(event.reasoning_content)),
		...says(joinText(draft.parts(event.thought))),
		toolCall(callId, tool, written === undefined ? action : readArguments(written)),
	];
	draft.reply(blocks, time, textOf(event.llm_response_id) || `event ${place}`);
}

interface Observed {
	readonly content: readonly Part[];
	readonly isError: boolean;
}

/** Early versions keep the text as `output`, later ones the parts as `content`. */
function readObservation(observation: Fields): Observed {
	const { content, output, is_error, error, exit_code, metadata } = observation;
	const parts = readParts(content ?? output);
	const code = exit_code ?? fieldsOf(metadata).exit_code;
	const isFailed = typeof code === "number" && code > 0;
	return { content: parts, isError: is_error === true || error === true || isFailed };
}

function addFailure(draft: Draft, event: Fields, text: string, time: number) {
	addResult(draft, event, { content: [textPart(text)], isError: true }, time);
}

function addResult(draft: Draft, event: Fields, { content, isError }: Observed, time: number) {
	const callId = textOf(event.tool_call_id);
	if (callId === "") draft.aside(content, time);
	else draft.result(callId, content, time, isError, textOf(event.tool_name));
}
