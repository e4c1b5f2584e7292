/** Tasks that depend on an earlier task. The visible session answers them at no cost; otherwise the git history does. */

import { findLatest, type Past } from "../knowledge.ts";
import { escapePattern } from "../naming.ts";
import type { Assignment } from "../phrasing.ts";
import { quote } from "../toolbox.ts";
import { findPlace, lookFirst, type Plan, type Recipe, type Recipes } from "./recipe.ts";
import { functionPattern, recipeForBug, recipeForRename, wordOf } from "./repository-recipes.ts";

const OPERATOR = " (<|<=|>|>=|===|!==) ";

/** The operators before and after the latest change in a function. */
function readOperators(diff: string, name: string): readonly string[] | undefined {
	const hunk = diff.split(/^@@ /m).find((part) => functionPattern(name).test(part.split("\n", 1)[0] ?? ""));
	return new RegExp(`^-.*${OPERATOR}.*\\n\\+.*${OPERATOR}`, "m").exec(hunk ?? "")?.slice(1);
}

function followRenames(assignments: readonly Assignment[], name: string): string {
	const next = new Map<string, string>();
	const follow = (start: string): string => {
		const to = next.get(start);
		return to === undefined ? start : follow(to);
	};
	for (const earlier of assignments) {
		if (earlier.type === "rename") next.set(earlier.from, earlier.to);
		else if (earlier.type === "formerly") next.set(follow(earlier.old), earlier.to);
	}
	return follow(name);
}

/** The word that replaced a name in the first pair of lines that has it. */
function readNewName(diff: string, old: string): string | undefined {
	const lines = diff.split("\n").filter((line) => /^[+-](?![+-])/.test(line));
	const word = new RegExp(wordOf(old));
	const gone = lines.find((line) => line.startsWith("-") && word.test(line));
	if (gone === undefined) return undefined;
	const around = gone.slice(1).split(new RegExp(word.source, "g")).map(escapePattern).join("(\\w+)");
	const come = new RegExp(`^\\+${around}$`);
	return lines.map((line) => come.exec(line)?.[1]).find((name) => name !== undefined && name !== old);
}

const consult = (command: string): Plan => ({ type: "consult", action: { type: "run", command } });

/** The readable part of what the first such command of the turn told. */
function findOutput<T>(
	{ exchanges, start }: Past,
	command: string,
	read: (output: string) => T | undefined,
): T | undefined {
	for (const { call, text, isError, message } of exchanges) {
		const isSuch = message > start && !isError && String(call.arguments.command).startsWith(command);
		const found = isSuch ? read(text) : undefined;
		if (found !== undefined) return found;
	}
	return undefined;
}

export const HISTORY_RECIPES = {
	undo({ name }, past) {
		const asked = past.assignments.findLast((earlier) => earlier.type === "bug" && earlier.name === name);
		const note = new RegExp(`${name} compared with \`(.+?)\` before and with \`(.+?)\` now`);
		const log = `git log -n 5 -p -U0 --diff-filter=M --format=%h -G ${quote(OPERATOR)} -- `;
		const [before, now] =
			asked?.type === "bug"
				? [asked.wrong, asked.right]
				: (findLatest(past.notes, note)?.slice(1) ??
					findOutput(past, log, (diff) => readOperators(diff, name)) ??
					[]);
		if (before && now) {
			const fact = `${name} compared with \`${before}\` before and with \`${now}\` now`;
			return { ...recipeForBug(name, before), findings: () => [fact] };
		}
		const plan: Recipe["plan"] = (known) => {
			const path = findPlace(known, functionPattern(name));
			return path === undefined ? { type: "locate" } : consult(log + quote(path));
		};
		return lookFirst(name, plan, [wordOf(name)]);
	},

	formerly({ old, to, folders }, past) {
		const followed = followRenames(past.assignments, old);
		const note = new RegExp(`${wordOf(old)} was renamed to (\\w+)`);
		const command = `git log -n 1 -p -U0 --diff-filter=M --format=%h --pickaxe-regex -S ${quote(wordOf(old))} -- ${folders.map(quote).join(" ")}`;
		const current =
			followed !== old
				? followed
				: (findLatest(past.notes, note)?.[1] ?? findOutput(past, command, (diff) => readNewName(diff, old)));
		if (!current) return lookFirst(old, () => consult(command), [wordOf(old)]);
		return {
			...recipeForRename(current, to, folders),
			// The task keeps one name from its first request to its last.
			subject: old,
			findings: () => [`${old} was renamed to ${current}`],
		};
	},
} satisfies Partial<Recipes>;
