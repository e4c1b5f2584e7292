/** Messages of OpenAI's Chat Completions API, in which the SWE-agents record what was said. */
import { type Block, toolCall } from "./composing.ts";
import type { Fields } from "./json.ts";
import { fieldsOf, listOf, readArguments, textOf } from "./parts.ts";

/** The calls of an assistant message. `fallbackId` names those without an id. */
export function readToolCalls(message: Fields, fallbackId: string): readonly Block[] {
	return listOf(message.tool_calls)
		.map(fieldsOf)
		.map((call, index) => {
			const { name, arguments: args } = fieldsOf(call.function);
			return toolCall(textOf(call.id) || `${fallbackId}-${index}`, textOf(name), readArguments(args));
		});
}
