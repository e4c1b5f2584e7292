/** OpenAI Agents with a scripted model: one `run` for each turn. */
import {
	Agent,
	type AgentInputItem,
	type AgentOutputItem,
	type Model,
	type ModelRequest,
	Runner,
	tool,
	Usage,
} from "@openai/agents-core";
import { createPlayer, type HostRun, type Player } from "../conformance/host-run.ts";
import type { Answer, Block } from "../conformance/script.ts";
import { argumentsOf, textsOf } from "../context/reading.ts";
import { createInputFilter } from "./index.ts";

export const runOpenAiAgents: HostRun = async (turns, { context, restarts }) => {
	const player = createPlayer(turns);
	const agent = scriptedAgent(player);
	const runner = new Runner({ tracingDisabled: true });
	let callModelInputFilter = createInputFilter(context);
	let history: AgentInputItem[] = [];
	for (const { asks } of turns) {
		if (restarts) {
			callModelInputFilter = createInputFilter(context);
			history = JSON.parse(JSON.stringify(history));
		}
		const input = [...history, { role: "user" as const, content: asks }];
		({ history } = await runner.run(agent, input, { callModelInputFilter, maxTurns: 99 }));
	}
	return player.requests;
};

/** An agent whose model and tools play a script. */
export function scriptedAgent(player: Player): Agent {
	const model: Model = {
		async getResponse({ input }: ModelRequest) {
			const items = typeof input === "string" ? [{ role: "user" as const, content: input }] : input;
			return { usage: new Usage(), output: toOutput(player.answer(items.flatMap(readItem))) };
		},
		getStreamedResponse() {
			throw new Error("nothing is streamed here");
		},
	};
	const tools = ["read", "edit"].map((name) =>
		tool({
			...{ name, description: name, strict: false },
			parameters: {
				type: "object" as const,
				properties: {},
				required: [],
				additionalProperties: true as const,
			},
			execute: async (_input: unknown, _context, details) => player.resultOf(details?.toolCall?.callId ?? ""),
		}),
	);
	return new Agent({ name: "agent", model, tools });
}

function toOutput({ thinking, text, calls }: Answer): AgentOutputItem[] {
	return [
		...(thinking === ""
			? []
			: [{ type: "reasoning" as const, content: [{ type: "input_text" as const, text: thinking }] }]),
		...(text === ""
			? []
			: [
					{
						...{ type: "message" as const, role: "assistant" as const, status: "completed" as const },
						content: [{ type: "output_text" as const, text }],
					},
				]),
		...calls.map(({ id, name, arguments: args }) => ({
			...{ type: "function_call" as const, callId: id, name, status: "completed" as const },
			arguments: JSON.stringify(args),
		})),
	];
}

function readItem(item: AgentInputItem): readonly Block[] {
	if ("role" in item) {
		const type = item.role === "user" ? "user" : "text";
		return [{ type, text: textsOf(item.content).join("\n") }];
	}
	switch (item.type) {
		case "reasoning":
			return [{ type: "thinking", text: textsOf(item.content).join("\n") }];
		case "function_call":
			return [{ type: "call", id: item.callId, name: item.name, arguments: argumentsOf(item.arguments) }];
		case "function_call_result": {
			const { output } = item;
			const content = typeof output === "object" && "text" in output ? output.text : output;
			return [{ type: "result", id: item.callId, text: textsOf(content).join("\n") }];
		}
		default:
			return [];
	}
}
