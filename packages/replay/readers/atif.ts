/**
 * Trajectories in Harbor's interchange format, ATIF, version 1 (github.com/laude-institute/harbor,
 * docs/rfcs/0001-trajectory-format.md): one JSON document with `steps`, each a person's turn, a word of the system, or
 * an agent's reply together with the results of its calls. System steps before the first reply are the prompt, which is
 * left out as everywhere.
 */
import { type Draft, openDraft, says, thinks, toolCall } from "./composing.ts";
import { type Fields, isFields } from "./json.ts";
import { fieldsOf, joinText, listOf, readArguments, textOf, timeOf } from "./parts.ts";
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
	return draft.finish(atifReader.format);
}

function addStep(draft: Draft, step: Fields, place: number) {
	const time = timeOf(step.timestamp);
	const said = draft.parts(step.message, place);
	switch (step.source) {
		case "user":
			return draft.user(said, time);
		case "system":
			if (draft.hasBegun()) draft.aside(said, time);
			return addObservations(draft, step, [], time, place);
		case "agent": {
			const calls = listOf(step.tool_calls).map(fieldsOf);
			const blocks = [
				...thinks(textOf(step.reasoning_content)),
				...says(joinText(said)),
				...calls.map(readCall),
			];
			draft.reply(blocks, time);
			const ids = calls.map(({ tool_call_id }) => textOf(tool_call_id));
			return addObservations(draft, step, ids, time, place);
		}
		default:
			draft.note(place, `step of source ${JSON.stringify(step.source)}: skipped`);
	}
}

function readCall({ tool_call_id, function_name, arguments: args }: Fields) {
	return toolCall(textOf(tool_call_id), textOf(function_name), readArguments(args));
}

/** A result without an id belongs to the only call that there is, or else to none: the agent acted without a tool. */
function addObservations(draft: Draft, step: Fields, calls: readonly string[], time: number, place: number) {
	const results = listOf(fieldsOf(step.observation).results).map(fieldsOf);
	const failed = listOf(fieldsOf(step.extra).failed_calls);
	const [only] = calls.length === 1 && results.length === 1 ? calls : [];
	for (const { source_call_id, content: said, extra } of results) {
		const content = draft.parts(said, place);
		const call = calls.find((id) => id === source_call_id) ?? (source_call_id ? undefined : only);
		if (call !== undefined) {
			draft.result(call, content, time, failed.includes(call) || fieldsOf(extra).is_error === true);
		} else if (content.length > 0) draft.aside(content, time);
	}
}
