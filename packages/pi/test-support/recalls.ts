/** Recalls as a model makes them: page by page, put together again by the lines that frame the texts. */
import type { Item } from "#core/transcript";
import type { HostMessage, Image } from "../codec/host-message.ts";
import type { CountTokens } from "../codec/tokens.ts";
import { answerRecall, type RecallAnswer } from "../recall/answer.ts";
import { joinRecalled } from "../recall/page-frame.ts";
import type { RecallSession } from "../recall/recall-sources.ts";
import type { ManagedSession } from "../session/managed-session.ts";

export interface Walk {
	/** Each text in full. */
	readonly texts: readonly string[];
	readonly images: readonly Image[];
	readonly answers: readonly RecallAnswer[];
}

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

/** Ask for every page. */
export function walkPages(session: RecallSession, query: string, count: CountTokens): Walk {
	const ask = (page: number) => answerRecall(session, { query, page, takesImages: true }, count);
	const first = ask(1);
	const rest = Array.from({ length: Math.max(0, first.pages - 1) }, (_, i) => ask(i + 2));
	const answers = [first, ...rest];
	const texts = joinRecalled(answers.map(({ text }) => text));
	return { texts, images: answers.flatMap(({ images }) => images), answers };
}

/** The texts of an item as the session holds them. */
export function originalTexts(messages: readonly HostMessage[], { id, message }: Item): readonly string[] {
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
