/** Recalls as a model makes them: page by page, put together again by the lines that frame the texts. */
import type { CountTokens } from "#basics";
import { formsOf, sentBy } from "#core/projection";
import { createRecallIndex } from "#core/recall";
import type { Item } from "#core/transcript";
import type { HostMessage } from "../codec/host-message.ts";
import { answerRecall } from "../recall/answer.ts";
import type { RecallSession } from "../recall/recall-sources.ts";
import type { ManagedSession } from "../session/managed-session.ts";
import { countCharacters, inOrder } from "./host-messages.ts";
import { open, under } from "./host-runs.ts";

/** The session as recall knows it: the messages that pi would send now, and the whole branch where that is more. */
export function recallSession(
	session: ManagedSession,
	context: readonly HostMessage[],
	whole?: readonly HostMessage[],
): RecallSession {
	return {
		context: { messages: context, ...session.inspect(context) },
		whole: whole && { messages: whole, graph: session.inspect(whole).graph },
	};
}

/** The session once everything that may go has gone. */
export function evictAll(...messages: readonly HostMessage[]): RecallSession {
	const session = open();
	const ordered = inOrder(...messages);
	session.request(ordered, under(0));
	return recallSession(session, ordered);
}

/** The parts of which a request no longer shows everything: they were evicted, reduced, or shortened as they came. */
export function partsNotShown({ context }: RecallSession) {
	const { graph, view, shortened } = context;
	const isSent = sentBy(graph, view);
	const formOf = formsOf(graph, view);
	const isWhole = (item: Item) => isSent(item) && formOf(item) === undefined && !shortened?.has(item.id);
	return createRecallIndex(graph).parts.filter(({ items }) => !items.every(isWhole));
}

/** Recalls a part, every page: its texts, which come last, and those that the session holds. Long arguments come before a result, and alone where there is none. */
export function recallPart(
	session: RecallSession,
	{ handle, items }: ReturnType<typeof partsNotShown>[number],
) {
	const { texts, ...rest } = walkPages(session, handle, countCharacters);
	const wanted = items.flatMap((item) => originalTexts(session.context.messages, item));
	return { ...rest, wanted, found: texts.slice(texts.length - wanted.length) };
}

/** Asks for every page; returns the answers, and their texts, each in full, and images. */
export function walkPages(session: RecallSession, query: string, count: CountTokens) {
	const ask = (page: number) => answerRecall(session, { query, page, takesImages: true }, count);
	const first = ask(1);
	const rest = Array.from({ length: Math.max(0, first.pages - 1) }, (_, i) => ask(i + 2));
	const answers = [first, ...rest];
	const texts = joinRecalled(answers.map(({ text }) => text));
	return { texts, images: answers.flatMap(({ images }) => images), answers };
}

/** The texts of an item as the session holds them. */
function originalTexts(messages: readonly HostMessage[], { id, message }: Item): readonly string[] {
	const original = messages[message];
	if (original?.role === "assistant") {
		const block = original.content[Number(id.slice(id.lastIndexOf(".") + 1))];
		if (block?.type === "text") return [block.text];
		return block?.type === "thinking" ? [block.thinking] : [];
	}
	if (original?.role === "branchSummary" || original?.role === "compactionSummary") return [original.summary];
	if (original?.role !== "toolResult" && original?.role !== "custom") return [];
	if (typeof original.content === "string") return [original.content];
	return original.content.flatMap((block) => (block.type === "text" ? [block.text] : []));
}

const HANDLE = /^"(?:[^"\\]|\\.)*"/;
const RANGE = /, lines (\d+)-(\d+) of (\d+)(?:, cut( from character \d+)?( to character \d+)?)?$/;

/** A text of a page: the handle of its part, its line numbers (from 1; 0 without a text), and if it is cut within a line. */
type RecalledText = NonNullable<ReturnType<typeof readText>>;

/** The texts of one page; nothing where the answer gives none. */
export function readRecalled(answer: string): readonly RecalledText[] {
	const lines = answer.split("\n");
	const fence = lines.findLast((line) => /^---\d*$/.test(line));
	if (fence === undefined) return [];
	const foot = lines.lastIndexOf(fence);
	const heads = lines.flatMap((line, at) => (at < foot && line.startsWith(`${fence} "`) ? [at] : []));
	return heads.flatMap((head, i) => {
		const label = lines[head]?.slice(fence.length + 1) ?? "";
		return readText(label, lines.slice(head + 1, heads[i + 1] ?? foot).join("\n")) ?? [];
	});
}

/** The texts that these answers give back, a text that spans several pages joined. */
export function joinRecalled(answers: readonly string[]): readonly string[] {
	const texts: string[] = [];
	let before: RecalledText | undefined;
	for (const recalled of answers.flatMap(readRecalled)) {
		const { text, cutStart } = recalled;
		if (before && isContinued(before, recalled)) texts.push(`${texts.pop()}${cutStart ? "" : "\n"}${text}`);
		else texts.push(text);
		before = recalled;
	}
	return texts;
}

function isContinued(before: RecalledText, { handle, total, first, cutStart }: RecalledText): boolean {
	if (before.handle !== handle || before.total !== total) return false;
	return cutStart ? before.cutEnd && first === before.last : first === before.last + 1;
}

function readText(label: string, text: string) {
	const handle = HANDLE.exec(label)?.[0];
	const range = RANGE.exec(label);
	// An image has neither lines nor the want of them.
	if (handle === undefined || !(range || label.endsWith(", no text"))) return undefined;
	const [first = 0, last = 0, total = 0] = range?.slice(1, 4).map(Number) ?? [];
	const cutStart = range?.[4] !== undefined;
	const cutEnd = range?.[5] !== undefined;
	return { handle: String(JSON.parse(handle)), first, last, total, text, cutStart, cutEnd };
}
