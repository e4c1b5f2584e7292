/** Where a recall looks: in what pi sends of a session first, then in its whole branch, which pi may have compacted. */
import { MAX_NAME_LENGTH } from "#basics";
import { formsOf, sentBy } from "#core/projection";
import { createRecallIndex, type RecallIndex, type RecallPart } from "#core/recall";
import type { Item } from "#core/transcript";
import { blockOf, type Source } from "../codec/item-content.ts";
import { messageKey } from "../codec/messages.ts";
import type { Inspection } from "../session/managed-session.ts";

/** The session as a recall needs it. */
export interface RecallSession {
	/** The messages that pi would send, and the log's view of them. */
	readonly context: Source & Pick<Inspection, "view" | "shortened">;
	/** The whole branch, when pi has summarised what came before the context. */
	readonly whole: Source | undefined;
}

export interface SearchedSession extends Source {
	readonly index: RecallIndex;
	/** Returns true if the model can still see all of a part. */
	isVisible(part: RecallPart): boolean;
	/** The handle that recalls this part. */
	handleOf(part: RecallPart): string;
}

/** Longer handles are not for reading; the item's own id is then used instead. In characters. */
const MAX_HANDLE_LENGTH = MAX_NAME_LENGTH + 10;

export type RecallSources = ReturnType<typeof openSources>;

export function openSources({ context, whole }: RecallSession) {
	const { graph, view, shortened } = context;
	const isSent = sentBy(graph, view);
	const ageOf = formsOf(graph, view);
	const isWhole = (item: Item | undefined) =>
		item !== undefined &&
		isSent(item) &&
		ageOf(item) === undefined &&
		!view.released.has(item.id) &&
		shortened?.has(item.id) !== true;
	/** `inContext` finds an item among those of the context, whose own handles come first. */
	const open = (
		source: Source,
		inContext: (item: Item) => Item | undefined,
		first?: RecallIndex,
	): SearchedSession => ({
		...source,
		index: createRecallIndex(source.graph),
		isVisible: ({ items }) => items.every((item) => isWhole(inContext(item))),
		handleOf({ handle, items: [item] }) {
			if (handle.length > MAX_HANDLE_LENGTH) return item.id;
			const other = first?.find(handle)?.parts[0]?.items[0];
			return other && other.id !== inContext(item)?.id ? item.id : handle;
		},
	});
	const near = open(context, (item) => item);
	const all = whole ? open(whole, matchTails(whole, context), near.index) : near;
	return {
		/** The session that holds everything. */
		all,
		/** A name or a handle. The context decides first: a name may have been used again after a compaction. */
		find(handle: string) {
			const session = near.index.find(handle) ? near : all;
			const found = session.index.find(handle);
			return found && { session, found };
		},
	};
}

/** Pi keeps the tail of the branch through a compaction: the same messages, counted from the end. */
function matchTails(whole: Source, context: Source): (item: Item) => Item | undefined {
	const offset = whole.messages.length - context.messages.length;
	const keyAt = ({ messages }: Source, at: number) => {
		const message = messages[at];
		return message && messageKey(message);
	};
	let start = whole.messages.length;
	while (start > Math.max(0, offset) && keyAt(whole, start - 1) === keyAt(context, start - 1 - offset))
		start -= 1;
	return (item) => {
		if (item.message < start) return undefined;
		return context.graph.messages[item.message - offset]?.items[blockOf(whole.graph, item)];
	};
}
