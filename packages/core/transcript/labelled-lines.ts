/** Lines by which an agent says what kind of fact they state, such as `Decided: keep the port`. The system prompt asks for them. */

const labels = {
	task: "Task",
	constraint: "Constraint",
	decision: "Decided",
	todo: "To do",
	open: "Open",
	done: "Done",
} as const;

export interface LabelledLine {
	readonly kind: keyof typeof labels;
	/** The words after the label, on one line. */
	readonly text: string;
}

const kinds = Object.keys(labels) as readonly LabelledLine["kind"][];
/** A label without its case, space and hyphen. */
const bare = (label: string) => label.toLowerCase().replace(/[ -]/g, "");

/** A label with or without Markdown's marks for bold text. */
const LABEL =
	/(?<=^|[\s(])(?:\*\*|__)?(task|constraint|decided|to[ -]?do|open|done)(?:\*\*|__)?:(?:\*\*|__)?(?=\s)/gi;
const FENCE = /^\s*(?:```|~~~)/;
/** Signs of a list item or a quotation, which may come before a label at the beginning of a line. */
const LIST_SIGN = /^\s*(?:(?:[-*+•>]|\d+[.)])\s+)*$/;

/**
 * Separates the labelled lines of a text from all others. A label may come in the middle of a line, with a capital letter there;
 * its text ends at the next label or with the line. Blocks of code hold no label.
 */
export function splitLabelled(text: string) {
	const labelled: LabelledLine[] = [];
	const rest: string[] = [];
	let isCode = false;
	for (const line of text.split("\n")) {
		if (FENCE.test(line)) isCode = !isCode;
		const found = isCode ? [] : labelsIn(line);
		const before = line.slice(0, found[0]?.start);
		if (found.length === 0 || !LIST_SIGN.test(before)) rest.push(before.trimEnd());
		for (const [at, { kind, end }] of found.entries()) {
			const said = line.slice(end, found[at + 1]?.start).replace(/[\s;,]+$/, "");
			const words = said.trim().replace(/\s+/g, " ");
			if (/[\p{L}\p{N}]/u.test(words)) labelled.push({ kind, text: words });
		}
	}
	return { labelled, rest };
}

function labelsIn(line: string) {
	return [...line.matchAll(LABEL)].flatMap(({ 0: all, 1: word = "", index }) => {
		const kind = kinds.find((each) => bare(labels[each]) === bare(word));
		const isFirst = LIST_SIGN.test(line.slice(0, index));
		if (kind === undefined || (!isFirst && !/^[A-Z]/.test(word))) return [];
		return [{ kind, start: index, end: index + all.length }];
	});
}

/** The line as the agent would write it on its own. */
export function formatLabelled({ kind, text }: LabelledLine): string {
	return `${labels[kind]}: ${text}`;
}
