/** The recipe for renaming an identifier everywhere under some folders. */

import type { Assignment } from "./assignment.ts";
import { isOfThisTurn } from "./edit-sites.ts";
import type { Knowledge } from "./knowledge.ts";
import { escapePattern } from "./pattern.ts";
import type { Plan, Recipe } from "./recipe.ts";
import { changeFile, type LineChange } from "./text-change.ts";
import { quote } from "./toolbox.ts";

type Rename = Extract<Assignment, { readonly type: "rename" }>;

export function recipeForRename({ from, to, folders }: Rename): Recipe {
	const old = new RegExp(`\\b${escapePattern(from)}\\b`);
	const isInside = (path: string) => folders.some((folder) => path.startsWith(`${folder}/`));
	const places = folders.map((folder) => (/^[\w/-]+$/.test(folder) ? folder : quote(folder))).join(" ");
	return {
		subject: from,
		searches: [old.source],
		hints: [],
		check: {
			command: `git grep -n --untracked -w -e ${quote(from)} -- ${places}; git grep -c --untracked -w -e ${quote(to)} -- ${places}`,
			passes: (output) => !old.test(output) && /:\d+\s*$/m.test(output),
		},
		plan: (known) => planRename(known, { old, to, isInside }),
	};
}

interface Renaming {
	readonly old: RegExp;
	readonly to: string;
	readonly isInside: (path: string) => boolean;
}

/** The files that a search of this turn found and that did not change since, plus the files seen in this turn. */
function planRename(known: Knowledge, { old, to, isInside }: Renaming): Plan {
	const found = known.hits
		.filter(({ path, message }) => isInside(path) && (known.changed.get(path) ?? -1) < message)
		.map(({ path }) => path);
	const seen = [...known.views]
		.filter(([path, view]) => isInside(path) && isOfThisTurn(known, view.message) && old.test(view.text))
		.map(([path]) => path);
	const paths = [...new Set([...found, ...seen])];
	if (paths.length === 0) return { type: known.searches.length > 0 ? "settled" : "locate" };
	const unseen = paths.filter((path) => !known.views.has(path));
	if (unseen.length > 0) return { type: "inspect", paths: unseen };
	const actions = paths.flatMap((path) => {
		const text = known.views.get(path)?.text ?? "";
		const changes = renameLines(text.split("\n"), old, to);
		return changes.length > 0 ? [changeFile(path, text, changes)] : [];
	});
	return actions.length > 0 ? { type: "change", actions } : { type: "settled" };
}

function renameLines(lines: readonly string[], old: RegExp, to: string): readonly LineChange[] {
	const everywhere = new RegExp(old.source, "g");
	return lines.flatMap((line, index) =>
		old.test(line) ? [{ start: index, end: index, lines: [line.replace(everywhere, () => to)] }] : [],
	);
}
