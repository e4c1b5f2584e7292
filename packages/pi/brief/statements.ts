/**
 * The agent's own words about unmarked work, a line for each statement, read from its whole answers. A list item, table row
 * or paragraph under a heading such as `## Next steps` becomes a line that names its kind, as `Next: add tests`.
 */
import type { Episode, Graph } from "#core/graph";
import { addFindings, type Item } from "#core/transcript";
import { isDecision, markedLines } from "./goal-and-constraints.ts";
import { classify } from "./sentences.ts";

/** Lines that are read of one episode; the newest are kept. */
const MAX_LINES = 200;

/** The label of the lines below a heading that says so, and of a line that begins so. The first that fits counts. */
const labels: readonly (readonly [RegExp, string])[] = [
	[
		/^(?:not (?:yet )?|un)(?:done|started|fixed|addressed|implemented|resolved|finished|completed?|ported|migrated|tested|verified|handled|included|covered)\b|^left (?:as is|alone|out)\b|^what (?:I|we) (?:did(?: not|n[’']t)|have(?: not|n[’']t)|left)\b|^(?:skipped|deferred|postponed)$/i,
		"Next",
	],
	[
		/^(?:(?:work|tasks?) )?(?:done|completed?|finished|implemented)(?: (?:so far|tasks?|work|items?))?$|\b(?:fixed|resolved)$|^(?:here[’']s )?what (?:I(?:[’']ve)? (?:did|done|changed)|(?:has )?changed|was (?:done|implemented))$|^what[’']s done$|^(?:summary of )?changes(?: made)?$/i,
		"Done",
	],
	[/^(?:(?:work |still |currently )?in progress|(?:currently )?working on(?: now)?|under way)$/i, "Doing"],
	[/\b(?:success|acceptance) criteria$|^definition of done$|^done when$|^requirements$/i, "Criterion"],
	[
		/^(?:issues|problems|(?:still )?open|questions?(?: for you)?|blocked(?: on)?|what (?:doesn[’']t|does not) work(?: yet)?|still failing)$|\b(?:(?:open|pending) (?:issue|question|point|item|decision)|(?:known|remaining|outstanding|follow[- ]?up) (?:issue|question|limitation|problem|bug)|issues? left|blocker|unresolved|limitation|risk|caveat|concern)s?\b/i,
		"Open",
	],
	[/\b(?:decision|decided|design choice)s?\b|^trade-?offs?$/i, "Decided"],
	[/\bconstraints?$/i, "Constraint"],
	[
		/^(?:(?:up )?next|then|(?:\S+ ){0,4}plan(?: is)?(?: now)?|(?:(?:the|my|proposed|suggested) )?approach|here(?:[’']s| is) (?:how I(?:[’']d| would) (?:do|go about|approach) (?:it|this|that))|.*\bin (?:this )?order|.*\bneeds? to (?:happen|be done)|pending|planned|what I[’']d do next|next,? (?:I|we)(?:[’']ll| will|[’']d)?|left)$|\b(?:next (?:step|up)|remain(?:s|ing)|(?<!\bways? )to[- ]?do(?! (?:this|that|it|so)\b)|follow[- ]?up|what(?:[’']s| is) (?:next|left)|left to do|outstanding|action item|future work)s?\b/i,
		"Next",
	],
];

/** In characters; a longer line is no heading, and a longer start of a line no label. */
const MAX_HEADING = 48;
const MAX_LABEL = 24;
const HEADING =
	/^(?:(?<marks>#{1,6})\s+(?<title>.+)|(?:[-*]\s+|\d+[.)]\s+)?(?:\*\*|__)(?<bold>[^*_]+)(?:\*\*|__)(?:\s*\([^)]*\))?:?|(?<plan>Here(?:[’']s| is) (?:a|the|my) plan)[.:]|(?<lead>\p{Lu}[^.`]*):)$/u;
const LIST_ITEM = /^(?:[-*+•]|\d+[.)])\s+(.*)$/;
/** The boxes and signs in front of an item that say how far it is. */
const BOX = /^(\[[ xX]\]|✅|☑|✔|⏳|🚧|🔄|⬜|☐)\uFE0F?\s+(.*)$/u;
const boxes: Readonly<Record<string, string>> = {
	...{ "[x]": "Done", "[X]": "Done", "✅": "Done", "☑": "Done", "✔": "Done" },
	...{ "⏳": "Doing", "🚧": "Doing", "🔄": "Doing", "[ ]": "Next", "⬜": "Next", "☐": "Next" },
};
/** The marks of a heading; one of so many words says something of its own. */
const MARKS = /^#{1,6}\s+|\*\*|__/g;
const MANY_WORDS = 4;
const LABELLED = /^(?:\*\*)?(\p{L}[\p{L} ’'-]+?)(?:\*\*)?:(?:\*\*)?\s+(\S.*)$/u;
/** A paragraph whose last sentence leads in a list. */
const LEAD_IN = /^(.*[.!?])\s+(\p{Lu}[^.!?]*:)$/u;
/** A cell that says how far the work of its row is. */
const STATUS = /^(?:done|completed?|finished|in progress|to ?do|pending|planned|not started|open|blocked)$/i;
const CODE = /^[ \t]*```.*\n([\s\S]*?)^[ \t]*```/gm;
/** In characters: a longer block shows files or output, a shorter one says how to do or see something. */
const MAX_CODE = 300;
/** Begins the line of a block of code; no text has it. */
const CODE_SIGN = "\u0000";
/** Signs in front of a heading. */
const SIGNS = /^(?:\p{Extended_Pictographic}|\uFE0F|\s)+/u;
const TABLE_HEAD = /^[ \t]*\|.*\n[ \t]*\|[ \t:|-]+$/gm;
/** A text that says of its kind that there is none. */
export const NOTHING =
	/^(?:none|nothing|n\/a|(?:there (?:are|is) )?no(?: (?:open|known|further|more|remaining|next))*(?: (?:issue|question|blocker|step|problem|risk)s?)?)(?: (?:so far|yet|known|left|open|remains?|for now|at the moment|that I know of|from my side))?(?:[.!]*|,.{0,30})$/i;

/**
 * The statements of an answer in Markdown, a line each. Headings, tables without one and code blocks are none. Sentences are told
 * apart by their words only in an answer that closes its work, or in a turn without one.
 */
export function statementsIn(text: string, isClosing = true): readonly string[] {
	const lines: string[] = [];
	let section: { readonly label: string | undefined; readonly depth: number } | undefined;
	/** A list, or a first paragraph, below the heading. */
	let [isList, isSaid] = [false, false];
	const add = (label: string | undefined, said: string) =>
		lines.push(...readSentences(label, said, isClosing));
	let before = "";
	for (const raw of text.replace(CODE, inlineCode).replace(TABLE_HEAD, "").split("\n")) {
		const line = raw.trim().replace(/\s+/g, " ");
		if (!/[\p{L}\p{N}]/u.test(line)) continue;
		if (line.startsWith(CODE_SIGN)) {
			const isOwn = lines.at(-1)?.endsWith(before) !== true;
			lines.push(`${(isOwn ? before : lines.pop()) ?? ""} ${line.slice(CODE_SIGN.length)}`.trim());
			continue;
		}
		before = line;
		const heading = readHeading(line.replace(SIGNS, ""));
		const [, item] = LIST_ITEM.exec(line) ?? [];
		const [, sign = "", marked] = BOX.exec(item ?? line) ?? [];
		const box = boxes[sign];
		if (heading && (item === undefined || (heading.label !== undefined && item.includes(":")))) {
			// A heading of a deeper level leaves the kind of what stands above it.
			const isDeeper = section !== undefined && heading.depth > section.depth;
			if (heading.label !== undefined || !isDeeper) section = heading;
			if (heading.label === undefined && wordsIn(line) >= MANY_WORDS) add(undefined, line.replace(MARKS, ""));
			[isList, isSaid] = [false, false];
		} else if (item !== undefined || marked !== undefined) {
			isList = true;
			add(box === "Next" ? (section?.label ?? box) : (box ?? section?.label), marked ?? item ?? "");
		} else if (line.startsWith("|")) {
			const cells = line.split("|").map((cell) => cell.trim());
			const status = cells.find((cell) => STATUS.test(cell));
			const label = section?.label ?? labelOf(status ?? "");
			const told = cells
				.filter((cell) => cell !== "" && (!label || section?.label || cell !== status))
				.join(": ");
			if (label) add(label, told);
			else lines.push(told);
		} else if (isList && /^\s/.test(raw)) {
			lines.push(`${lines.pop() ?? ""} ${line}`.trim());
		} else {
			// Below a heading the first paragraph is of its kind, and none that comes after a list.
			if (isList) section = undefined;
			const [, before = line, lead = ""] = LEAD_IN.exec(line) ?? [];
			const led = readHeading(lead);
			add(isSaid ? undefined : section?.label, led?.label === undefined ? line : before);
			if (led?.label !== undefined) section = led;
			[isList, isSaid] = [false, led?.label === undefined];
		}
	}
	return lines;
}

/** A short block of code on one line, for the end of the line before it. */
function inlineCode(_: string, code: string): string {
	return code.length > MAX_CODE ? "" : `${CODE_SIGN}\`${code.trim().replace(/\s*\n\s*/g, "; ")}\``;
}

/**
 * The lines of a paragraph or an item. The first sentence is of the given kind; one that names another kind, or shows it by its
 * words, is a line of its own, and others stay with what stands before them.
 */
function readSentences(label: string | undefined, said: string, isClosing: boolean): readonly string[] {
	const lines: string[] = [];
	/** The last line may go on: it is plain, or of a kind that was named. */
	let isOpen = false;
	for (const [at, sentence] of said.split(/(?<=[.!?])\s+/).entries()) {
		const [, name = "", rest = ""] = LABELLED.exec(sentence) ?? [];
		const named = name.length <= MAX_LABEL ? labelOf(name) : undefined;
		const isNamed = named !== undefined || (at === 0 && label !== undefined);
		const isDecided = !isNamed && isDecision(sentence);
		const shown = isNamed || isDecided || !isClosing ? undefined : classify(sentence);
		const [kind, told] = shown ?? [
			named ?? (isNamed ? label : undefined),
			named === undefined ? sentence : rest,
		];
		if (NOTHING.test(told)) {
			if (kind === "Next" || kind === "Open") lines.push(`${kind}: none`);
		} else if (kind !== undefined) lines.push(`${kind}: ${told}`);
		else if (isOpen && !isDecided) lines.push(`${lines.pop()} ${told}`);
		else lines.push(told);
		isOpen = isNamed || (kind === undefined && !isDecided);
	}
	return lines;
}

/**
 * The label of a heading, and its depth: bold ones and lines that end with a colon stand below all that have marks, and "Here's a
 * plan." above them.
 */
function readHeading(line: string) {
	const { marks, title, bold, plan, lead } = HEADING.exec(line)?.groups ?? {};
	const name = title ?? bold ?? plan ?? lead;
	if (name === undefined || name.length > MAX_HEADING) return undefined;
	const depth = plan === undefined ? (bold === undefined ? 8 : 7) : 0;
	return { label: labelOf(name), depth: marks?.length ?? depth };
}

function wordsIn(line: string): number {
	return line.match(/\p{L}{2,}/gu)?.length ?? 0;
}

function labelOf(name: string): string | undefined {
	const words = name.replace(/\([^)]*\)/g, "").replace(/^[^\p{L}]+|[^\p{L}]+$/gu, "");
	return labels.find(([said]) => said.test(words))?.[1];
}

const WORK_VERB =
	/\b(?:add|fix|make|write|remove|update|change|check|move|rename|use|keep|run|test|document|handle|implement|create|drop|replace)\b/i;
/** Returns true for a text of the user that reads as a request. */
export const isRequest = (text: string) =>
	WORK_VERB.test(text) || /\b(?:please|also|as well|too|should|must|need|want)\b/i.test(text);

/** A text of the user that lets the agent go on. */
const AGREEING =
	/^(?:yes|yeah|yep|ok(?:ay)?|sure|sounds (?:good|right|great)|great|good|perfect|fine|agreed|confirm(?:ed)?|thanks?|thank you|go(?: on| ahead)?|next|continue|do (?:it|that|both|all|\d)|proceed|carry on|please (?:go on|continue|proceed))\b[^\n]{0,24}$/i;

/** Returns true for a text of the user in which each sentence is a question; work is asked for so only where something was changed. */
export function isQuestion(text: string): boolean {
	return text.split(/(?<=[.!?？])\s+|\n/).every((sentence) => QUESTION.test(sentence));
}
const QUESTION = /[?？]\W*$|^(?:what|why|how|which|where|when|who|is|are|does|do|did)\b/i;

/** Gives the text of an item, evicted or not. */
export type TextOf = (item: Item) => string | undefined;

/** Returns true if one of the items is a tool call. */
export const hasCall = (items: readonly Item[]) => items.some(({ type }) => type === "call");

/** A sentence about what the agent does at once; a longer one, or one with a reason, says more than that. */
const ANNOUNCING =
	/^(?:(?:now|next|first|then|so|ok(?:ay)?|good|great|perfect)[,!.]? )*(?:let me|let[’']s|I[’']ll|I will|I[’']m going to|I (?:now )?(?:need|want|have) to (?:check|look|read|see|find|run)|(?:running|checking|looking|reading|adding|updating|creating|writing|starting)\b)(?!.*(?:[:;]|\b(?:since|because|instead|rather|not)\b))/i;
const MAX_ANNOUNCING = 16;

/**
 * A line that an answer says before its calls. Where an answer ends the turn, that one says what is left to do, and what was done at
 * once is left out; the last words of a turn without one say what is in progress.
 */
function statementBefore(line: string, isAnswered: boolean, isLast: boolean): readonly string[] {
	const [{ kind } = { kind: undefined }] = markedLines(line);
	if (isAnswered && (kind === "todo" || kind === "doing")) return [];
	if (kind !== undefined) return [line];
	const isAnnounced = (sentence: string) => wordsIn(sentence) <= MAX_ANNOUNCING && ANNOUNCING.test(sentence);
	const sentences = line.split(/(?<=[.!?])\s+/);
	if (!isAnswered) return sentences.map((each) => (isLast && isAnnounced(each) ? `Doing: ${each}` : each));
	const said = sentences.filter((sentence) => !isAnnounced(sentence));
	return said.length === 0 ? [] : [said.join(" ")];
}

/** Returns true for each message whose turn ends with an answer that says something and calls nothing. */
export function answeredTurns(messages: Graph["messages"]): readonly boolean[] {
	const answered: boolean[] = [];
	let isAnswered: boolean | undefined;
	for (let at = messages.length - 1; at >= 0; at -= 1) {
		const { author, items } = messages[at] ?? { author: "host", items: [] };
		isAnswered ??= items.some((item) => item.type === "text" && !item.isBlank) && !hasCall(items);
		answered[at] = isAnswered;
		if (author === "user") isAnswered = undefined;
	}
	return answered;
}

/** Titles of episodes, and what is said of them. */
export function createEpisodeTexts({ messages }: Pick<Graph, "messages">, textOf: TextOf = () => undefined) {
	const isAnswered = answeredTurns(messages);
	const lastSaid = messages.findLastIndex(({ items }) => items.some((item) => item.type === "text"));
	/** An answer without a call closes its work. Before a call the agent also says what it does at once, which is no next step. */
	const statementsOfItem = (item: Item): readonly string[] => {
		if (item.type !== "text") return [];
		const found = item.findings?.split("\n") ?? [];
		const text = textOf(item);
		if (text === undefined) return found;
		const isClosing = !hasCall(messages[item.message]?.items ?? []);
		const hasAnswer = isAnswered[item.message] === true;
		const said = statementsIn(text, isClosing || !hasAnswer);
		return isClosing
			? said
			: said.flatMap((line) => statementBefore(line, hasAnswer, item.message === lastSaid));
	};
	const read = ({ origin, items, description = "" }: Episode): string => {
		const found = items.flatMap((item) => (item.type === "text" && item.findings ? [item.findings] : []));
		const isEdited = description !== (found.reduce<string | undefined>(addFindings, undefined) ?? "");
		if (origin === "declared" || isEdited) return description;
		return [...new Set(items.flatMap(statementsOfItem))].slice(-MAX_LINES).join("\n");
	};
	const known = new Map<Episode, string>();
	/** The texts of the user, the first item of each message. */
	const asks = messages.flatMap(({ author, items: [first] }) => (author === "user" && first ? [first] : []));
	return {
		/** The description that the model or a person wrote, and of any other work its statements. An episode is read once. */
		statementsOf(episode: Episode): string {
			const statements = known.get(episode) ?? read(episode);
			known.set(episode, statements);
			return statements;
		},
		/**
		 * The name of marked work; of any other what the user asked for, before words such as "yes, go on". `isOwn` is false where
		 * the user agreed to something before.
		 */
		title({ origin, name, items }: Episode): { readonly title: string; readonly isOwn: boolean } {
			if (origin === "declared") return { title: name, isOwn: true };
			const textAt = (item: Item | undefined) => (item && textOf(item)?.trim()) ?? "";
			const isWork = (text: string) => text !== "" && (!AGREEING.test(text) || WORK_VERB.test(text));
			const asksWork = (text: string) => isWork(text) && !isQuestion(text);
			const asked = asks.filter(({ message }) => message <= (items[0]?.message ?? 0));
			const own = textAt(asked.at(-1));
			if (isWork(own)) return { title: own, isOwn: true };
			const earlier =
				asked.findLast((item) => asksWork(textAt(item))) ?? asked.findLast((item) => isWork(textAt(item)));
			return { title: textAt(earlier) || own || name, isOwn: earlier === undefined };
		},
	};
}
