/** Where a recall looks: in what pi sends of a session first, then in its whole branch, which pi may have compacted. */
import { fadeAges, sentBy } from "#core/projection";
import { createRecallIndex, type RecallIndex, type RecallPart } from "#core/recall";
import { type Item, MAX_NAME_LENGTH } from "#core/transcript";
import type { HostMessage } from "../codec/host-message.ts";
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

export interface Shelf extends Source {
	readonly index: RecallIndex;
	/** Returns true if the model can still see all of a part. */
	isVisible(part: RecallPart): boolean;
	/** The handle that recalls this part. */
	handleOf(part: RecallPart): string;
}

/** Longer handles are not for reading; the item's own id then stands for them. In characters. */
const MAX_HANDLE_LENGTH = MAX_NAME_LENGTH + 10;

export type Library = ReturnType<typeof openLibrary>;

export function openLibrary({ context, whole }: RecallSession) {
	const index = createRecallIndex(context.graph);
	const isSent = sentBy(context.graph, context.view);
	const { view, shortened } = context;
	const ageOf = fadeAges(context.graph, view);
	const isWhole = (item: Item) =>
		isSent(item) &&
		ageOf(item) === undefined &&
		!view.released.has(item.id) &&
		shortened?.has(item.id) !== true;
	const near: Shelf = { ...context, index, isVisible: ({ items }) => items.every(isWhole), handleOf };
	const all = whole ? openWhole(whole, near, isWhole) : near;
	const shelves = whole ? [near, all] : [near];
	return {
		/** The shelf that holds everything. */
		all,
		/** A name or a handle. The context decides first: a name may have been used again after a compaction. */
		find(handle: string) {
			for (const shelf of shelves) {
				const found = shelf.index.find(handle);
				if (found) return { shelf, found };
			}
			return undefined;
		},
	};
}

function handleOf({ handle, items }: RecallPart): string {
	return handle.length <= MAX_HANDLE_LENGTH ? handle : items[0].id;
}

function openWhole(whole: Source, near: Shelf, isWhole: (item: Item) => boolean): Shelf {
	const sameItem = matchTails(whole, near);
	return {
		...whole,
		index: createRecallIndex(whole.graph),
		isVisible: ({ items }) =>
			items.every((item) => {
				const same = sameItem(item);
				return same !== undefined && isWhole(same);
			}),
		handleOf(part) {
			const [first] = part.items;
			const other = near.index.find(handleOf(part))?.parts[0]?.items[0];
			return other && other.id !== sameItem(first)?.id ? first.id : handleOf(part);
		},
	};
}

/** Pi keeps the tail of the branch through a compaction: the same messages, counted from the end. */
function matchTails(whole: Source, context: Source): (item: Item) => Item | undefined {
	const offset = whole.messages.length - context.messages.length;
	let start = whole.messages.length;
	while (start > 0 && isSame(whole.messages[start - 1], context.messages[start - 1 - offset])) start -= 1;
	return (item) => {
		if (item.message < start) return undefined;
		const block = blockOf(whole.graph, item);
		return context.graph.messages[item.message - offset]?.items[block];
	};
}

function isSame(a: HostMessage | undefined, b: HostMessage | undefined): boolean {
	return a !== undefined && b !== undefined && messageKey(a) === messageKey(b);
}
