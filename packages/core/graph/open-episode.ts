/** The episode that new items go to: a declared one from `start` to `end`, else a run of unmarked work of one kind. */
import type { DelimiterCommand, EpisodeKind } from "../annotation/delimiter.ts";
import type { Item } from "../transcript/transcript.ts";
import type { FoldState, Growing } from "./fold-state.ts";
import type { Episode } from "./graph.ts";
import { nameRun } from "./inferred-name.ts";

/** Inferred episodes longer than this are cut, so that a long run of unmarked work can leave in parts. */
export const INFERRED_TOKENS = 15_000;

/** The declared episode that is open, else the unmarked run of this kind, else a new one. */
export function currentEpisode(
	state: FoldState,
	first: Item,
	kind: EpisodeKind | undefined,
): Growing<Episode> {
	if (state.declared) return state.declared;
	const run = state.inferred;
	if (run && (run.tokens >= INFERRED_TOKENS || (kind !== undefined && kind !== run.kind)))
		closeInferred(state);
	state.inferred ??= openEpisode(state, {
		// No declared name begins with a space.
		id: ` ${first.id}`,
		name: nameRun(first.id, (name) => state.names.has(name)),
		kind: kind ?? "expl",
		origin: "inferred",
		dependencies: [],
	});
	return state.inferred;
}

export function startEpisode(state: FoldState, command: DelimiterCommand & { readonly type: "start" }) {
	closeInferred(state);
	state.declared = openEpisode(state, {
		id: command.name,
		name: command.name,
		kind: command.kind,
		origin: "declared",
		dependencies: command.kind === "act" ? [...command.dependencies] : [],
	});
	state.graph.annotated = true;
}

export function endEpisode(
	state: FoldState,
	{ description, isKept }: DelimiterCommand & { readonly type: "end" },
) {
	if (!state.declared) return;
	state.declared.description = description;
	if (isKept) state.declared.isKept = true;
	state.declared.state = "closed";
	for (const id of state.declared.dependencies) state.graph.builtUpon.add(id);
	state.declared = undefined;
}

export function closeInferred(state: FoldState) {
	if (state.inferred) state.inferred.state = "closed";
	state.inferred = undefined;
}

function openEpisode(
	state: FoldState,
	marks: Pick<Growing<Episode>, "id" | "name" | "kind" | "origin" | "dependencies">,
): Growing<Episode> {
	const episode: Growing<Episode> = {
		...marks,
		state: "open",
		description: undefined,
		turn: state.turns,
		items: [],
		tokens: 0,
		place: state.graph.episodes.length,
	};
	state.graph.episodes.push(episode);
	state.names.add(episode.name);
	return episode;
}

export function place(state: FoldState, item: Item, episode: Growing<Episode>) {
	episode.items.push(item);
	episode.tokens += item.tokens;
	if (item.type === "call") state.placedCalls.set(item.callId, { call: item, episode });
}
