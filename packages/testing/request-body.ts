/**
 * How the body of a request is read: the server, the rules of the providers and the prefix check know messages, blocks and items by
 * these functions alone. A wrong type reads as empty, so callers need no casts.
 */
import { fieldsOf, recordsOf, textOf, type UnknownRecord } from "#basics";

export const messagesIn = ({ messages }: UnknownRecord): readonly UnknownRecord[] => recordsOf(messages);

/** The content blocks of a message, a result or the system prompt: a string stands for one text block, an empty one for none. */
export function blocksOf(content: unknown): readonly UnknownRecord[] {
	if (typeof content !== "string") return recordsOf(content);
	return content === "" ? [] : [{ type: "text", text: content }];
}

/** Tools that a block loads, in whatever depth it names them. */
export function loadedTools(block: UnknownRecord): readonly string[] {
	if (block.type === "tool_reference") return [textOf(block.tool_name)];
	const { content } = block;
	const { tool_references: found } = fieldsOf(content);
	return [...recordsOf(content), ...recordsOf(found)].flatMap(loadedTools);
}

export function isThinking({ type }: UnknownRecord): boolean {
	return type === "thinking" || type === "redacted_thinking";
}

/** Returns true if a user message continues a tool loop: it holds nothing but results. */
function isOnlyResults({ role, content }: UnknownRecord): boolean {
	return role === "user" && blocksOf(content).every((block) => block.type === "tool_result");
}

/** Index of the first message of the tool loop that the request continues; the end of the list if there is none. */
export function openLoopStart(messages: readonly UnknownRecord[]): number {
	if (!messages.some((message) => message.role === "assistant")) return messages.length;
	return 1 + messages.findLastIndex((message) => message.role === "user" && !isOnlyResults(message));
}

/** Results of tools that Anthropic runs itself are part of the answer, such as `web_search_tool_result`. */
export const isServerResult = ({ type }: UnknownRecord): boolean => textOf(type).endsWith("_tool_result");

/** All text blocks of a content, those inside tool results too. */
export function textsOf(content: unknown): readonly string[] {
	return blocksOf(content).flatMap((block) => {
		if (block.type === "text") return [textOf(block.text)];
		return typeof block.content === "string" ? [] : textsOf(block.content);
	});
}

/** The blocks of all messages of the Messages API. `place` is such as `messages.3.content.0`. */
export const blocksIn = (body: UnknownRecord) =>
	messagesIn(body).flatMap(({ role, content }, index) =>
		blocksOf(content).map((block, at) => ({
			role,
			block,
			index,
			at,
			place: `messages.${index}.content.${at}`,
		})),
	);

/** Consecutive messages of one role, which the Messages API reads as a single turn (API reference, "messages"). */
export function turnsIn(body: UnknownRecord) {
	/** `place` is that of its first message, such as `messages.3`. */
	const turns: { readonly role: unknown; readonly blocks: UnknownRecord[]; readonly place: string }[] = [];
	for (const [index, { role, content }] of messagesIn(body).entries()) {
		const last = turns.at(-1);
		if (last && last.role === role) last.blocks.push(...blocksOf(content));
		else turns.push({ role, blocks: [...blocksOf(content)], place: `messages.${index}` });
	}
	return turns;
}

type Turn = ReturnType<typeof turnsIn>[number];

/** Ids of the tool uses, if the turn is the assistant's. */
export function usesOf(turn: Turn | undefined): readonly string[] {
	if (turn?.role !== "assistant") return [];
	return turn.blocks.flatMap(({ type, id }) => (type === "tool_use" ? [textOf(id)] : []));
}

/** The tool results, each with the tool uses of the turn before it. */
export const resultsIn = (body: UnknownRecord) =>
	turnsIn(body).flatMap((turn, position, turns) =>
		turn.blocks.flatMap((result, index) => {
			if (result.type !== "tool_result") return [];
			const place = `${turn.place}.content.${index}`;
			return [
				{ result, id: textOf(result.tool_use_id), place, turn, index, uses: usesOf(turns[position - 1]) },
			];
		}),
	);

/** The calls of a message of Chat Completions. */
export const functionCallsOf = ({ tool_calls: calls }: UnknownRecord) =>
	recordsOf(calls).map(({ id, function: called }) => ({ id: textOf(id), called: fieldsOf(called) }));

/** The items of a request of the Responses API; a string stands for one user message. */
export function itemsIn({ input }: UnknownRecord): readonly UnknownRecord[] {
	return typeof input === "string" ? [{ role: "user", content: input }] : recordsOf(input);
}

/** The type of an item of the Responses API; a message may leave it out. */
export function itemType({ type = "message" }: UnknownRecord): string {
	return String(type);
}

/** Returns true for a content of white space only; what is no text says something. */
export function isBlankContent(content: unknown): boolean {
	if (typeof content === "string") return content.trim() === "";
	const parts = recordsOf(content);
	return parts.length > 0 && parts.every(({ text }) => typeof text === "string" && text.trim() === "");
}
