/** The lines that stay for evicted episodes: what they were, what they touched, and how to have them back. */
import type { Episode } from "./graph.ts";
import type { ToolCall, ToolResult } from "./transcript.ts";

/** More file names make a line that costs more than it tells. */
const MOST_FILES = 8;
/** Groups up to this size name each of their episodes. */
const MOST_NAMES = 8;

/** The line of one episode. What the model wrote is kept on one line, its name in quotes. */
export function markerText(episode: Episode): string {
	const { kind, tokens, description } = episode;
	const handle = JSON.stringify(episode.name);
	const said = description === undefined ? "" : ` ${description.replace(/\s+/g, " ").trim()}`;
	return `[${kind} ${handle}, evicted ${kilo(tokens)}${filesText([episode])}; recall ${handle}]${said}`;
}

/** The line of a group of episodes, oldest first. */
export function foldText(episodes: readonly Episode[]): string {
	const tokens = episodes.reduce((sum, episode) => sum + episode.tokens, 0);
	const names = episodes.map(({ name }) => JSON.stringify(name));
	const named = names.length > MOST_NAMES ? `${names[0]} to ${names.at(-1)}` : names.join(", ");
	const files = filesText(episodes);
	return `[${episodes.length} episodes, evicted ${kilo(tokens)}${files}; recall by name or file: ${named}]`;
}

/** Files that calls of these episodes worked on, the most often named first, then those that only outputs named. */
function filesText(episodes: readonly Episode[]): string {
	const items = episodes.flatMap((episode) => episode.items);
	const worked = countPaths(items.filter((item) => item.type === "call"));
	const shown = countPaths(items.filter((item) => item.type === "result"));
	const files = [...new Set([...worked, ...shown])].slice(0, MOST_FILES);
	return files.length > 0 ? `: ${files.join(", ")}` : "";
}

function countPaths(items: readonly (ToolCall | ToolResult)[]): readonly string[] {
	const counts = new Map<string, number>();
	for (const path of items.flatMap((item) => item.digest?.paths ?? [])) {
		counts.set(path, (counts.get(path) ?? 0) + 1);
	}
	return [...counts].sort(([, a], [, b]) => b - a).map(([path]) => path);
}

function kilo(tokens: number): string {
	return tokens < 1_000 ? String(tokens) : `${(tokens / 1_000).toFixed(1)}k`;
}
