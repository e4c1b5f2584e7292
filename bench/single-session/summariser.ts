/**
 * A scripted model for pi's compaction summaries. It keeps the requests, one line per task, newest last, in at most
 * 2,000 tokens: more names than a model would keep, and no content. pi adds the lists of files itself.
 */
import {
	countTokens,
	type ModelRequest,
	parseAssignment,
	phraseAssignment,
	type ScriptedModel,
} from "#loopback";

const MAX_SUMMARY = 2_000;

/** pi asks for a summary with its own system prompt. */
export const isSummaryRequest = ({ system }: ModelRequest): boolean =>
	/context summarization assistant/.test(system);

export function withSummaries(model: ScriptedModel): ScriptedModel {
	return (request) => (isSummaryRequest(request) ? { text: summarise(request) } : model(request));
}

function summarise({ messages }: ModelRequest): string {
	const text = messages.map((message) => ("text" in message ? message.text : "")).join("\n");
	// The previous summary follows the conversation, and holds older requests.
	const [conversation = "", earlier = ""] = text.split("<previous-summary>");
	const requests = [...requestsIn(earlier), ...requestsIn(conversation)];
	const kept: string[] = [];
	let room = MAX_SUMMARY;
	for (const request of requests.toReversed()) {
		const line = `- [x] ${request}`;
		room -= countTokens(line) + 1;
		if (room < 0) break;
		kept.unshift(line);
	}
	return [
		"## Goal",
		"Small changes in a repository, one after the other.",
		"",
		"## Progress",
		"### Done",
		...kept,
	].join("\n");
}

function requestsIn(text: string): readonly string[] {
	const requests = text.split("\n").flatMap((line) => {
		const assignment = parseAssignment(line);
		return assignment ? (phraseAssignment(assignment)[0] ?? []) : [];
	});
	return [...new Set(requests)];
}
