/** Reports on files that changed outside of the session: one line for the user, one bounded text for the model. */
import type { Graph } from "#core/graph";
import { type FileChange, fileOfCall } from "./manifest.ts";

/** More files than this are a checkout, and then one look at git says more. */
const MAX_FILES = 20;
const MAX_EPISODES = 4;

type ShowName = (name: string) => string;

const verbs = { changed: "changed", deleted: "deleted", renamed: "renamed", back: "there again" } as const;

/** One line for the user; `showName` makes any name harmless. */
export function describeForUser(changes: readonly FileChange[], showName: ShowName): string {
	const shown = changes
		.slice(0, 6)
		.map((change) => `${nameChange(change, showName)} (${verbs[change.type]})`);
	const more = changes.length > shown.length ? `, and ${changes.length - shown.length} more` : "";
	return `${countFiles(changes)} since: ${shown.join(", ")}${more}`;
}

/** The text for the model, with the episodes that knew each file. */
export function describeForModel(
	changes: readonly FileChange[],
	knownBy: ReadonlyMap<string, readonly string[]>,
	showName: ShowName,
): string {
	const lines = changes.slice(0, MAX_FILES).map((change) => {
		const episodes = knownBy.get(change.name) ?? [];
		const named = episodes.slice(-MAX_EPISODES).map(showName).join(", ");
		const more = episodes.length > MAX_EPISODES ? `, ${episodes.length - MAX_EPISODES} more` : "";
		return `${verbs[change.type]} ${nameChange(change, showName)}${named === "" ? "" : `, known from ${named}${more}`}`;
	});
	const rest = changes.length - lines.length;
	if (rest > 0) lines.push(`and ${rest} more`);
	return [`${countFiles(changes)} on disk since; what you saw of them may be out of date:`, ...lines].join(
		"\n",
	);
}

function countFiles({ length }: readonly FileChange[]): string {
	return `${length} ${length === 1 ? "file" : "files"} that this session knows ${length === 1 ? "has" : "have"} changed`;
}

function nameChange({ name, to }: FileChange, showName: ShowName): string {
	return to === undefined ? showName(name) : `${showName(name)} -> ${showName(to)}`;
}

/** Names of the episodes whose calls worked on a file, by the file's name, oldest first. */
export function readKnowledge(
	{ episodes }: Pick<Graph, "episodes">,
	cwd: string,
): ReadonlyMap<string, readonly string[]> {
	const known = new Map<string, string[]>();
	for (const { name, items } of episodes) {
		const files = new Set(
			items.map((item) => (item.type === "call" ? fileOfCall(cwd, item.tool, item.arguments) : undefined)),
		);
		for (const file of files) if (file !== undefined) known.set(file, [...(known.get(file) ?? []), name]);
	}
	return known;
}
