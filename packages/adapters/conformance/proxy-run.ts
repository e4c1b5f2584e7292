/** An agent behind `cwl proxy`: it speaks the Messages API and keeps its whole history. */
import { type fieldsOf, objectsOf } from "#loopback";
import { defaultToolTable, digestArguments, digestOutput } from "#pi";
import { createMemoryStore, projectBody, smallProjector } from "../../proxy/test-support/small-requests.ts";
import { argumentsOf, textOf, textsOf } from "../context/reading.ts";
import { createPlayer, type HostRun } from "./host-run.ts";
import type { Answer, Block, Request } from "./script.ts";

type Fields = ReturnType<typeof fieldsOf>;

export const runProxy: HostRun = async (turns, { context, restarts }) => {
	const { budget, countTokens, onPass } = context;
	const player = createPlayer(turns);
	const store = createMemoryStore();
	const reader = { countTokens, digestCall: digestArguments, digestOutput };
	const start = () => smallProjector(budget, store, { reader, tools: defaultToolTable });
	let projector = start();
	const messages: Fields[] = [];
	for (const { asks, answers } of turns) {
		if (restarts) projector = start();
		messages.push({ role: "user", content: asks });
		for (const _ of answers) {
			const body = { model: "m", max_tokens: 9_000, thinking: { type: "adaptive" }, messages };
			const { body: sent, pass } = projectBody(projector, body);
			if (pass) onPass?.("s", pass);
			const answer = player.answer(readRequest(JSON.parse(sent.toString())));
			messages.push({ role: "assistant", content: contentOf(answer) });
			if (answer.calls.length > 0) messages.push({ role: "user", content: answer.calls.map(resultOf) });
		}
	}
	return player.requests;
};

function contentOf({ thinking, text, calls }: Answer): readonly Fields[] {
	return [
		...(thinking === "" ? [] : [{ type: "thinking", thinking, signature: "s" }]),
		...(text === "" ? [] : [{ type: "text", text }]),
		...calls.map(({ id, name, arguments: input }) => ({ type: "tool_use", id, name, input })),
	];
}

function resultOf({ id, result }: Answer["calls"][number]): Fields {
	return { type: "tool_result", tool_use_id: id, content: result };
}

function readRequest({ messages }: Fields): Request {
	return objectsOf(messages).flatMap(({ role, content }) => {
		const blocks = typeof content === "string" ? [{ type: "text", text: content }] : objectsOf(content);
		return blocks.map((block) => readBlock(block, role === "user"));
	});
}

function readBlock(block: Fields, isUser: boolean): Block {
	switch (block.type) {
		case "thinking":
			return { type: "thinking", text: textOf(block.thinking) };
		case "tool_use":
			return {
				...{ type: "call", id: textOf(block.id), name: textOf(block.name) },
				arguments: argumentsOf(block.input),
			};
		case "tool_result":
			return { type: "result", id: textOf(block.tool_use_id), text: textsOf(block.content).join("\n") };
		default:
			return { type: isUser ? "user" : "text", text: textOf(block.text) };
	}
}
