/** The session as it would be with what is still to come: passes to come are planned from it by the function that makes them. */
import { DELIMITER } from "../annotation/delimiter.ts";
import { foldTranscript } from "../graph/fold.ts";
import type { ToolCall, TranscriptMessage } from "../transcript/transcript.ts";
import { withDescriptions } from "./manual-pass.ts";
import type { PlanInput, Policy, WeighedOutput } from "./policy.ts";

/** The worth of each output of the context when the next message of the user comes; none under a policy that does not ask. */
export function weighAtNextTurn(policy: Policy, input: PlanInput): readonly WeighedOutput[] {
	return policy.weigh?.(atNextTurn(input)) ?? [];
}

/** The input as it would be with a message of the user, of so many tokens, at its end. */
export function atNextTurn(input: PlanInput, tokens = 0): PlanInput {
	const message = input.graph.messages.length;
	return withMessages(input, [{ author: "user", items: [{ type: "user", id: TO_COME, message, tokens }] }]);
}

/** The step of an answer in the work in hand; `begins` ends it and begins an expl. */
type Step = "continues" | "ends" | "begins";

/**
 * The input as it would be after an answer with such a step, and results of so many tokens in all. The provider has cached what was
 * there before.
 */
export function afterResults(input: PlanInput, tokens: number, step: Step): PlanInput {
	const { isCold: _, tools, ...warm } = input;
	const { episodes, messages, protocol } = input.graph;
	const { open } = protocol;
	const message = messages.length;
	// Unmarked work ends where its kind changes.
	const run = episodes.at(-1);
	const isAct = run?.kind === "act" && run.state === "open";
	const effect = isAct === (step === "ends") ? "reads" : "writes";
	const call = (tool: string, args: ToolCall["arguments"]): ToolCall => {
		const id = `${TO_COME} ${String(args.action ?? tool)}`;
		return { type: "call", id, callId: id, tool, arguments: args, message, tokens: 0 };
	};
	const end = { action: "end", ...(open?.kind === "expl" && { description: "done" }) };
	const start = { action: "start", name: TO_COME, type: "expl" };
	const calls = [
		...(open && step !== "continues" ? [call(DELIMITER, end)] : []),
		step === "begins" ? call(DELIMITER, start) : call(TO_COME, {}),
	];
	const results = calls.map(({ id, callId }, index): TranscriptMessage => {
		const size = index === calls.length - 1 ? tokens : 0;
		const place = message + index + 1;
		const result = { id: `${id} result`, callId, message: place, tokens: size, isError: false };
		return { author: "tool", items: [{ type: "result", ...result }] };
	});
	const own = { ...tools, [TO_COME]: { effect, output: "intermediate" } } as const;
	return withMessages({ ...warm, tools: own }, [{ author: "model", items: calls }, ...results]);
}

/** The id and the name of what a preview adds; no host gives such ids. */
const TO_COME = "what is to come";

/** The input after further messages. Linear in the session. */
function withMessages(input: PlanInput, added: readonly TranscriptMessage[]): PlanInput {
	const graph = foldTranscript([...input.graph.messages, ...added], input.tools);
	const described = new Map(input.graph.episodes.map(({ id, description }) => [id, description ?? ""]));
	return { ...input, graph: withDescriptions(graph, described) };
}
