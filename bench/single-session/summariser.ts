/**
 * A scripted model for pi's compaction summaries, in at most 2,000 tokens. It keeps more than a model would: every code and
 * reason that the user gave and every id in the words of the agent, then the requests, newest last. It keeps no wording and
 * nothing that pi cuts from an output. pi adds the lists of files itself.
 */
import {
	type Assignment,
	countTokens,
	ID_LINE,
	type ModelRequest,
	parseAssignment,
	phraseAssignment,
	type ScriptedModel,
} from "#loopback";

const MAX_SUMMARY = 2_000;

/** The words by which pi's own system prompt for summaries is known. */
export const SUMMARY_PROMPT = "context summarization assistant";

export const isSummaryRequest = ({ system }: ModelRequest): boolean => system.includes(SUMMARY_PROMPT);

/** The model itself for other requests. */
export const withSummaries =
	(model: ScriptedModel): ScriptedModel =>
	(request) =>
		isSummaryRequest(request) ? { text: summarise(splitSummaryRequest(request)) } : model(request);

/** The previous summary, which holds older requests, and the conversation since. */
export function splitSummaryRequest({ messages }: ModelRequest): readonly [earlier: string, now: string] {
	const text = messages.map((message) => ("text" in message ? message.text : "")).join("\n");
	const [conversation = "", earlier = ""] = text.split("<previous-summary>");
	return [earlier, conversation];
}

function summarise(parts: readonly string[]): string {
	const asked = parts.flatMap((part) => part.split("\n").flatMap((line) => parseAssignment(line) ?? []));
	const ids = parts.flatMap((part) => [...part.matchAll(ID_LINE)].map(([line]) => line));
	const isFact = ({ type }: Assignment) => type === "told" || type === "decide";
	const wordsOf = (one: Assignment) => phraseAssignment(one).slice(0, 1);
	const known = new Set([...asked.filter(isFact).flatMap(wordsOf), ...ids]);
	const facts = newest([...known], MAX_SUMMARY);
	const done = asked.filter((one) => !isFact(one) && one.type !== "show").flatMap(wordsOf);
	const lines = [...new Set(done)].map((request) => `- [x] ${request}`);
	const rest = newest(lines, MAX_SUMMARY - countTokens(facts.join("\n")));
	const head = [
		"## Goal",
		"Small changes in a repository, one after the other.",
		"",
		"## Progress",
		"### Done",
	];
	return [...head, ...rest, "", "## Critical Context", ...facts].join("\n");
}

/** The newest lines that fit into so many tokens. */
function newest(lines: readonly string[], tokens: number): readonly string[] {
	let room = tokens;
	const first = lines.findLastIndex((line) => {
		room -= countTokens(line) + 1;
		return room < 0;
	});
	return lines.slice(first + 1);
}
