/** The lines of a view by the item that each is anchored to, so that a pass changes only those of its episodes. */
import type { EpisodeId } from "../graph/graph.ts";
import type { Marker } from "../log/pass.ts";
import { linesOf, type View } from "../log/view.ts";
import type { ItemId } from "../transcript/transcript.ts";

export interface AnchoredLines {
	/** The lines at an item, the episode index first. */
	at(item: ItemId): readonly string[];
	/** Reads the line of an episode again. Returns false if all lines must be read again to know the order at its anchor. */
	update(episode: EpisodeId): boolean;
}

/** Reads the lines of a view that may grow. */
export function createAnchoredLines(view: View): AnchoredLines {
	const byAnchor = new Map<ItemId, string[]>();
	for (const { anchor, text } of linesOf(view)) append(byAnchor, anchor, text);
	const known = new Map<EpisodeId, Marker>(view.markers);
	return {
		at: (item) => byAnchor.get(item) ?? [],
		update(episode) {
			const [before, now] = [known.get(episode), view.markers.get(episode)];
			if (before === now) return true;
			if (!now) return false;
			known.set(episode, now);
			if (!before) append(byAnchor, now.anchor, now.text);
			else if (before.anchor === now.anchor && byAnchor.get(now.anchor)?.length === 1) {
				byAnchor.set(now.anchor, [now.text]);
			} else return false;
			return true;
		},
	};
}

function append(lines: Map<ItemId, string[]>, anchor: ItemId, text: string) {
	const others = lines.get(anchor);
	if (others) others.push(text);
	else lines.set(anchor, [text]);
}
