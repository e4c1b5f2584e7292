/** LangChain with a scripted model: one `invoke` of an agent for each turn. */
import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import type { ChatResult } from "@langchain/core/outputs";
import { createAgent, tool } from "langchain";
import { isRecord } from "#core";
import { createPlayer, type HostRun, type Player } from "../conformance/host-run.ts";
import type { Answer, Block, Request } from "../conformance/script.ts";
import { textOf } from "../context/reading.ts";
import { cwlMiddleware } from "./index.ts";

class ScriptedChatModel extends BaseChatModel {
	readonly #answer: (request: Request) => Answer;

	constructor(answer: (request: Request) => Answer) {
		super({});
		this.#answer = answer;
	}

	_llmType(): string {
		return "scripted";
	}

	override bindTools(): this {
		return this;
	}

	async _generate(messages: BaseMessage[]): Promise<ChatResult> {
		const message = toMessage(this.#answer(messages.flatMap(readMessage)));
		return { generations: [{ text: "", message }] };
	}
}

export const runLangChain: HostRun = async (turns, { context, restarts }) => {
	const player = createPlayer(turns);
	const { model, tools } = scripted(player);
	const start = () => createAgent({ model, tools, middleware: [cwlMiddleware(context)] });
	let agent = start();
	let messages: BaseMessage[] = [];
	for (const { asks } of turns) {
		if (restarts) agent = start();
		const state = { messages: [...messages, new HumanMessage(asks)] };
		const options = { configurable: { thread_id: "s" }, recursionLimit: 999 };
		({ messages } = await agent.invoke(state, options));
	}
	return player.requests;
};

/** A model and tools that play a script. */
export function scripted(player: Player) {
	const tools = ["read", "edit"].map((name) =>
		tool(async (_input, { toolCall }) => player.resultOf(toolCall?.id ?? ""), {
			...{ name, description: name, schema: { type: "object", properties: {} } },
		}),
	);
	return { model: new ScriptedChatModel(player.answer), tools };
}

function toMessage({ thinking, text, calls }: Answer): AIMessage {
	const words = text === "" ? [] : [{ type: "text" as const, text }];
	return new AIMessage({
		content: thinking === "" ? text : [{ type: "thinking", thinking, signature: "s" }, ...words],
		tool_calls: calls.map(({ id, name, arguments: args }) => ({ type: "tool_call", id, name, args })),
	});
}

function readMessage(message: BaseMessage): readonly Block[] {
	if (HumanMessage.isInstance(message)) return [{ type: "user", text: message.text }];
	if (ToolMessage.isInstance(message)) {
		return [{ type: "result", id: message.tool_call_id, text: message.text }];
	}
	if (!AIMessage.isInstance(message)) return [];
	const { content, tool_calls: calls = [] } = message;
	const blocks = typeof content === "string" ? [{ type: "text", text: content }] : content.filter(isRecord);
	const said = blocks.flatMap((block): Block[] => {
		if (block.type === "thinking") return [{ type: "thinking", text: textOf(block.thinking) }];
		return textOf(block.text) === "" ? [] : [{ type: "text", text: textOf(block.text) }];
	});
	return [
		...said,
		...calls.map(({ id = "", name, args }) => ({ type: "call" as const, id, name, arguments: args })),
	];
}
