import { type Fields, stringOf } from "../wire/json.ts";

/** A server-sent event that is named after its `type`, as in the Messages and Responses APIs. */
export function typedEvent(data: Fields): string {
	return `event: ${stringOf(data.type)}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** A server-sent event without a name, as in chat completions. */
export function plainEvent(data: unknown): string {
	return `data: ${typeof data === "string" ? data : JSON.stringify(data)}\n\n`;
}
