/** pi's agent in this process: a scripted model and real tools, without session files and HTTP. */

import { type AgentTool, Agent as PiCoreAgent } from "@mariozechner/pi-agent-core";
import {
	type AssistantMessage,
	createAssistantMessageEventStream,
	getModel,
	type Message,
} from "@mariozechner/pi-ai";
import { convertToLlm, createCodingTools, serializeConversation } from "@mariozechner/pi-coding-agent";
import { type CountTokens, sum } from "#basics";
import { advanceProtocol, decideDelimiter, emptyProtocol } from "#core/annotation";
import type { ModelPrices } from "#core/prices";
import { contentText, type HostMessage } from "#pi/codec";
import { toolWords } from "#pi/prompt";
import { policyByName } from "#pi/session";
import { createPrefixMeter } from "#replay/metrics";
import { enginePolicy, type PolicyRequest, parsePolicies, type ReplayPolicy } from "#replay/policies";
import { modelReply } from "#replay/readers";
import { createSizes } from "#replay/recording";
import { createReplayPrompt } from "#replay/run";
import type { ModelMessage, ModelReply, ScriptedModel } from "#testing";
import { formatGrepResult, grep } from "#workspace";
import type { RequestFigure } from "../arms.ts";
import type { Condition } from "./conditions.ts";
import { SUMMARY_PROMPT } from "./summaries.ts";

interface SessionOptions {
	readonly condition: Condition;
	/** The repository to work in. */
	readonly directory: string;
	readonly model: ScriptedModel;
	/** Each request is added here. */
	readonly requests: RequestFigure[];
	readonly count: CountTokens;
	/** The facts that a session of this model would know. */
	readonly prices: ModelPrices;
}

/**
 * The manager of the condition's context: a policy of our extension, or one of the replay.
 * @throws CwlError `unknown-policy`
 */
export function findPolicy({ manager, policy, lowWater }: Condition): ReplayPolicy {
	if (manager === "cwl") return enginePolicy(policy, () => policyByName(policy), { lowWater });
	const [found] = parsePolicies(manager === "pi" ? "compaction" : policy);
	if (!found) throw new RangeError("a list of policies has at least one");
	return found;
}

/** Begins a new, empty session of a scripted model. */
export function openSession(options: SessionOptions): PiCoreAgent {
	const { condition, count, model, requests } = options;
	const { fixed } = createReplayPrompt(count);
	const sizes = createSizes(count);
	const project = findPolicy(condition).open({
		count,
		sizes,
		budget: condition.budget,
		isAuto: condition.isAuto,
		modelPrices: options.prices,
		fixed,
		summaries: [],
		summarize: (messages, previous) => summarize(model, messages, previous),
	});
	const measure = createPrefixMeter(sizes, fixed.system + fixed.tools);
	let recall: PolicyRequest["recall"];
	let sent = { tokens: 0, sharedTokens: 0 };
	let replies = 0;
	const agent: PiCoreAgent = new PiCoreAgent({
		initialState: {
			model: getModel("anthropic", "claude-sonnet-4-5"),
			tools: createTools(options, (query, page) => recall?.(query, page, agent.state.messages) ?? ""),
		},
		// As pi does it: lines for evicted episodes and summaries are messages of their own kind.
		convertToLlm,
		toolExecution: "sequential",
		transformContext: async (history) => {
			const { messages, extraCalls = [], ...made } = project(history);
			recall = made.recall;
			requests.push(...extraCalls.map((call) => ({ ...call, isSummary: true })));
			sent = measure(messages);
			return [...messages];
		},
		// A provider that answers at once with the replies of the scripted model.
		streamFn(_model, { systemPrompt = "", tools = [], messages }) {
			const stream = createAssistantMessageEventStream();
			const reply = model({ system: systemPrompt, tools, messages: messages.map(toModelMessage) });
			replies += 1;
			const message = toPiMessage(reply, replies);
			const { tokens: input, sharedTokens: cached } = sent;
			requests.push({ input, cached, output: sum(sizes(message)), isSummary: false });
			stream.push({ type: "done", reason: message.stopReason === "toolUse" ? "toolUse" : "stop", message });
			return stream;
		},
	});
	let ticks = 0;
	agent.subscribe((event) => {
		if (event.type !== "message_end") return;
		// One tick a message instead of the clock, so that runs with one seed are the same.
		ticks += 1;
		event.message.timestamp = ticks;
	});
	return agent;
}

/** Asks the model for a summary in the frame that pi asks in. */
function summarize(
	model: ScriptedModel,
	messages: readonly HostMessage[],
	previous: string | undefined,
): string {
	const conversation = serializeConversation(convertToLlm([...messages]));
	const earlier = previous === undefined ? "" : `\n\n<previous-summary>\n${previous}\n</previous-summary>`;
	const text = `<conversation>\n${conversation}\n</conversation>${earlier}`;
	return model({ system: SUMMARY_PROMPT, tools: [], messages: [{ type: "user", text }] }).text ?? "";
}

function toModelMessage(message: Message): ModelMessage {
	if (message.role === "user") return { type: "user", text: contentText(message.content) };
	if (message.role === "toolResult") {
		const { toolCallId: callId, isError } = message;
		return { type: "result", callId, text: contentText(message.content), isError };
	}
	const { content } = message;
	return {
		type: "assistant",
		thinking: content.map((block) => (block.type === "thinking" ? block.thinking : "")).join(""),
		text: contentText(content.flatMap((block) => (block.type === "text" ? [block] : []))),
		calls: content.filter((block) => block.type === "toolCall"),
	};
}

function toPiMessage({ thinking, text, calls = [] }: ModelReply, reply: number): AssistantMessage {
	const content: AssistantMessage["content"] = [];
	if (thinking) content.push({ type: "thinking", thinking });
	if (text) content.push({ type: "text", text });
	for (const [index, { name, arguments: input }] of calls.entries())
		content.push({ type: "toolCall", id: `call-${reply}-${index}`, name, arguments: { ...input } });
	const model = { api: "anthropic-messages", provider: "anthropic", model: "scripted" } as const;
	return { ...modelReply(content, Date.now()), ...model };
}

/** pi's own file tools, our grep, the delimiter protocol and recall, for one session. */
function createTools(
	{ condition, directory, count }: SessionOptions,
	recall: (query: string, page: number) => string,
): AgentTool[] {
	const { manager, hasMarks, hasRecall } = condition;
	const isManaged = manager === "cwl";
	let protocol = emptyProtocol;
	const delimiter = defineTool("delimiter", async (input) => {
		const decision = decideDelimiter(protocol, input);
		if (decision.type === "rejected") throw new Error(decision.message);
		protocol = advanceProtocol(protocol, decision.command);
		return `${decision.command.type} accepted`;
	});
	const search = defineTool("grep", async ({ pattern }) =>
		formatGrepResult(await grep({ pattern: String(pattern) }, { cwd: directory }), count),
	);
	return [
		...(isManaged && hasMarks ? [delimiter] : []),
		...(isManaged && hasRecall
			? [defineTool("recall", async ({ query, page = 1 }) => recall(String(query), Number(page)))]
			: []),
		...createCodingTools(directory),
		search,
	];
}

/** A tool of ours whose result is text. It throws on failure, as pi's tools do. */
function defineTool(
	name: "delimiter" | "grep" | "recall",
	run: (input: Readonly<Record<string, unknown>>) => Promise<string>,
): AgentTool {
	return {
		...toolWords[name],
		label: name,
		execute: async (_id, input) => ({
			content: [{ type: "text", text: await run({ ...Object(input) }) }],
			details: undefined,
		}),
	};
}
