/** The refusals of the Messages API about calls, their results, and tools that are loaded late. */
import { recordsOf, textOf, type UnknownRecord } from "#basics";
import { type Rule, rule, ruleForEach } from "../refusal.ts";
import { blocksIn, isServerResult, loadedTools, resultsIn, turnsIn, usesOf } from "../request-body.ts";

/** Calls of tools that Anthropic runs itself, and their results, in order. */
const serverBlocksIn = (body: UnknownRecord) =>
	blocksIn(body).filter(({ block }) => block.type === "server_tool_use" || isServerResult(block));

/** The names of the tools that a request loads only when they are referred to, or those of all of its tools. */
function toolNames({ tools }: UnknownRecord, isDeferred: boolean): ReadonlySet<string> {
	const some = recordsOf(tools).filter((tool) => !isDeferred || tool.defer_loading === true);
	return new Set(some.map(({ name }) => textOf(name)));
}

export const toolRules: readonly Rule[] = [
	/** API reference, "tool_use": ids match a pattern, which the error message spells out. */
	ruleForEach(
		turnsIn,
		(turn) =>
			!usesOf(turn).every((id) => /^[a-zA-Z0-9_-]+$/.test(id)) &&
			`${turn.place}.content.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'`,
	),
	/** Well-known error: no tool use id appears twice in a request. */
	rule((body) => {
		const ids = turnsIn(body).flatMap(usesOf);
		return new Set(ids).size < ids.length && "messages: `tool_use` ids must be unique";
	}),
	/** Tool use guide and well-known error: a result answers a tool use of the turn right before it. */
	ruleForEach(
		resultsIn,
		({ id, place, uses }) =>
			!uses.includes(id) &&
			`${place}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`,
	),
	/** Well-known error: a tool use has one result, not more. */
	ruleForEach(resultsIn, ({ id, place, turn, index, result }) => {
		const isSecond = turn.blocks
			.slice(0, index)
			.some((other) => other.type === "tool_result" && other.tool_use_id === result.tool_use_id);
		return (
			isSecond &&
			`${place}: each tool_use must have a single result. Found multiple \`tool_result\` blocks with id: ${id}`
		);
	}),
	/** Tool use guide and well-known error: the next user turn answers every tool use, before it says anything else. */
	ruleForEach(turnsIn, (turn, position, turns) => {
		const next = turns[position + 1]?.blocks ?? [];
		const end = next.findIndex((block) => block.type !== "tool_result");
		const answered = (end < 0 ? next : next.slice(0, end)).map((block) => textOf(block.tool_use_id));
		const missing = usesOf(turn).filter((id) => !answered.includes(id));
		return (
			missing.length > 0 &&
			`${turn.place}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${missing.join(", ")}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`
		);
	}),
	/** Web search guide and well-known error: a call of a server tool has its result, unless the answer was paused at its end. */
	ruleForEach(serverBlocksIn, ({ block: { type, id, name }, place }, at, list) => {
		if (type !== "server_tool_use") return undefined;
		const hasResult = list.slice(at).some(({ block }) => block.tool_use_id === id);
		return (
			!hasResult &&
			at < list.length - 1 &&
			`${place}: \`${textOf(name)}\` tool use with id \`${textOf(id)}\` was found without a corresponding \`${textOf(name)}_tool_result\` block`
		);
	}),
	/** Well-known error: the result of a server tool stands behind its call. */
	ruleForEach(serverBlocksIn, ({ block: { type, tool_use_id: id }, place }, at, list) => {
		if (type === "server_tool_use" || list.slice(0, at).some(({ block }) => block.id === id))
			return undefined;
		return `${place}: unexpected \`tool_use_id\` found in \`${textOf(type)}\` blocks: ${textOf(id)}. Each \`${textOf(type)}\` block must have a corresponding \`server_tool_use\` block before it.`;
	}),
	/** Tool search guide: a reference names a tool of the request. */
	rule((body) => {
		const known = toolNames(body, false);
		const missing = blocksIn(body)
			.flatMap(({ block }) => loadedTools(block))
			.find((name) => !known.has(name));
		return missing !== undefined && `Tool reference '${missing}' not found in available tools`;
	}),
	/** No source says that the API refuses it: a call of a deferred tool that nothing loads is taken for a mistake here. */
	rule((body) => {
		const hidden = new Set(toolNames(body, true));
		for (const { block, place } of blocksIn(body)) {
			for (const name of loadedTools(block)) hidden.delete(name);
			if (block.type === "tool_use" && hidden.has(textOf(block.name)))
				return `${place}: the deferred tool \`${textOf(block.name)}\` is not loaded`;
		}
		return undefined;
	}),
	/** Well-known error: a result that reports an error says something. */
	ruleForEach(resultsIn, ({ result: { is_error: isError, content = "" }, place }) => {
		const isEmpty = content === "" || (Array.isArray(content) && content.length === 0);
		return (
			isError === true && isEmpty && `${place}.tool_result: content cannot be empty if \`is_error\` is true`
		);
	}),
];
