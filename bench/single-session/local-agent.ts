/** pi's agent in this process: a scripted model and real tools, without session files and HTTP. */
import { Agent as PiCoreAgent } from "@mariozechner/pi-agent-core";
import { type AssistantMessage, getModel } from "@mariozechner/pi-ai";
import { convertToLlm, serializeConversation } from "@mariozechner/pi-coding-agent";
import type { FixedTokens } from "#core/ledger";
import type { ScriptedModel } from "#loopback";
import { type CountTokens, defaultToolTable, type HostMessage } from "#pi";
import { createPrefixMeter, createSizes, type ReplayPolicy, sum } from "#replay";
import { createScriptedStream } from "../scripted-stream.ts";
import type { Agent, RequestFigure } from "./agent.ts";
import { createLocalTools } from "./local-tools.ts";
import type { LocalPolicy } from "./managed-policy.ts";
import { SUMMARY_PROMPT } from "./summariser.ts";

export interface LocalAgentOptions {
	readonly directory: string;
	readonly model: ScriptedModel;
	readonly policy: LocalPolicy;
	/** True if the model is offered the delimiter. */
	readonly hasDelimiter: boolean;
	/** Tokens. */
	readonly budget: number;
	readonly fixed: FixedTokens;
	readonly count: CountTokens;
	readonly onRequest: (figure: RequestFigure) => void;
}

export function createLocalAgent(options: LocalAgentOptions): Agent {
	let session = openSession(options);
	return {
		async ask(prompt) {
			await session.prompt({ role: "user", content: prompt, timestamp: 0 });
			const { errorMessage, messages } = session.state;
			if (errorMessage !== undefined) throw new Error(errorMessage);
			const last = messages.at(-1);
			return last?.role === "assistant" ? textOf(last) : "";
		},
		async renew() {
			session = openSession(options);
		},
		async close() {},
	};
}

function openSession(options: LocalAgentOptions): PiCoreAgent {
	const sizes = createSizes(options.count);
	const project = options.policy.open({
		...options,
		sizes,
		kinds: defaultToolTable,
		summaries: [],
		summarize: (messages, previous) => summarize(options.model, messages, previous),
	});
	const { recall } = project;
	const meter = createRequestMeter(options, sizes);
	const agent: PiCoreAgent = new PiCoreAgent({
		initialState: {
			model: getModel("anthropic", "claude-sonnet-4-5"),
			tools: createLocalTools({
				...options,
				recall: recall && ((query, page) => recall(agent.state.messages, query, page)),
			}),
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

type Projected = ReturnType<ReturnType<ReplayPolicy["open"]>>;
type Messages = Projected["messages"];
type ExtraCall = NonNullable<Projected["extraCalls"]>[number];

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
function createRequestMeter({ fixed, onRequest }: LocalAgentOptions, sizes: ReturnType<typeof createSizes>) {
	const measure = createPrefixMeter(sizes);
	const overhead = fixed.system + fixed.tools;
	let requests = 0;
	let request = { tokens: 0, sharedTokens: 0 };
	return {
		projected(messages: Messages) {
			request = measure(messages);
		},
		summarized({ input, cached, output }: ExtraCall) {
			const figure = { tokens: input, cachedTokens: cached, prefixTokens: cached, outputTokens: output };
			onRequest({ ...figure, isRefused: false, isSummary: true });
		},
		answered(reply: AssistantMessage) {
			const shared = requests === 0 ? 0 : overhead + request.sharedTokens;
			requests += 1;
			onRequest({
				tokens: overhead + request.tokens,
				cachedTokens: shared,
				prefixTokens: shared,
				outputTokens: sum(sizes(reply)),
				isRefused: false,
				isSummary: false,
			});
		},
	};
}

function textOf({ content }: AssistantMessage): string {
	return content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("");
}
