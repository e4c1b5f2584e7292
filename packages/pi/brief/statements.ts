/**
 * What the agent says of unmarked work, a line for each statement, read from its whole answers: a list item or paragraph
 * under a heading such as `## Next steps` becomes a line that names its kind, as `Next: add tests`.
 */
import type { Episode, Graph } from "#core/graph";
import { addFindings, type Item } from "#core/transcript";
import { DECIDED } from "./goal-and-constraints.ts";

/** Characters that are read of one episode; the newest are kept. */
const MAX_TOLD = 4_000;

/** The label of the lines below a heading that has these words. The first that fits counts. */
const labels: readonly (readonly [RegExp, string])[] = [
	[/\b(?:open (?:issues?|questions?|points?)|known issues?|issues? left|blockers?|unresolved)\b/i, "Open"],
	[/\b(?:decisions?|decided)\b/i, "Decided"],
	[/\b(?:next (?:steps?|up)|remaining|to[- ]?dos?|follow[- ]?ups?|what[’']s next|left to do)\b/i, "Next"],
	[/\bconstraints?\b/i, "Constraint"],
	[/^(?:done|completed?)\b/i, "Done"],
];

/** In characters; a longer line is no heading. */
const MAX_HEADING = 48;
const HEADING = /^(?:#{1,6}\s+(.+)|(?:\*\*|__)([^*_]+)(?:\*\*|__):?|([A-Z][^.`]*):)$/;
const LIST_ITEM = /^(?:[-*+•]|\d+[.)])\s+(?:\[([ xX])\]\s+)?(.*)$/;
/** A line that says of its kind that there is none. */
const NOTHING =
	/^(?:[A-Z][\w -]*: )?(?:none|nothing|n\/a|no)(?: (?:so far|yet|known|left|open|remains))?[.!]*$/i;

/** The statements of an answer in Markdown, a line each. Headings, tables and code blocks are none. */
export function statementsIn(text: string): readonly string[] {
	const lines: string[] = [];
	let label: string | undefined;
	let isList = false;
	for (const raw of text.replace(/^\s*```[\s\S]*?^\s*```/gm, "").split("\n")) {
		const line = raw.trim().replace(/\s+/g, " ");
		const [, ...names] = HEADING.exec(line) ?? [];
		const heading = names.find((name) => name !== undefined);
		const [, box, item] = LIST_ITEM.exec(line) ?? [];
		if (!/[\p{L}\p{N}]/u.test(line) || line.startsWith("|")) continue;
		if (item === undefined && heading !== undefined && heading.length <= MAX_HEADING) {
			[label, isList] = [labels.find(([words]) => words.test(heading))?.[1], false];
		} else if (item !== undefined) {
			isList = true;
			const own = box?.toLowerCase() === "x" ? "Done" : (label ?? (box && "Next"));
			lines.push(own ? `${own}: ${item}` : item);
		} else if (isList && /^\s/.test(raw)) {
			lines.push(`${lines.pop() ?? ""} ${line}`.trim());
		} else {
			// A paragraph after a list is no longer below its heading.
			if (isList) label = undefined;
			isList = false;
			if (label !== undefined) lines.push(`${label}: ${line}`);
			else lines.push(...(DECIDED.test(line) ? line.split(/(?<=[.!?])\s+/) : [line]));
		}
	}
	return lines.filter((line) => !NOTHING.test(line));
}

/** Gives the text of an item, evicted or not. */
export type TextOf = (item: Item) => string | undefined;

export type Words = ReturnType<typeof createWords>;

/** The words about episodes. */
export function createWords({ messages }: Pick<Graph, "messages">, textOf: TextOf = () => undefined) {
	/** An answer without a call closes its work; what is said before a call says of itself what it states. */
	const statementsOf = (item: Item): readonly string[] => {
		if (item.type !== "text") return [];
		const isClosing = !messages[item.message]?.items.some(({ type }) => type === "call");
		const text = isClosing ? textOf(item) : undefined;
		return text === undefined ? (item.findings?.split("\n") ?? []) : statementsIn(text);
	};
	return {
		/** The description that the model or a person wrote, and of any other work its statements. */
		told({ origin, items, description = "" }: Episode): string {
			const found = items.flatMap((item) => (item.type === "text" && item.findings ? [item.findings] : []));
			const isEdited = description !== (found.reduce<string | undefined>(addFindings, undefined) ?? "");
			if (origin === "declared" || isEdited) return description;
			return [...new Set(items.flatMap(statementsOf))].join("\n").slice(-MAX_TOLD);
		},
		/** The name of marked work; of any other what the user asked for. */
		title({ origin, name, items }: Episode): string {
			const first = items[0]?.message ?? 0;
			const asked = messages.slice(0, first).findLast(({ author }) => author === "user")?.items[0];
			return (origin === "declared" ? undefined : asked && textOf(asked)?.trim()) || name;
		},
	};
}
