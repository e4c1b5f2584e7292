/**
 * The text of a session as a model reads it, cut where a policy can cut: block by block. Searches in it leave white space
 * and line numbers out of the comparison.
 */
import { type Answer, argumentText, contentText, type HostMessage } from "#pi/codec";

/** The place of a passage: index of its message, and of its block in that message. */
export interface Place {
	readonly message: number;
	readonly block: number;
}

export interface Passage extends Place {
	readonly author: "agent" | "tool" | "user" | "host";
	readonly text: string;
}

/** The passages of one message: one a block for the model's, one for every other. */
export function readPassages(message: HostMessage, index: number): readonly Passage[] {
	const one = (author: Passage["author"], text: string) => [{ message: index, block: 0, author, text }];
	switch (message.role) {
		case "assistant":
			return message.content.map((block, i) => ({
				message: index,
				block: i,
				author: "agent",
				text: blockText(block),
			}));
		case "toolResult":
			return one("tool", contentText(message.content));
		case "user":
			return one("user", contentText(message.content));
		case "bashExecution":
			return one("user", `${message.command}\n${message.output}`);
		case "custom":
			return one("host", contentText(message.content));
		default:
			return one("host", message.summary);
	}
}

function blockText(block: Answer["content"][number]): string {
	if (block.type === "text") return block.text;
	return block.type === "thinking" ? block.thinking : argumentText(block.arguments);
}

/** Prefixes that `read`, `grep -n`, `cat -n` and similar tools print before a line. */
const LINE_NUMBER = /^(?:[\w./@+~-]+[:-])?[ ]*\d+[→:\t-]/gm;

/** A text as it is compared. */
export function squash(text: string): string {
	// `replace` would return a rope of pieces, which takes six times the memory until somebody flattens it.
	return text.replace(LINE_NUMBER, "").split(/\s+/).join("");
}

/** Finds the passages before a message that show a squashed text, oldest first; made for many searches. */
export function createTextSearch(passages: readonly Passage[]) {
	const squashed = passages.map((passage) => ({ passage, text: squash(passage.text) }));
	return (searched: string, before: number): readonly Passage[] =>
		squashed.flatMap(({ passage, text }) =>
			passage.message < before && text.includes(searched) ? [passage] : [],
		);
}

/**
 * The same for passages that show a name. Only names that will be asked for are kept: all of them would take several times
 * the memory of the text itself.
 */
export function createNameSearch(
	passages: readonly Passage[],
	findNames: (text: string) => ReadonlySet<string>,
	asked: Iterable<string>,
) {
	const found = new Map([...asked].map((name): [string, Passage[]] => [name, []]));
	for (const passage of passages) for (const name of findNames(passage.text)) found.get(name)?.push(passage);
	return (name: string, before: number): readonly Passage[] =>
		found.get(name)?.filter(({ message }) => message < before) ?? [];
}
