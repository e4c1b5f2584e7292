/** Figures of an answer for telemetry: everything but its texts. */
import type { Failure, RequestObservation } from "../telemetry/observation.ts";
import type { Answer } from "./host-message.ts";

/** `start` and `end` of the request in ms since the epoch. */
export function observeAnswer(answer: Answer, start: number, end: number): RequestObservation {
	const { provider, model, responseModel, usage, stopReason, errorMessage } = answer;
	const { cacheRead, cacheWrite, output } = usage;
	const failure = failureOf(stopReason, errorMessage);
	return {
		...{ type: "request", provider, model, start, end, finishReason: finishReason(stopReason) },
		...{ input: usage.input + cacheRead + cacheWrite, cacheRead, cacheWrite, output },
		...(responseModel !== undefined && { responseModel }),
		...(failure && { failure }),
	};
}

/** `gen_ai.response.finish_reasons`, in the words that providers use. */
export function finishReason(stopReason: string): string {
	return stopReason === "toolUse" ? "tool_calls" : stopReason;
}

/** Errors of providers begin with the status, after at most a word; the rest of the text is nobody's business. */
const STATUS = /^(?:\w+ )?([45]\d\d)\b/;

/** `error.type` of an answer; undefined when it came whole. */
export function failureOf(stopReason: string, message: string | undefined): Failure | undefined {
	if (stopReason === "aborted") return "aborted";
	if (stopReason !== "error") return undefined;
	const status = Number(STATUS.exec(message ?? "")?.[1]);
	return status ? `${status}` : "_OTHER";
}
