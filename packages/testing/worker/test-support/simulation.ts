/** Runs tasks with a scripted model and in-process tools, with an eviction of the test's choice. */

import type {
	ModelCall,
	ModelMessage,
	ModelReply,
	ModelRequest,
	ScriptedModel,
	ToolDefinition,
} from "../../model.ts";
import type { Task } from "../tasks/index.ts";
import { ALL_TOOLS, createToolRunner } from "./scratch-tools.ts";

/** The part of the history that a request shows. */
export type Eviction = (history: readonly ModelMessage[]) => readonly ModelMessage[];

export interface SimulationOptions {
	readonly tools?: readonly ToolDefinition[];
	readonly evict?: Eviction;
	/** Sees every request with its reply. */
	readonly observe?: (request: ModelRequest, reply: ModelReply) => void;
	/** Requests per task after which the simulation stops the turn. */
	readonly limit?: number;
}

export interface TaskRun {
	readonly id: string;
	readonly solved: boolean;
	readonly requests: number;
	readonly refusals: number;
	readonly answer: string;
}

/** Runs the tasks in one session in `directory`. The history grows, and each request shows what `evict` leaves. */
export async function simulate(
	model: ScriptedModel,
	directory: string,
	tasks: readonly Task[],
	options: SimulationOptions = {},
): Promise<readonly TaskRun[]> {
	const history: ModelMessage[] = [];
	const runTool = createToolRunner(directory);
	const runs: TaskRun[] = [];
	for (const task of tasks) {
		const start = history.length;
		await task.prepare(directory);
		history.push({ type: "user", text: task.prompt });
		const turn = await runTurn(model, history, runTool, options);
		runs.push({
			id: task.id,
			solved: await task.verify(directory),
			refusals: countRefusals(history.slice(start)),
			...turn,
		});
	}
	return runs;
}

async function runTurn(
	model: ScriptedModel,
	history: ModelMessage[],
	runTool: ReturnType<typeof createToolRunner>,
	{ tools = ALL_TOOLS, evict = (messages) => messages, observe, limit = 120 }: SimulationOptions,
): Promise<{ readonly requests: number; readonly answer: string }> {
	for (let requests = 1; requests <= limit; requests += 1) {
		const request: ModelRequest = { system: "", tools, messages: evict(history) };
		const reply = model(request);
		observe?.(request, reply);
		const calls = (reply.calls ?? []).map(
			(call, index): ModelCall => ({ ...call, id: `c${history.length}-${index}` }),
		);
		history.push({ type: "assistant", thinking: reply.thinking ?? "", text: reply.text ?? "", calls });
		if (calls.length === 0) return { requests, answer: reply.text ?? "" };
		for (const call of calls) history.push({ type: "result", callId: call.id, ...(await runTool(call)) });
	}
	return { requests: limit, answer: "" };
}

function countRefusals(messages: readonly ModelMessage[]): number {
	const calls = messages.flatMap((message) => (message.type === "assistant" ? message.calls : []));
	const delimiters = new Set(calls.flatMap(({ id, name }) => (name === "delimiter" ? [id] : [])));
	return messages.filter((one) => one.type === "result" && one.isError && delimiters.has(one.callId)).length;
}
