/** The part of a captured request before the conversation, which costs the same in every session. */
import { fieldsOf, objectsOf, stringOf } from "./json.ts";

export interface RequestHead {
	/** The system prompt's text. */
	readonly system: string;
	/** The tool definitions as they stand on the wire, as JSON. */
	readonly tools: string;
	readonly toolNames: readonly string[];
}

/** Read the body of a request of any of the three APIs. */
export function readHead(body: unknown): RequestHead {
	const fields = fieldsOf(body);
	const messages = objectsOf(fields.messages ?? fields.input);
	const spoken = messages.filter(({ role }) => role === "system" || role === "developer");
	const parts = [fields.system, fields.instructions, ...spoken.map(({ content }) => content)];
	return {
		system: parts.map(textOf).join(""),
		tools: JSON.stringify(fields.tools ?? []),
		toolNames: objectsOf(fields.tools).map((tool) => stringOf(tool.name ?? fieldsOf(tool.function).name)),
	};
}

function textOf(content: unknown): string {
	return (
		stringOf(content) ||
		objectsOf(content)
			.map(({ text }) => stringOf(text))
			.join("")
	);
}
