/** The agent's loop inside this process: the engine, a scripted model and real tools, without pi and HTTP. */
import { defaultToolTable, type FixedTokens } from "#core";
import { createPrefixMeter, createSizes, type ReplayPolicy, sum } from "#lab";
import type { ModelReply, NewCall, ScriptedModel } from "#loopback";
import type { CountTokens, HostMessage } from "#pi";
import { createHeapGauge } from "../heap-gauge.ts";
import type { Agent, OverheadFigure, RequestFigure } from "./agent.ts";
import { createToolRunner, offeredTools, type RunTool } from "./local-tools.ts";
import { toModelMessages } from "./model-messages.ts";

export interface LocalAgentOptions {
	readonly directory: string;
	readonly model: ScriptedModel;
	readonly contender: ReplayPolicy;
	/** Whether the model is offered the delimiter. */
	readonly hasDelimiter: boolean;
	/** Tokens. */
	readonly budget: number;
	readonly fixed: FixedTokens;
	readonly count: CountTokens;
	readonly onRequest: (figure: RequestFigure, overhead: OverheadFigure) => void;
}

type Reply = HostMessage & { readonly role: "assistant" };
type Block = Reply["content"][number];

export function createLocalAgent(options: LocalAgentOptions): Agent {
	let session = openSession(options);
	return {
		async ask(prompt) {
			session.add({ role: "user", content: prompt, timestamp: 0 });
			for (;;) {
				const reply = session.request();
				const calls = reply.calls ?? [];
				if (calls.length === 0) return reply.text ?? "";
				await session.answer(calls);
			}
		},
		async renew() {
			session = openSession(options);
		},
		async close() {},
	};
}

interface Session {
	add(message: HostMessage): void;
	/** Send what the contender leaves of the history, and take down the reply. */
	request(): ModelReply;
	/** Carry out the calls of the last reply. */
	answer(calls: readonly NewCall[]): Promise<void>;
}

function openSession(options: LocalAgentOptions): Session {
	const { model, fixed, count } = options;
	const sizes = createSizes(count);
	const now = () => performance.now();
	const project = options.contender.open({ ...options, sizes, kinds: defaultToolTable, summaries: [], now });
	const runTool: RunTool = createToolRunner(options.directory);
	const tools = offeredTools(options.hasDelimiter);
	const measure = createPrefixMeter(sizes);
	const overhead = fixed.system + fixed.tools;
	const history: HostMessage[] = [];
	const heap = createHeapGauge();
	let textBytes = 0;
	/** pi's messages carry a time, which tells them apart. */
	function add(message: HostMessage) {
		history.push({ ...message, timestamp: history.length + 1 });
		textBytes += JSON.stringify(message).length;
	}
	const idOf = (index: number) => `call-${history.length}-${index}`;
	let ids: readonly string[] = [];

	return {
		add,
		request() {
			const start = now();
			const { messages } = project(history);
			const ms = now() - start;
			const reply = model({ system: "", tools, messages: toModelMessages(messages) });
			ids = (reply.calls ?? []).map((_, index) => idOf(index));
			const message = replyMessage(reply, ids);
			const { tokens, sharedTokens } = measure(messages);
			const shared = history.length === 1 ? 0 : overhead + sharedTokens;
			const figure: RequestFigure = {
				tokens: overhead + tokens,
				cachedTokens: shared,
				prefixTokens: shared,
				outputTokens: sum(sizes(message)),
				isRefused: false,
				isSummary: false,
			};
			options.onRequest(figure, { ms, heap: heap(), history: textBytes });
			add(message);
			return reply;
		},
		async answer(calls) {
			for (const [index, call] of calls.entries()) {
				const id = ids[index] ?? "";
				const { text, isError } = await runTool(id, call);
				const content = [{ type: "text" as const, text }];
				add({ role: "toolResult", toolCallId: id, toolName: call.name, content, isError, timestamp: 0 });
			}
		},
	};
}

const NO_USAGE: Reply["usage"] = {
	input: 0,
	output: 0,
	cacheRead: 0,
	cacheWrite: 0,
	totalTokens: 0,
	cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
};

function replyMessage({ thinking, text, calls = [] }: ModelReply, ids: readonly string[]): Reply {
	const content: Block[] = [];
	if (thinking) content.push({ type: "thinking", thinking });
	if (text) content.push({ type: "text", text });
	for (const [index, call] of calls.entries())
		content.push({ type: "toolCall", id: ids[index] ?? "", ...call });
	const model = { api: "anthropic-messages", provider: "local", model: "worker" } as const;
	const stopReason = calls.length > 0 ? "toolUse" : "stop";
	return { role: "assistant", content, ...model, usage: NO_USAGE, stopReason, timestamp: 0 };
}
