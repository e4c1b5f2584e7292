/** Which entries of a Claude Code transcript make up its conversation. */

/** The content that one line adds to the conversation. */
export interface Saying {
	/** The id of the reply that a block belongs to; left out for a user's entry. */
	readonly reply?: string;
	/** Ids of the calls that it makes, and of those whose results it holds. */
	readonly calls: readonly string[];
	readonly results: readonly string[];
	/** Adds it to the draft. */
	readonly say: () => void;
}

export interface ClaudeNode {
	readonly line: number;
	readonly id: string;
	/** The parent's id, or one of the two marks below. */
	readonly parent: string;
	/** Work of a sub-agent. */
	readonly isSide: boolean;
	readonly saying: Saying | undefined;
}

/** No parent. */
export const ROOT = "root";
/** The entry before it in the file, whatever it is called. */
export const PREVIOUS = "previous";

type OnLost = (line: number, parent: string) => void;

/**
 * The branch that ends at the last thing said, in the order of the file, side chains left out (a file that holds
 * nothing else is a sub-agent's own). Two things hang next to it in the tree and belong to it: further blocks of its
 * replies, and results of calls that ran in parallel.
 */
export function findBranch(nodes: readonly ClaudeNode[], onLost: OnLost): readonly Saying[] {
	const isWhole = nodes.every(({ isSide, saying }) => isSide || !saying);
	const own = isWhole ? nodes : nodes.filter(({ isSide }) => !isSide);
	const path = tracePath(own, onLost);
	const replies = new Set([...path].flatMap(({ saying }) => saying?.reply ?? []));
	const members = new Set(own.filter((node) => path.has(node) || replies.has(node.saying?.reply ?? "")));
	const calls = new Set([...members].flatMap(({ saying }) => saying?.calls ?? []));
	const answered = new Set([...members].flatMap(({ saying }) => saying?.results ?? []));
	const isLate = (id: string) => calls.has(id) && !answered.has(id);
	return own.flatMap((node) => {
		const isMember = members.has(node) || node.saying?.results.some(isLate) === true;
		return isMember && node.saying ? [node.saying] : [];
	});
}

function tracePath(nodes: readonly ClaudeNode[], onLost: OnLost): ReadonlySet<ClaudeNode> {
	const places = new Map(nodes.map(({ id }, index) => [id, index]));
	const path = new Set<ClaudeNode>();
	let index = nodes.findLastIndex(({ saying }) => saying !== undefined);
	for (let node = nodes[index]; node && !path.has(node); node = nodes[index]) {
		path.add(node);
		if (node.parent === ROOT) break;
		const parent = node.parent === PREVIOUS ? index - 1 : places.get(node.parent);
		if (parent === undefined && index > 0) onLost(node.line, node.parent);
		index = parent ?? index - 1;
	}
	return path;
}
