/** The span of an observation that took its time, or that is worth finding in a trace. */
import { providerName } from "./conventions.ts";
import type {
	Failure,
	Observation,
	PassObservation,
	RequestObservation,
	ToolObservation,
} from "./observation.ts";

export interface SpanData {
	/** At most `{operation} {model or tool}`. */
	readonly name: string;
	readonly kind: "client" | "internal";
	/** ms since 1970. */
	readonly start: number;
	readonly end: number;
	readonly attributes: Readonly<Record<string, string | number | string[]>>;
	readonly failure?: Failure;
}

/** Undefined for observations that are figures only. */
export function spanOf(observation: Observation, conversation: string): SpanData | undefined {
	const of = { "gen_ai.conversation.id": conversation };
	switch (observation.type) {
		case "request":
			return requestSpan(observation, of);
		case "tool":
			return toolSpan(observation, of);
		case "pass":
			return passSpan(observation, of);
		default:
			return undefined;
	}
}

type Conversation = { readonly "gen_ai.conversation.id": string };

function requestSpan(request: RequestObservation, of: Conversation): SpanData {
	const { provider, model, responseModel, start, end, finishReason, failure } = request;
	return {
		...{ name: `chat ${model}`, kind: "client", start, end },
		attributes: {
			...of,
			"gen_ai.operation.name": "chat",
			"gen_ai.provider.name": providerName(provider),
			"gen_ai.request.model": model,
			...(responseModel !== undefined && { "gen_ai.response.model": responseModel }),
			"gen_ai.response.finish_reasons": [finishReason],
			...usageOf(request),
		},
		...(failure && { failure }),
	};
}

/** Nothing when the provider reported nothing. The conventions count cached input in `input_tokens`. */
function usageOf({ input, output, cacheRead, cacheWrite }: RequestObservation): SpanData["attributes"] {
	if (input + output === 0) return {};
	return {
		"gen_ai.usage.input_tokens": input,
		"gen_ai.usage.output_tokens": output,
		"gen_ai.usage.cache_read.input_tokens": cacheRead,
		"gen_ai.usage.cache_creation.input_tokens": cacheWrite,
	};
}

function toolSpan({ name, start, end, isError }: ToolObservation, of: Conversation): SpanData {
	return {
		...{ name: `execute_tool ${name}`, kind: "internal", start, end },
		attributes: { ...of, "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": name },
		...(isError && { failure: "_OTHER" }),
	};
}

function passSpan(pass: PassObservation, of: Conversation): SpanData {
	const { policy, time, budget, before, after, episodes, blockers } = pass;
	return {
		...{ name: "cwl.pass", kind: "internal", start: time, end: time },
		attributes: {
			...of,
			"cwl.policy": policy,
			"cwl.pass.budget": budget,
			"cwl.pass.before": before,
			"cwl.pass.after": after,
			"cwl.pass.episodes": episodes,
			"cwl.pass.blockers": blockers,
		},
	};
}

/** From a message of the user's to the end of the work on it; the other spans are inside of it. */
export function runSpan(conversation: string, start: number): Omit<SpanData, "end"> {
	const attributes = {
		"gen_ai.operation.name": "invoke_agent",
		"gen_ai.agent.name": "cwl",
		"gen_ai.conversation.id": conversation,
	};
	return { name: "invoke_agent cwl", kind: "internal", start, attributes };
}
