/** The summaries that the scripted model writes for an agent's own compaction: every task it was asked, newest last. */
import { countTokens, type ModelRequest, parseAssignment, phraseAssignment } from "#loopback";

const TITLE = "Small changes in a repository, one after the other.";
/** The heading before the task that is not finished. */
export const IN_PROGRESS = "## In progress";
const MAX_SUMMARY = 2_000;

export const isOwnSummary = (text: string): boolean => text.includes(TITLE);

/** In at most 2,000 tokens; the oldest tasks go first. */
export function summarizeTasks({ messages }: ModelRequest): string {
	const asked = messages.flatMap((message) =>
		message.type === "user" ? message.text.split("\n").flatMap((line) => parseAssignment(line) ?? []) : [],
	);
	const lines = [...new Set(asked.flatMap((one) => phraseAssignment(one).slice(0, 1)))];
	const open = isOpen(messages) ? lines.pop() : undefined;
	while (countTokens(lines.join("\n")) > MAX_SUMMARY) lines.shift();
	return [
		...["## Goal", TITLE, "", "## Done", ...lines.map((line) => `- [x] ${line}`)],
		...(open === undefined ? [] : [IN_PROGRESS, open]),
	].join("\n");
}

/** The work goes on if the agent compacts behind a tool result; behind an answer without calls it is done. */
function isOpen(messages: ModelRequest["messages"]): boolean {
	const last = messages.findLast(({ type }) => type === "assistant" || type === "result");
	return last?.type === "result" || (last?.type === "assistant" && last.calls.length > 0);
}
