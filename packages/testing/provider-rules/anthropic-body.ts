/** Reads the messages, blocks, turns and results of a body of the Messages API. */
import { recordsOf, textOf, type UnknownRecord } from "#basics";
import { blocksOf } from "../json.ts";

/** Results of tools that Anthropic runs itself are part of the answer, such as `web_search_tool_result`. */
export const isServerResult = ({ type }: UnknownRecord): boolean => textOf(type).endsWith("_tool_result");

/** All text blocks of a content, those inside tool results too. */
export function textsOf(content: unknown): readonly string[] {
	return blocksOf(content).flatMap((block) => {
		if (block.type === "text") return [textOf(block.text)];
		return typeof block.content === "string" ? [] : textsOf(block.content);
	});
}

export const messagesIn = ({ messages }: UnknownRecord): readonly UnknownRecord[] => recordsOf(messages);

/** The blocks of all messages. `place` is such as `messages.3.content.0`. */
export const blocksIn = (body: UnknownRecord) =>
	messagesIn(body).flatMap(({ role, content }, index) =>
		blocksOf(content).map((block, at) => ({ role, block, place: `messages.${index}.content.${at}` })),
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
