/** The host's list of messages, followed from request to request: only what is new at its tail is read. */
import { createLiveFold, dropEvicted, type Graph, type LiveFold } from "#core/graph";
import type { View } from "#core/log";
import type { ToolTable, TranscriptMessage } from "#core/transcript";
import type { HostMessage } from "./host-message.ts";
import { fingerprint, readMessage } from "./messages.ts";
import { createNamedList } from "./named-list.ts";
import type { CountTokens } from "./tokens.ts";

/** Reads a message; `key` names it in its list. */
type Reader = (message: HostMessage, index: number, key: string) => TranscriptMessage;

/**
 * Branches share most of their messages: what was counted once is not counted again. A key alone does not name a
 * message here: when the first of two with one key is gone, the other takes its name. `cwd` is the folder of the
 * workspace, "" if unknown.
 */
export function createReader(count: CountTokens, cwd = ""): Reader {
	/** The tokens of each text of a message, in the order in which they are counted. */
	const known = new Map<string, readonly number[]>();
	return (message, index, key) => {
		const name = `${key} ${fingerprint(message)}`;
		const earlier = known.get(name)?.values();
		if (earlier) return readMessage(message, index, key, () => earlier.next().value ?? 0, cwd);
		const counts: number[] = [];
		const counting: CountTokens = (text) => {
			const tokens = count(text);
			counts.push(tokens);
			return tokens;
		};
		const read = readMessage(message, index, key, counting, cwd);
		known.set(name, counts);
		return read;
	};
}

export interface FollowedList {
	/**
	 * Read on to the end of the list. Costs some ns for each message that was read before; a list that leaves the one
	 * before (another branch, a compaction) is folded anew, and read from where it leaves. With `sent`, what the request
	 * before sent, nobody looks whether what it left out is still the same.
	 */
	follow(messages: readonly HostMessage[], sent?: readonly { readonly message: number }[]): Progress;
	/** Read the next list from its beginning. */
	forget(): void;
	/** Let go of what a view has left nothing of; see dropEvicted. */
	compact(view: View): void;
	graph(): Graph;
}

interface Progress {
	readonly graph: Graph;
	/** True if the list continues the previous one. */
	readonly continues: boolean;
	/** The messages that were read now. */
	readonly added: readonly TranscriptMessage[];
	/** The index of the first message that is not the one that was read there before; absent if all are. */
	readonly changedAt?: number;
}

export function followList(read: Reader, tools: ToolTable): FollowedList {
	const list = createNamedList(read);
	let fold: LiveFold = createLiveFold(tools);

	function append(message: HostMessage): TranscriptMessage {
		const added = list.append(message);
		fold.append(added);
		return added;
	}

	/** Start over with what is still the same; what the graph has let go of is read again. */
	function keep(length: number) {
		const { messages, evicted } = fold.read();
		const kept = evicted.size > 0 ? [] : messages.slice(0, length);
		fold = createLiveFold(tools);
		for (const message of kept) fold.append(message);
		list.cut(kept.length);
	}

	return {
		follow(messages, sent) {
			const same = list.countSame(messages, sent);
			const length = list.length();
			const continues = same > 0 && same === length;
			const changed = same < length && { changedAt: same };
			if (!continues) keep(same);
			const added = messages.slice(list.length()).map(append);
			const graph = fold.read();
			if (!fold.needsRebuild()) return { graph, continues, added, ...changed };
			keep(0);
			const all = messages.map(append);
			return { graph: fold.read(), continues: false, added: all, ...changed };
		},
		forget: () => keep(0),
		compact: (view) => dropEvicted(fold, view),
		graph: () => fold.read(),
	};
}
