/** opencode's loop around its hook: messages and parts as its plugins see them, with an answer for each step. */
import type { Hooks } from "@opencode-ai/plugin";
import { createPlayer, type HostRun, type Player } from "../conformance/host-run.ts";
import type { Answer, Block, Turn } from "../conformance/script.ts";
import { createHooks } from "./index.ts";

type Transform = NonNullable<Hooks["experimental.chat.messages.transform"]>;
type Message = Parameters<Transform>[1]["messages"][number];
type Part = Message["parts"][number];

export const runOpencode: HostRun = async (turns, { context, restarts }) => {
	const player = createPlayer(turns);
	let hooks = createHooks(context);
	await playTurns(turns, player, async () => {
		if (restarts) hooks = createHooks(context);
		return hooks;
	});
	return player.requests;
};

/** Runs a script as opencode does, with the hooks that are loaded for each turn. */
export async function playTurns(turns: readonly Turn[], player: Player, load: () => Promise<Hooks>) {
	const stored: Message[] = [];
	for (const { asks, answers } of turns) {
		const hooks = await load();
		stored.push(userMessage(`msg_${stored.length}`, asks));
		for (const _ of answers) {
			// opencode reads its messages from the database for each request.
			const output = { messages: structuredClone(stored) };
			await hooks["experimental.chat.messages.transform"]?.({}, output);
			const answer = player.answer(output.messages.flatMap(({ info, parts }) => readParts(info.role, parts)));
			stored.push(assistantMessage(`msg_${stored.length}`, answer));
		}
	}
}

function userMessage(id: string, text: string): Message {
	const model = { providerID: "p", modelID: "m" };
	return {
		info: { id, sessionID: "s", role: "user", time: { created: 0 }, agent: "build", model },
		parts: [{ id: `${id}-0`, sessionID: "s", messageID: id, type: "text", text }],
	};
}

function assistantMessage(id: string, { thinking, text, calls }: Answer): Message {
	const base = (n: number) => ({ id: `${id}-${n}`, sessionID: "s", messageID: id });
	const tokens = { input: 1, output: 1, reasoning: 0, cache: { read: 0, write: 0 } };
	const time = { start: 0, end: 0 };
	const parts: Part[] = [
		{ ...base(0), type: "step-start" },
		...(thinking === "" ? [] : [{ ...base(1), type: "reasoning" as const, text: thinking, time }]),
		...(text === "" ? [] : [{ ...base(2), type: "text" as const, text }]),
		...calls.map(({ id: callID, name: tool, arguments: args, result }, index) => ({
			...{ ...base(3 + index), type: "tool" as const, callID, tool },
			state: {
				...{
					status: "completed" as const,
					input: { ...args },
					output: result,
					title: "",
					metadata: {},
					time,
				},
			},
		})),
		{ ...base(99), type: "step-finish", reason: "stop", cost: 0, tokens },
	];
	const path = { cwd: "/", root: "/" };
	return {
		info: {
			...{ id, sessionID: "s", role: "assistant", time: { created: 0 }, parentID: "", mode: "build" },
			...{ modelID: "m", providerID: "p", path, cost: 0, tokens },
		},
		parts,
	};
}

/** As opencode sends parts: the calls of an answer, then their results. */
function readParts(role: string, parts: readonly Part[]): readonly Block[] {
	const said = parts.flatMap((part): Block[] => {
		if (part.type === "text") return [{ type: role === "user" ? "user" : "text", text: part.text }];
		if (part.type === "reasoning") return [{ type: "thinking", text: part.text }];
		if (part.type !== "tool") return [];
		return [{ type: "call", id: part.callID, name: part.tool, arguments: part.state.input }];
	});
	const results = parts.flatMap((part): Block[] =>
		part.type === "tool" && part.state.status === "completed"
			? [{ type: "result", id: part.callID, text: part.state.output }]
			: [],
	);
	return [...said, ...results];
}
