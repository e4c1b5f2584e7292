/**
 * Trajectories in Harbor's interchange format, ATIF, version 1 (github.com/laude-institute/harbor,
 * docs/rfcs/0001-trajectory-format.md): one JSON document with `steps`, each a user's turn, a message of the system, or
 * an agent's reply together with the results of its calls. System steps before the first reply are the prompt, which is
 * left out as everywhere.
 */
import type { Draft, SessionReader } from "./draft.ts";
import { type Fields, fieldsOf, isFields, listOf, recordsOf, textOf } from "./json.ts";
import {
	callIds,
	inclusiveUsage,
	joinText,
	type ReplyFacts,
	says,
	thinks,
	toolCall,
} from "./message-parts.ts";

export const atifReader: SessionReader = {
	format: "atif",
	lists: ["steps"],
	recognise({ document }) {
		if (!isFields(document) || !Array.isArray(document.steps)) return false;
		return textOf(document.schema_version).startsWith("ATIF-v1");
	},
	async read(draft, steps) {
		for await (const step of steps) addStep(draft, step);
	},
};

function addStep(draft: Draft, step: Fields) {
	const said = draft.parts(step.message);
	switch (step.source) {
		case "user":
			return draft.user(said);
		case "system":
			if (draft.hasBegun()) draft.aside(said);
			return addObservations(draft, step, []);
		case "agent": {
			const made = recordsOf(step.tool_calls).map(({ tool_call_id, function_name, arguments: args }) =>
				toolCall(textOf(tool_call_id), textOf(function_name), args),
			);
			const thought = thinks(textOf(step.reasoning_content));
			draft.reply([...thought, ...says(joinText(said)), ...made], undefined, readFacts(step));
			return addObservations(draft, step, callIds(made));
		}
		default:
			draft.noteUnknown("step of source", step.source);
	}
}

function readFacts({ metrics, model_name }: Fields): ReplyFacts {
	const { prompt_tokens, cached_tokens, completion_tokens } = fieldsOf(metrics);
	const usage = inclusiveUsage(prompt_tokens, cached_tokens, completion_tokens);
	return { model: textOf(model_name), usage };
}

/** A result without an id belongs to the only call that there is, or else to none: the agent acted without a tool. */
function addObservations(draft: Draft, step: Fields, calls: readonly string[]) {
	const results = recordsOf(fieldsOf(step.observation).results);
	const failed = listOf(fieldsOf(step.extra).failed_calls);
	const [only] = calls.length === 1 && results.length === 1 ? calls : [];
	for (const { source_call_id, content: said, extra } of results) {
		const content = draft.parts(said);
		const call = calls.find((id) => id === source_call_id) ?? (source_call_id ? undefined : only);
		if (call !== undefined) {
			draft.result(call, content, failed.includes(call) || fieldsOf(extra).is_error === true);
		} else if (content.length > 0) draft.aside(content);
	}
}
