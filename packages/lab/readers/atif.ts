/**
 * Trajectories in Harbor's interchange format, ATIF, version 1 (github.com/laude-institute/harbor,
 * docs/rfcs/0001-trajectory-format.md): one JSON document with `steps`, each a person's turn, a word of the system, or
 * an agent's reply together with the results of its calls. System steps before the first reply are the prompt, which is
 * left out as everywhere.
 */
import {
	type Draft,
	finishDraft,
	hostNote,
	modelReply,
	openDraft,
	says,
	thinks,
	toolCall,
	toolResult,
	userMessage,
} from "./composing.ts";
import { type Fields, isFields } from "./json.ts";
import { fieldsOf, joinText, listOf, readArguments, readParts, textOf, timeOf } from "./parts.ts";
import type { Opening, RecordedSession, SessionReader } from "./session-reader.ts";

export const atifReader: SessionReader = {
	format: "atif",
	recognise,
	read,
	telltale: /"schema_version"\s*:\s*"ATIF/,
};

function recognise({ document }: Opening): boolean {
	if (!isFields(document) || !Array.isArray(document.steps)) return false;
	return textOf(document.schema_version).startsWith("ATIF-v1");
}

async function read({ path, document }: Opening): Promise<RecordedSession> {
	const draft = openDraft(path, "#");
	for (const [place, step] of listOf(fieldsOf(document).steps).entries())
		addStep(draft, fieldsOf(step), place);
	return finishDraft(draft, path, atifReader.format);
}

function addStep(draft: Draft, step: Fields, place: number) {
	const time = timeOf(step.timestamp);
	const refuse = (kind: string) =>
		draft.note(place, `content part of kind ${JSON.stringify(kind)}: left out`);
	const said = readParts(step.message, refuse);
	switch (step.source) {
		case "user":
			draft.messages.push(userMessage(said, time));
			return;
		case "system":
			if (draft.messages.some(({ role }) => role === "assistant")) draft.messages.push(hostNote(said, time));
			addObservations(draft, step, [], time, refuse);
			return;
		case "agent": {
			const calls = listOf(step.tool_calls).map(fieldsOf).map(readCall);
			const text = says(joinText(said));
			draft.messages.push(
				modelReply(
					[...thinks(textOf(step.reasoning_content)), ...text, ...calls.map(({ block }) => block)],
					time,
				),
			);
			addObservations(draft, step, calls, time, refuse);
			return;
		}
		default:
			draft.note(place, `step of source ${JSON.stringify(step.source)}: skipped`);
	}
}

interface Call {
	readonly id: string;
	readonly name: string;
	readonly block: ReturnType<typeof toolCall>;
}

function readCall({ tool_call_id, function_name, arguments: args }: Fields): Call {
	const [id, name] = [textOf(tool_call_id), textOf(function_name)];
	return { id, name, block: toolCall(id, name, readArguments(args)) };
}

/** A result without an id belongs to the only call that there is, or else to none: the agent acted without a tool. */
function addObservations(
	draft: Draft,
	step: Fields,
	calls: readonly Call[],
	timestamp: number,
	refuse: (kind: string) => void,
) {
	const results = listOf(fieldsOf(step.observation).results).map(fieldsOf);
	const failed = listOf(fieldsOf(step.extra).failed_calls);
	const [only] = calls.length === 1 && results.length === 1 ? calls : [];
	for (const { source_call_id, content: said, extra } of results) {
		const content = readParts(said, refuse);
		const call = calls.find(({ id }) => id === source_call_id) ?? (source_call_id ? undefined : only);
		if (call) {
			const isError = failed.includes(call.id) || fieldsOf(extra).is_error === true;
			draft.messages.push(toolResult({ callId: call.id, tool: call.name, content, isError, timestamp }));
		} else if (content.length > 0) draft.messages.push(hostNote(content, timestamp));
	}
}
