import { type Fields, objectsOf, stringOf } from "../wire/json.ts";
import { badRequest, firstOf, type Refusal } from "../wire/refusal.ts";

/** Consecutive messages of one role, which the Messages API reads as a single turn (API reference, "messages"). */
interface WireTurn {
	readonly role: string;
	/** Index of its first message. */
	readonly index: number;
	readonly blocks: readonly Fields[];
}

/** A string stands for one text block. */
export function blocksOf(content: unknown): readonly Fields[] {
	return typeof content === "string" ? [{ type: "text", text: content }] : objectsOf(content);
}

function turnsOf(messages: unknown): readonly WireTurn[] {
	const turns: WireTurn[] = [];
	for (const [index, message] of objectsOf(messages).entries()) {
		const role = stringOf(message.role);
		const last = turns.at(-1);
		const blocks = blocksOf(message.content);
		if (last?.role === role) turns[turns.length - 1] = { ...last, blocks: [...last.blocks, ...blocks] };
		else turns.push({ role, index, blocks });
	}
	return turns;
}

function toolUseIds(turn: WireTurn | undefined): readonly string[] {
	const uses = turn?.role === "assistant" ? turn.blocks.filter((block) => block.type === "tool_use") : [];
	return uses.map((block) => stringOf(block.id));
}

/** The ids that a turn answers, up to its first block that is no result. */
function leadingResultIds(turn: WireTurn | undefined): readonly string[] {
	const blocks = turn?.blocks ?? [];
	const end = blocks.findIndex((block) => block.type !== "tool_result");
	return (end < 0 ? blocks : blocks.slice(0, end)).map((block) => stringOf(block.tool_use_id));
}

/** Tool use guide and well-known error: a result answers a tool use of the turn right before it. */
export function checkResultsHaveUses({ messages }: Fields): Refusal | undefined {
	const turns = turnsOf(messages);
	return firstOf(turns, (turn, position) => {
		const uses = toolUseIds(turns[position - 1]);
		return firstOf(turn.blocks, ({ type, tool_use_id: id }, at) => {
			if (type !== "tool_result" || uses.includes(stringOf(id))) return undefined;
			const place = `messages.${turn.index}.content.${at}`;
			return badRequest(
				`${place}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${stringOf(id)}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`,
			);
		});
	});
}

/** Well-known error: a tool use has one result, not more. */
export function checkResultsUnique({ messages }: Fields): Refusal | undefined {
	return firstOf(turnsOf(messages), (turn) => {
		const seen = new Set<string>();
		return firstOf(turn.blocks, ({ type, tool_use_id: callId }, at) => {
			if (type !== "tool_result") return undefined;
			const id = stringOf(callId);
			const message = `messages.${turn.index}.content.${at}: each tool_use must have a single result. Found multiple \`tool_result\` blocks with id: ${id}`;
			if (seen.has(id)) return badRequest(message);
			seen.add(id);
			return undefined;
		});
	});
}

/** Tool use guide and well-known error: the next user turn answers every tool use, before it says anything else. */
export function checkUsesHaveResults({ messages }: Fields): Refusal | undefined {
	const turns = turnsOf(messages);
	return firstOf(turns, (turn, position) => {
		const answered = new Set(leadingResultIds(turns[position + 1]));
		const missing = toolUseIds(turn).filter((id) => !answered.has(id));
		if (missing.length === 0) return undefined;
		return badRequest(
			`messages.${turn.index}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${missing.join(", ")}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`,
		);
	});
}

/** Well-known error: no tool use id appears twice in a request. */
export function checkUsesUnique({ messages }: Fields): Refusal | undefined {
	const ids = turnsOf(messages).flatMap(toolUseIds);
	return new Set(ids).size === ids.length ? undefined : badRequest("messages: `tool_use` ids must be unique");
}

/** API reference, "tool_use": ids match a pattern, which the error message spells out. */
export function checkUseIds({ messages }: Fields): Refusal | undefined {
	return firstOf(turnsOf(messages), (turn) =>
		firstOf(toolUseIds(turn), (id) => {
			if (/^[a-zA-Z0-9_-]+$/.test(id)) return undefined;
			return badRequest(
				`messages.${turn.index}.content.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'`,
			);
		}),
	);
}

/** Well-known error: a result that reports an error says something. */
export function checkErrorsSpeak({ messages }: Fields): Refusal | undefined {
	return firstOf(turnsOf(messages), (turn) =>
		firstOf(turn.blocks, ({ type, is_error: isError, content }, at) => {
			const silent = content === undefined || content === "" || (Array.isArray(content) && !content.length);
			if (type !== "tool_result" || isError !== true || !silent) return undefined;
			const place = `messages.${turn.index}.content.${at}.tool_result`;
			return badRequest(`${place}: content cannot be empty if \`is_error\` is true`);
		}),
	);
}
