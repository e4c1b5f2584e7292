/** pi's agent in this process: a scripted model and real tools, without session files and HTTP. */
import { type AgentTool, Agent as PiCoreAgent, type StreamFn } from "@mariozechner/pi-agent-core";
import {
	type AssistantMessage,
	createAssistantMessageEventStream,
	getModel,
	type Message,
} from "@mariozechner/pi-ai";
import { convertToLlm, createCodingTools, serializeConversation } from "@mariozechner/pi-coding-agent";
import { advanceProtocol, decideDelimiter, emptyProtocol } from "#core/annotation";
import type { FixedTokens } from "#core/ledger";
import type { ModelMessage, ModelReply, ScriptedModel } from "#loopback";
import { type CountTokens, contentText, type HostMessage, loadTokenCounter } from "#pi/codec";
import { toolWords } from "#pi/prompt";
import { policyByName } from "#pi/session";
import { createPrefixMeter } from "#replay/metrics";
import {
	type ExtraCall,
	enginePolicy,
	type PolicyRequest,
	parsePolicies,
	type ReplayPolicy,
} from "#replay/policies";
import { modelReply } from "#replay/readers";
import { createSizes, sum } from "#replay/recording";
import { createReplayPrompt } from "#replay/run";
import { formatGrepResult, grep } from "#workspace";
import { type Condition, hasMarks, readSettings } from "./conditions.ts";
import { SUMMARY_PROMPT } from "./model-wrappers.ts";

/** One request as it was sent, in tokens; `cached` were in the request before. */
export interface RequestFigure extends ExtraCall {
	/** True for a call that was made for a summary. */
	readonly isSummary: boolean;
}

interface LocalAgentOptions {
	readonly condition: Condition;
	/** The repository to work in. */
	readonly directory: string;
	readonly model: ScriptedModel;
	/** Each request is added here. */
	readonly requests: RequestFigure[];
}

interface OpenOptions extends LocalAgentOptions {
	readonly fixed: FixedTokens;
	readonly count: CountTokens;
}

export type LocalAgent = Awaited<ReturnType<typeof startLocalAgent>>;

/** Starts a scripted model in this process. */
export async function startLocalAgent(place: LocalAgentOptions) {
	const count = await loadTokenCounter();
	const options = { ...place, count, fixed: createReplayPrompt(count).fixed };
	let session = openSession(options);
	return {
		/** Sends a user turn and returns at its end. */
		async ask(prompt: string) {
			await session.prompt({ role: "user", content: prompt, timestamp: 0 });
			const { errorMessage } = session.state;
			if (errorMessage !== undefined) throw new Error(errorMessage);
		},
		/** Begins a new, empty session. */
		renew() {
			session = openSession(options);
		},
		/** The whole history of the session, evicted content included. */
		history: (): readonly HostMessage[] => session.state.messages,
	};
}

/**
 * The manager of the condition's context: a policy of our extension, or one of the replay.
 * @throws CwlError `unknown-policy`
 */
function findPolicy({ manager, policy: name }: Condition): ReplayPolicy {
	const { policy, lowWater } = readSettings(name);
	if (manager === "cwl") return enginePolicy(policy, () => policyByName(policy), { lowWater });
	const [found] = parsePolicies(manager === "pi" ? "compaction" : name);
	if (!found) throw new RangeError("a list of policies has at least one");
	return found;
}

type Sizes = ReturnType<typeof createSizes>;

function openSession(options: OpenOptions): PiCoreAgent {
	const { condition, count, fixed, model } = options;
	const sizes = createSizes(count);
	const project = findPolicy(condition).open({
		...{ count, sizes, budget: condition.budget, fixed, summaries: [] },
		summarize: (messages, previous) => summarize(model, messages, previous),
	});
	let recall: PolicyRequest["recall"];
	const meter = createRequestMeter(options, sizes);
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
			for (const call of extraCalls) meter.summarized(call);
			meter.projected(messages);
			return [...messages];
		},
		streamFn: createScriptedStream(options.model, meter.answered),
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
export function summarize(
	model: ScriptedModel,
	messages: readonly HostMessage[],
	previous: string | undefined,
): string {
	const conversation = serializeConversation(convertToLlm([...messages]));
	const earlier = previous === undefined ? "" : `\n\n<previous-summary>\n${previous}\n</previous-summary>`;
	const text = `<conversation>\n${conversation}\n</conversation>${earlier}`;
	return model({ system: SUMMARY_PROMPT, tools: [], messages: [{ type: "user", text }] }).text ?? "";
}

/** Measures each request between its projection and its answer. */
function createRequestMeter({ fixed, requests }: OpenOptions, sizes: Sizes) {
	const measure = createPrefixMeter(sizes, fixed.system + fixed.tools);
	let request = { tokens: 0, sharedTokens: 0 };
	return {
		projected(messages: readonly HostMessage[]) {
			request = measure(messages);
		},
		summarized: (call: ExtraCall) => void requests.push({ ...call, isSummary: true }),
		answered(reply: AssistantMessage) {
			const { tokens: input, sharedTokens: cached } = request;
			requests.push({ input, cached, output: sum(sizes(reply)), isSummary: false });
		},
	};
}

/** A provider for pi's agent that answers at once with the replies of a scripted model. */
function createScriptedStream(model: ScriptedModel, onAnswer: (message: AssistantMessage) => void): StreamFn {
	let replies = 0;
	return (_model, { systemPrompt = "", tools = [], messages }) => {
		const stream = createAssistantMessageEventStream();
		replies += 1;
		const reply = model({ system: systemPrompt, tools, messages: messages.map(toModelMessage) });
		const message = toPiMessage(reply, replies);
		onAnswer(message);
		stream.push({ type: "done", reason: message.stopReason === "toolUse" ? "toolUse" : "stop", message });
		return stream;
	};
}

function toModelMessage(message: Message): ModelMessage {
	switch (message.role) {
		case "user":
			return { type: "user", text: contentText(message.content) };
		case "assistant": {
			const { content } = message;
			return {
				type: "assistant",
				thinking: content.map((block) => (block.type === "thinking" ? block.thinking : "")).join(""),
				text: content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n"),
				calls: content.flatMap((block) =>
					block.type === "toolCall" ? [{ id: block.id, name: block.name, arguments: block.arguments }] : [],
				),
			};
		}
		case "toolResult": {
			const { toolCallId: callId, isError } = message;
			return { type: "result", callId, text: contentText(message.content), isError };
		}
	}
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
	{ condition, directory, count }: OpenOptions,
	recall: (query: string, page: number) => string,
): AgentTool[] {
	const { manager, policy } = condition;
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
		...(hasMarks(condition) ? [delimiter] : []),
		...(manager === "cwl" && readSettings(policy).hasRecall
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
