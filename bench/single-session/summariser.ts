/**
 * Scripted models for pi's compaction summaries, in at most 2,000 tokens. `compaction` keeps more than a model would: every
 * code and reason that the user gave and every id in the words of the agent, then the requests, newest last. It keeps no
 * wording and nothing that pi cuts from an output. `compaction-lossy` drops every fifth fact and all ids each time it
 * writes; `compaction-inventing` gets every fifth fact wrong. pi adds the lists of files itself.
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
/** Of the facts, every so many are lost or wrong. */
const EVERY = 5;

type Fact =
	| Extract<Assignment, { readonly type: "told" | "decide" }>
	| { readonly type: "id"; readonly line: string };

interface Summarizer {
	readonly keepsIds: boolean;
	/** Returns every fifth fact as the summary has it; undefined if it is dropped. */
	readonly spoil: (fact: Fact) => Fact | undefined;
}

const SUMMARIZERS = {
	compaction: { keepsIds: true, spoil: (fact) => fact },
	"compaction-lossy": { keepsIds: false, spoil: () => undefined },
	"compaction-inventing": { keepsIds: true, spoil: falsify },
} as const satisfies Readonly<Record<string, Summarizer>>;

function falsify(fact: Fact): Fact {
	switch (fact.type) {
		case "told":
			return { ...fact, code: misread(fact.code) };
		case "decide":
			return { ...fact, reason: misread(fact.reason) };
		case "id":
			return { ...fact, line: misread(fact.line) };
	}
}

/** Another last digit in the last number. */
const misread = (text: string): string =>
	text.replace(/\d(?=\D*$)/, (digit) => String((Number(digit) + 1) % 10));

/** Returns true for a condition in which pi compacts. */
export const isSummarizer = (name: string): name is keyof typeof SUMMARIZERS => name in SUMMARIZERS;

/** The words by which pi's own system prompt for summaries is known. */
export const SUMMARY_PROMPT = "context summarization assistant";

export const isSummaryRequest = ({ system }: ModelRequest): boolean => system.includes(SUMMARY_PROMPT);

/** The model itself for other requests; `name` is a condition, and all but those of compaction need no summaries. */
export function withSummaries(model: ScriptedModel, name = "compaction"): ScriptedModel {
	const summarizer: Summarizer = SUMMARIZERS[isSummarizer(name) ? name : "compaction"];
	return (request) => (isSummaryRequest(request) ? { text: summarise(request, summarizer) } : model(request));
}

function summarise({ messages }: ModelRequest, { keepsIds, spoil }: Summarizer): string {
	const text = messages.map((message) => ("text" in message ? message.text : "")).join("\n");
	// The previous summary follows the conversation, and holds older requests.
	const [conversation = "", earlier = ""] = text.split("<previous-summary>");
	const asked = [...requestsIn(earlier), ...requestsIn(conversation)];
	const ids = keepsIds ? [...idsIn(earlier), ...idsIn(conversation)] : [];
	const known = distinct([...asked.filter(isFact), ...ids]);
	const told = known.flatMap((fact, i) => ((i + 1) % EVERY === 0 ? (spoil(fact) ?? []) : fact));
	const facts = newest(told.flatMap(wordsOf), MAX_SUMMARY);
	const done = asked.filter((one) => !isFact(one) && one.type !== "show").flatMap(wordsOf);
	const room = MAX_SUMMARY - countTokens(facts.join("\n"));
	return [
		"## Goal",
		"Small changes in a repository, one after the other.",
		"",
		"## Progress",
		"### Done",
		...newest(distinct(done).map(tick), room),
		"",
		"## Critical Context",
		...facts,
	].join("\n");
}

const tick = (request: string): string => `- [x] ${request}`;
const isFact = (one: Assignment): one is Fact & Assignment => one.type === "told" || one.type === "decide";

function wordsOf(one: Assignment | Fact): readonly string[] {
	return one.type === "id" ? [one.line] : phraseAssignment(one).slice(0, 1);
}

function distinct<T>(items: readonly T[]): readonly T[] {
	return [...new Map(items.map((item) => [JSON.stringify(item), item])).values()];
}

/** The newest lines that fit into so many tokens. */
function newest(lines: readonly string[], tokens: number): readonly string[] {
	const kept: string[] = [];
	let room = tokens;
	for (const line of lines.toReversed()) {
		room -= countTokens(line) + 1;
		if (room < 0) break;
		kept.unshift(line);
	}
	return kept;
}

const requestsIn = (text: string): readonly Assignment[] =>
	text.split("\n").flatMap((line) => parseAssignment(line) ?? []);

const idsIn = (text: string): readonly Fact[] =>
	[...text.matchAll(ID_LINE)].map(([line]) => ({ type: "id", line }));
