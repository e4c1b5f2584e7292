import { behaviorOf } from "../models/behavior.ts";
import { openLoopStart } from "../provider-rules/anthropic-thinking.ts";
import { type Fields, objectsOf, stringOf } from "../wire/json.ts";
import { anthropicFormat } from "./anthropic-format.ts";

/**
 * Removes the thinking that the model neither sees nor bills: older Claude models and Haiku up to 4.5 keep only that of
 * the turn in progress (thinking guide, "billing").
 */
export function withoutOldThinking(body: Fields): Fields {
	if (behaviorOf(stringOf(body.model)).keepsOldThinking) return body;
	const start = openLoopStart(objectsOf(body.messages));
	return anthropicFormat.mapThinking(body, ({ message, signature }) =>
		message < start ? undefined : signature,
	);
}
