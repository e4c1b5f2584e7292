/**
 * The agent's own words about unmarked work, a line for each statement, read from its whole answers. A list item, table row
 * or paragraph under a heading such as `## Next steps` becomes a line that names its kind, as `Next: add tests`.
 */
import type { Episode, Graph } from "#core/graph";
import { addFindings, type Item } from "#core/transcript";
import { DECIDED, markedLines, REMAINING } from "./goal-and-constraints.ts";

/** Lines that are read of one episode; the newest are kept. */
const MAX_LINES = 200;

/** The label of the lines below a heading that says so, and of a line that begins so. The first that fits counts. */
const labels: readonly (readonly [RegExp, string])[] = [
	[
		/^(?:(?:work|tasks?) )?(?:done|completed?|finished|implemented)(?: (?:so far|tasks?|work|items?))?$|\b(?:fixed|resolved)$|^(?:here[’']s )?what (?:I(?:[’']ve)? (?:did|done|changed)|(?:has )?changed|was (?:done|implemented))$|^what[’']s done$|^(?:summary of )?changes(?: made)?$/i,
		"Done",
	],
	[/^(?:(?:work |still |currently )?in progress|(?:currently )?working on(?: now)?|under way)$/i, "Doing"],
	[/\b(?:success|acceptance) criteria$|^definition of done$|^done when$|^requirements$/i, "Criterion"],
	[
		/^(?:open|questions?(?: for you)?|blocked(?: on)?|what (?:doesn[’']t|does not) work(?: yet)?|still failing)$|\b(?:(?:open|pending) (?:issue|question|point|item|decision)|(?:known|remaining|outstanding|follow[- ]?up) (?:issue|question|limitation|problem|bug)|issues? left|blocker|unresolved|limitation|risk|caveat|concern)s?\b/i,
		"Open",
	],
	[/\b(?:decision|decided|design choice)s?\b/i, "Decided"],
	[/\bconstraints?$/i, "Constraint"],
	[
		/^(?:(?:up )?next|(?:(?:the|my|proposed|suggested|implementation) )?plan|pending|not (?:yet )?done(?: yet)?|what I[’']d do next)$|\b(?:next (?:step|up)|remain(?:s|ing)|to[- ]?do|follow[- ]?up|what(?:[’']s| is) (?:next|left)|left to do|outstanding|action item|future work|recommendation)s?\b/i,
		"Next",
	],
];

/** In characters; a longer line is no heading, and a longer start of a line no label. */
const MAX_HEADING = 48;
const MAX_LABEL = 24;
const HEADING =
	/^(?:(?<marks>#{1,6})\s+(?<title>.+)|(?:[-*]\s+|\d+[.)]\s+)?(?:\*\*|__)(?<bold>[^*_]+)(?:\*\*|__)(?:\s*\([^)]*\))?:?|(?<lead>\p{Lu}[^.`]*):)$/u;
const LIST_ITEM = /^(?:[-*+•]|\d+[.)])\s+(?:\[([ xX])\]\s+)?(.*)$/;
const LABELLED = /^(?:\*\*)?(\p{L}[\p{L} ’'-]+?)(?:\*\*)?:(?:\*\*)?\s+(\S.*)$/u;
const CODE = /^[ \t]*```[\s\S]*?^[ \t]*```/gm;
const TABLE_HEAD = /^[ \t]*\|.*\n[ \t]*\|[ \t:|-]+$/gm;
/** A text that says of its kind that there is none. */
export const NOTHING =
	/^(?:none|nothing|n\/a|(?:there (?:are|is) )?no(?: (?:open|known|further|more|remaining|next))*(?: (?:issue|question|blocker|step|problem|risk)s?)?)(?: (?:so far|yet|known|left|open|remains?|for now|at the moment|that I know of|from my side))?(?:[.!]*|,.{0,30})$/i;

/** The statements of an answer in Markdown, a line each. Headings, tables without one and code blocks are none. */
export function statementsIn(text: string): readonly string[] {
	const lines: string[] = [];
	let section: { readonly label: string | undefined; readonly depth: number } | undefined;
	/** A list, or a first paragraph, below the heading. */
	let [isList, isSaid] = [false, false];
	const add = (label: string | undefined, said: string) => {
		const [, name = "", rest = ""] = LABELLED.exec(said) ?? [];
		const own = name.length <= MAX_LABEL ? labelOf(name) : undefined;
		const [kind, told] = own === undefined ? [label, said] : [own, rest];
		if (NOTHING.test(told)) lines.push(...(kind === "Next" || kind === "Open" ? [`${kind}: none`] : []));
		else if (kind !== undefined) lines.push(`${kind}: ${told}`);
		else if (!DECIDED.test(said) && !REMAINING.test(said)) lines.push(said);
		else {
			const sentences = said.split(/(?<=[.!?])\s+/);
			lines.push(...sentences.map((line) => (REMAINING.test(line) ? `Next: ${line}` : line)));
		}
	};
	for (const raw of text.replace(CODE, "").replace(TABLE_HEAD, "").split("\n")) {
		const line = raw.trim().replace(/\s+/g, " ");
		if (!/[\p{L}\p{N}]/u.test(line)) continue;
		const heading = readHeading(line);
		const [, box, item] = LIST_ITEM.exec(line) ?? [];
		if (heading && (item === undefined || (heading.label !== undefined && item.includes(":")))) {
			// A heading of a deeper level leaves the kind of what stands above it.
			const isDeeper = section !== undefined && heading.depth > section.depth;
			if (heading.label !== undefined || !isDeeper) section = heading;
			[isList, isSaid] = [false, false];
		} else if (item !== undefined) {
			isList = true;
			add(box?.toLowerCase() === "x" ? "Done" : (section?.label ?? (box && "Next")), item);
		} else if (line.startsWith("|")) {
			const cells = line.split("|").map((cell) => cell.trim());
			if (section?.label) add(section.label, cells.filter((cell) => cell !== "").join(": "));
		} else if (isList && /^\s/.test(raw)) {
			lines.push(`${lines.pop() ?? ""} ${line}`.trim());
		} else {
			// Below a heading the first paragraph is of its kind, and none that comes after a list.
			if (isList) section = undefined;
			add(isSaid ? undefined : section?.label, line);
			[isList, isSaid] = [false, true];
		}
	}
	return lines;
}

/** The label of a heading, and its depth: bold ones and lines that end with a colon stand below all that have marks. */
function readHeading(line: string) {
	const { marks, title, bold, lead } = HEADING.exec(line)?.groups ?? {};
	const name = title ?? bold ?? lead;
	if (name === undefined || name.length > MAX_HEADING) return undefined;
	return { label: labelOf(name), depth: marks?.length ?? (bold === undefined ? 8 : 7) };
}

function labelOf(name: string): string | undefined {
	const words = name.replace(/\([^)]*\)/g, "").replace(/^[^\p{L}]+|[^\p{L}]+$/gu, "");
	return labels.find(([said]) => said.test(words))?.[1];
}

/** Gives the text of an item, evicted or not. */
export type TextOf = (item: Item) => string | undefined;

/** Titles of episodes, and what is said of them. */
export function createEpisodeTexts({ messages }: Pick<Graph, "messages">, textOf: TextOf = () => undefined) {
	/** An answer without a call closes its work. Before a call the agent also says what it does at once, which is no next step. */
	const statementsOfItem = (item: Item): readonly string[] => {
		if (item.type !== "text") return [];
		const found = item.findings?.split("\n") ?? [];
		const text = textOf(item);
		if (text === undefined) return found;
		const said = statementsIn(text);
		if (!messages[item.message]?.items.some(({ type }) => type === "call")) return said;
		const marked = said.filter((line) => markedLines(line).some(({ kind }) => kind !== "todo"));
		const isNew = (line: string) =>
			markedLines(line).length === 0 &&
			!marked.some((other) => other.endsWith(line.replace(LIST_ITEM, "$2")));
		return [...found.flatMap(statementsIn).filter(isNew), ...marked];
	};
	const read = ({ origin, items, description = "" }: Episode): string => {
		const found = items.flatMap((item) => (item.type === "text" && item.findings ? [item.findings] : []));
		const isEdited = description !== (found.reduce<string | undefined>(addFindings, undefined) ?? "");
		if (origin === "declared" || isEdited) return description;
		return [...new Set(items.flatMap(statementsOfItem))].slice(-MAX_LINES).join("\n");
	};
	const known = new Map<Episode, string>();
	return {
		/** The description that the model or a person wrote, and of any other work its statements. An episode is read once. */
		statementsOf(episode: Episode): string {
			const statements = known.get(episode) ?? read(episode);
			known.set(episode, statements);
			return statements;
		},
		/** The name of marked work; of any other what the user asked for. */
		title({ origin, name, items }: Episode): string {
			let at = items[0]?.message ?? 0;
			while (at > 0 && messages[at]?.author !== "user") at -= 1;
			const asked = messages[at]?.author === "user" ? messages[at]?.items[0] : undefined;
			return (origin === "declared" ? undefined : asked && textOf(asked)?.trim()) || name;
		},
	};
}
