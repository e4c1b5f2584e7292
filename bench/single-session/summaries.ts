/**
 * Scripted models for the summaries of pi's compaction. What pi cuts from an output before it asks (all but its first 2,000
 * characters) is in no summary, and pi adds the lists of files itself.
 */
import { countTokens, type ModelRequest, type ScriptedModel } from "#testing";
import { type Assignment, ID_LINE, parseAssignment, phraseAssignment } from "#testing/worker";

interface Summarizer {
	/** Tokens. */
	readonly size: number;
	readonly keepsIds: boolean;
	/** True if every request stays word for word. */
	readonly keepsWordings: boolean;
	/** Every fifth fact as the summary has it; undefined if it is dropped. */
	readonly spoil: (line: string) => string | undefined;
}

const WHOLE: Summarizer = { size: 2_000, keepsIds: true, keepsWordings: false, spoil: (line) => line };

/** By the name of a condition. */
const SUMMARIZERS: Readonly<Record<string, Summarizer>> = {
	/** Every code and reason that the user gave and every id in the agent's words, then the requests, the newest last. */
	compaction: WHOLE,
	/** As much as pi lets a model write, .8 of its reserve of 16,384 tokens: every request too, and what it quotes, word for word. */
	"compaction-full": { ...WHOLE, size: 13_107, keepsWordings: true },
	/** Drops every fifth fact, and all ids, each time that it writes. */
	"compaction-lossy": { ...WHOLE, keepsIds: false, spoil: () => undefined },
	/** Gets every fifth fact wrong, each time that it writes. */
	"compaction-inventing": { ...WHOLE, spoil: misread },
};

/** Of the facts, every so many are spoilt. */
const EVERY = 5;

/** Another last digit in the last number. */
function misread(text: string): string {
	return text.replace(/\d(?=\D*$)/, (digit) => String((Number(digit) + 1) % 10));
}

/** Undefined for a condition in which pi does not compact. */
export const findSummarizer = (condition: string): Summarizer | undefined => SUMMARIZERS[condition];

/** The words by which pi's own system prompt for summaries is known. */
export const SUMMARY_PROMPT = "context summarization assistant";

const isSummaryRequest = ({ system }: ModelRequest): boolean => system.includes(SUMMARY_PROMPT);

/**
 * The model itself for other requests. `write` gets the summary before, which holds older requests, and then the conversation since.
 */
export const withSummaries =
	(model: ScriptedModel, write: (parts: readonly string[]) => string): ScriptedModel =>
	(request) => {
		if (!isSummaryRequest(request)) return model(request);
		const text = request.messages.map((message) => ("text" in message ? message.text : "")).join("\n");
		return { text: write(text.split("<previous-summary>").toReversed()) };
	};

/** Writes summaries of generated tasks as a condition wants them. */
export function summarizeTasks(parts: readonly string[], condition = "compaction"): string {
	const { size, keepsIds, keepsWordings, spoil } = findSummarizer(condition) ?? WHOLE;
	const asked = parts.flatMap((part) => part.split("\n").flatMap((line) => parseAssignment(line) ?? []));
	const ids = parts.flatMap((part) => [...part.matchAll(ID_LINE)].map(([line]) => line));
	const isFact = ({ type }: Assignment) =>
		type === "told" || type === "decide" || (keepsWordings && type === "show");
	const wordsOf = (one: Assignment) => phraseAssignment(one).slice(0, 1);
	const known = [...new Set([...asked.filter(isFact).flatMap(wordsOf), ...(keepsIds ? ids : [])])];
	const told = known.flatMap((fact, index) => ((index + 1) % EVERY === 0 ? (spoil(fact) ?? []) : fact));
	const facts = newest(told, size);
	const done = asked.filter((one) => !isFact(one) && one.type !== "show").flatMap(wordsOf);
	const lines = [...new Set(done)].map((request) => `- [x] ${request}`);
	const rest = newest(lines, size - countTokens(facts.join("\n")));
	const goal = "## Goal\nSmall changes in a repository, one after the other.\n\n## Progress\n### Done";
	return [goal, ...rest, "", "## Critical Context", ...facts].join("\n");
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
