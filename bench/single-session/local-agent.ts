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
import { lowWaters } from "#core/planning";
import type { ModelMessage, ModelReply, ScriptedModel } from "#loopback";
import {
	answerRecall,
	type CountTokens,
	contentText,
	createManagedSession,
	defaultToolTable,
	type HostMessage,
	loadTokenCounter,
	policyByName,
	toolWords,
} from "#pi";
import {
	createPrefixMeter,
	createReplayPrompt,
	createSizes,
	parsePolicies,
	type ReplayPolicy,
	sum,
} from "#replay";
import { formatGrepResult, grep } from "#workspace";
import { assistantMessage } from "../assistant-message.ts";
import { type Condition, hasMarks, readSettings } from "./conditions.ts";
import { type Agent, type AgentPlace, createModel, type StartAgent } from "./run.ts";
import { SUMMARY_PROMPT } from "./summariser.ts";

/** Answers one page of a recall in a session of these messages. */
type RecallPage = (messages: readonly HostMessage[], query: string, page: number) => string;

/** A policy whose sessions may be able to give back what left. */
interface LocalPolicy {
	open(
		settings: Parameters<ReplayPolicy["open"]>[0],
	): ReturnType<ReplayPolicy["open"]> & { readonly recall?: RecallPage };
}

interface LocalAgentOptions {
	readonly place: LocalPlace;
	readonly model: ScriptedModel;
	readonly fixed: FixedTokens;
	readonly count: CountTokens;
}

type LocalPlace = Pick<AgentPlace, "condition" | "directory" | "meters">;

/** Starts the worker in this process. */
export const startScriptedLoop: StartAgent = (place) => startLocalAgent(place, createModel(place));

/** Starts any scripted model in this process. */
export async function startLocalAgent(place: LocalPlace, model: ScriptedModel): Promise<Agent> {
	const count = await loadTokenCounter();
	const options = { place, model, count, fixed: createReplayPrompt(count).fixed };
	let session = openSession(options);
	return {
		async ask(prompt) {
			await session.prompt({ role: "user", content: prompt, timestamp: 0 });
			const { errorMessage } = session.state;
			if (errorMessage !== undefined) throw new Error(errorMessage);
		},
		async renew() {
			session = openSession(options);
		},
		async close() {},
	};
}

/** The policy of a condition. @throws CwlError `unknown-policy` */
function createPolicy(condition: Condition): LocalPolicy {
	const { manager, policy: name } = condition;
	if (manager === "cwl") return createManagedPolicy(condition);
	const [policy] = parsePolicies(manager === "pi" ? "compaction" : name);
	if (policy) return policy;
	throw new RangeError("a list of policies has at least one");
}

/** The engine of our extension in this process, with the recall tool that the extension offers. */
function createManagedPolicy(condition: Condition): LocalPolicy {
	const { policy: name, lowWater, hasRecall } = readSettings(condition.policy);
	const policy = policyByName(name);
	return {
		open({ count, budget, fixed }) {
			const session = createManagedSession(count, defaultToolTable);
			const settings = { policy, budget, fixed, lowWater: lowWaters[lowWater], keepsLoopThinking: true };
			const project: ReturnType<ReplayPolicy["open"]> = (history) => ({
				messages: session.request(history, settings).messages,
				pass: undefined,
			});
			const recall: RecallPage = (messages, query, page) => {
				const context = { messages, ...session.inspect(messages) };
				return answerRecall({ context, whole: undefined }, { query, page, takesImages: false }, count).text;
			};
			return hasRecall ? Object.assign(project, { recall }) : project;
		},
	};
}

function openSession(options: LocalAgentOptions): PiCoreAgent {
	const sizes = createSizes(options.count);
	const { condition } = options.place;
	const project = createPolicy(condition).open({
		...options,
		sizes,
		budget: condition.budget,
		summaries: [],
		summarize: (messages, previous) => summarize(options.model, messages, previous),
	});
	const { recall } = project;
	const meter = createRequestMeter(options, sizes);
	const agent: PiCoreAgent = new PiCoreAgent({
		initialState: {
			model: getModel("anthropic", "claude-sonnet-4-5"),
			tools: createTools(options, recall && ((query, page) => recall(agent.state.messages, query, page))),
		},
		// As pi does it: lines for evicted episodes and summaries are messages of their own kind.
		convertToLlm,
		toolExecution: "sequential",
		transformContext: async (history) => {
			const { messages, extraCalls = [] } = project(history);
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

/** Measures each request between its projection and its answer. */
function createRequestMeter({ fixed, place }: LocalAgentOptions, sizes: ReturnType<typeof createSizes>) {
	const measure = createPrefixMeter(sizes);
	const overhead = fixed.system + fixed.tools;
	let isFirst = true;
	let request = { tokens: 0, sharedTokens: 0 };
	const note = (tokens: number, cached: number, outputTokens: number, isSummary: boolean) => {
		const caches = { cachedTokens: cached, prefixTokens: cached };
		place.meters.requests.push({ tokens, ...caches, outputTokens, isRefused: false, isSummary });
	};
	return {
		projected(messages: readonly HostMessage[]) {
			request = measure(messages);
		},
		summarized: ({ input, cached, output }: ExtraCall) => note(input, cached, output, true),
		answered(reply: AssistantMessage) {
			const shared = isFirst ? 0 : overhead + request.sharedTokens;
			isFirst = false;
			note(overhead + request.tokens, shared, sum(sizes(reply)), false);
		},
	};
}

type ExtraCall = NonNullable<ReturnType<ReturnType<ReplayPolicy["open"]>>["extraCalls"]>[number];

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
	const stopReason = calls.length > 0 ? "toolUse" : "stop";
	return assistantMessage(content, { stopReason, timestamp: Date.now() });
}

/** pi's own file tools, our grep, the delimiter protocol and recall, for one session. */
function createTools(
	{ place: { condition, directory }, count }: LocalAgentOptions,
	recall: ((query: string, page: number) => string) | undefined,
): AgentTool[] {
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
		...(recall
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
