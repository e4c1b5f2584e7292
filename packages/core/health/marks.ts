import type { Episode, Graph } from "../graph/graph.ts";
import { effectOf, isEdit, type ToolTable } from "../transcript/tool-table.ts";

/** How well a model marks its work. */
export interface Marks {
	/** Episodes that the model marked. */
	readonly episodes: number;
	/** Share of the tokens of all episodes that marked ones hold. */
	readonly share: number;
	readonly open: number;
	/** Acts that name no expl. */
	readonly actsWithoutDependencies: number;
	readonly explsThatEdit: number;
	/** Closed acts whose calls only read. */
	readonly actsThatOnlyRead: number;
}

const tokensOf = (episodes: readonly Episode[]) => episodes.reduce((sum, { tokens }) => sum + tokens, 0);

/** Measures the whole session, evicted content included; undefined for one without marks. Linear in its history. */
export function measureMarks(graph: Graph, tools: ToolTable): Marks | undefined {
	const marked = graph.episodes.filter(({ origin }) => origin === "declared");
	if (marked.length === 0) return undefined;
	const work = marked.map((episode) => {
		const calls = episode.items.filter((item) => item.type === "call");
		const effects = calls.map((call) => effectOf(tools, call.tool, call.arguments));
		const onlyReads = effects.includes("reads") && !effects.includes("writes");
		return { ...episode, onlyReads, edits: calls.some((call) => isEdit(tools, call)) };
	});
	const acts = work.filter(({ kind }) => kind === "act");
	return {
		episodes: marked.length,
		share: tokensOf(marked) / Math.max(1, tokensOf(graph.episodes)),
		open: marked.filter(({ state }) => state === "open").length,
		actsWithoutDependencies: acts.filter(({ dependencies }) => dependencies.length === 0).length,
		explsThatEdit: work.filter(({ kind, edits }) => kind === "expl" && edits).length,
		actsThatOnlyRead: acts.filter(({ state, onlyReads }) => state === "closed" && onlyReads).length,
	};
}
