import type { Segment } from "./segment.ts";

/** A prompt prefix that was sent: the path of segments from the root. Equal prefixes are the same node. */
export interface PrefixNode {
	readonly children: Map<string, PrefixNode>;
	readonly segment: Segment | undefined;
	/** Clock time in ms until which an Anthropic cache entry stands here; 0 when there is none. */
	expires: number;
	/** How long, in ms, a hit prolongs that entry. */
	lifetime: number;
}

function createPrefixNode(segment?: Segment): PrefixNode {
	return { children: new Map(), segment, expires: 0, lifetime: 0 };
}

/** Returns the root of each model's tree, which is made at its first use. */
export function createRoots(): (model: string) => PrefixNode {
	const roots = new Map<string, PrefixNode>();
	return (model) => {
		const root = roots.get(model) ?? createPrefixNode();
		roots.set(model, root);
		return root;
	};
}

/** The known prefixes of a prompt, shortest first: `path[i]` ends with `segments[i]`. */
export function findPath(root: PrefixNode, segments: readonly Segment[]): readonly PrefixNode[] {
	const path: PrefixNode[] = [];
	let node: PrefixNode | undefined = root;
	for (const segment of segments) {
		node = node.children.get(segment.digest);
		if (!node) break;
		path.push(node);
	}
	return path;
}

/** Like `findPath`, but adds the prefixes that are not known yet. */
export function growPath(root: PrefixNode, segments: readonly Segment[]): readonly PrefixNode[] {
	let node = root;
	return segments.map((segment) => {
		const child = node.children.get(segment.digest) ?? createPrefixNode(segment);
		node.children.set(segment.digest, child);
		node = child;
		return child;
	});
}
