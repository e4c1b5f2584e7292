/**
 * The events of OpenHands' agent SDK, version 1 on (github.com/OpenHands/software-agent-sdk,
 * openhands-sdk/openhands/sdk/event): `conversations/ID/events/event-00012-ID.json`, told apart by `kind`. Actions of
 * one `llm_response_id` came with one request.
 */
import {
	addSummary,
	addToReply,
	type Draft,
	finishDraft,
	hostNote,
	openDraft,
	type Part,
	says,
	textPart,
	thinks,
	toolCall,
	toolResult,
	userMessage,
} from "./composing.ts";
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

interface Reading extends Draft {
	readonly places: Map<string, number>;
	readonly tools: Map<string, string>;
}

async function read(opening: Opening): Promise<RecordedSession> {
	const draft = openDraft(opening.path, isList(opening) ? "#" : ":");
	const reading: Reading = { ...draft, places: new Map(), tools: new Map() };
	await readEvents(opening, draft.note, (event, place) => addEvent(reading, event, place));
	return finishDraft(draft, opening.path, openHandsSdkReader.format);
}

/** Other kinds are the program's own: its state, pauses, requests to condense. */
function addEvent(reading: Reading, event: Fields, place: number) {
	const time = timeOf(event.timestamp);
	switch (event.kind) {
		case "MessageEvent":
			return addMessage(reading, event, place, time);
		case "ActionEvent":
			return addAction(reading, event, place, time);
		case "ObservationEvent":
			return addResult(reading, event, readObservation(fieldsOf(event.observation)), time);
		case "AgentErrorEvent":
			return addFailure(reading, event, textOf(event.error), time);
		case "UserRejectObservation":
			return addFailure(reading, event, textOf(event.rejection_reason), time);
		case "Condensation": {
			const { summary } = event;
			if (typeof summary === "string") addSummary(reading, summary, time);
			return;
		}
		default:
			if (typeof event.kind !== "string") reading.note(place, "an event without a kind: skipped");
	}
}

function addMessage(reading: Reading, event: Fields, place: number, time: number) {
	const message = fieldsOf(event.llm_message);
	const content = readParts(message.content, () => {});
	if (event.source === "agent") {
		const blocks = [...thinks(textOf(message.reasoning_content)), ...says(joinText(content))];
		addToReply(reading, reading.places, textOf(event.llm_response_id) || `event ${place}`, blocks, time);
		return;
	}
	reading.messages.push(event.source === "user" ? userMessage(content, time) : hostNote(content, time));
	// What skills add to the person's words.
	const extended = readParts(event.extended_content, () => {});
	if (extended.length > 0) reading.messages.push(hostNote(extended, time));
}

/** `tool_call` is what the model wrote, in the form of the Chat Completions API or flat; `action` what was made of it. */
function addAction(reading: Reading, event: Fields, place: number, time: number) {
	const call = fieldsOf(event.tool_call);
	const written = fieldsOf(call.function).arguments ?? call.arguments;
	const { kind: _, ...action } = fieldsOf(event.action);
	const callId = textOf(event.tool_call_id) || `c${place}`;
	const tool = textOf(event.tool_name) || textOf(call.name) || "unknown";
	reading.tools.set(callId, tool);
	const blocks = [
		...thinks(textOf(event.reasoning_content)),
		...says(joinText(readParts(event.thought, () => {}))),
		toolCall(callId, tool, written === undefined ? action : readArguments(written)),
	];
	addToReply(reading, reading.places, textOf(event.llm_response_id) || `event ${place}`, blocks, time);
}

interface Observed {
	readonly content: readonly Part[];
	readonly isError: boolean;
}

/** Early versions keep the text as `output`, later ones the parts as `content`. */
function readObservation(observation: Fields): Observed {
	const { content, output, is_error, error, exit_code, metadata } = observation;
	const parts = readParts(content ?? output, () => {});
	const code = exit_code ?? fieldsOf(metadata).exit_code;
	const isFailed = typeof code === "number" && code > 0;
	return { content: parts, isError: is_error === true || error === true || isFailed };
}

function addFailure(reading: Reading, event: Fields, text: string, time: number) {
	addResult(reading, event, { content: [textPart(text)], isError: true }, time);
}

function addResult(reading: Reading, event: Fields, { content, isError }: Observed, timestamp: number) {
	const callId = textOf(event.tool_call_id);
	if (callId === "") {
		reading.messages.push(hostNote(content, timestamp));
		return;
	}
	const tool = reading.tools.get(callId) ?? (textOf(event.tool_name) || "unknown");
	reading.messages.push(toolResult({ callId, tool, content, isError, timestamp }));
}
