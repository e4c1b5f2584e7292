/** Tasks that depend on an earlier task. The visible session answers them at no cost; otherwise the git history does. */

import { findLatest, type Past } from "../knowledge.ts";
import { escapePattern } from "../naming.ts";
import type { Assignment } from "../phrasing.ts";
import { quote } from "../toolbox.ts";
import { findPlace, lookFirst, type Recipe, type Recipes } from "./recipe.ts";
import { functionPattern, recipeForBug, recipeForRename } from "./repository-recipes.ts";

const OPERATOR = " (<|<=|>|>=|===|!==) ";

/** The operators of the latest change in a function: the present one has to go. */
function readOperators(
	diff: string,
	name: string,
): { readonly wrong: string; readonly right: string } | undefined {
	const hunk = diff.split(/^@@ /m).find((part) => functionPattern(name).test(part.split("\n", 1)[0] ?? ""));
	const operator = new RegExp(OPERATOR);
	const lines = (hunk ?? "").split("\n");
	const gone = lines.find((line) => line.startsWith("-") && operator.test(line)) ?? "";
	const come = lines.find((line) => line.startsWith("+") && operator.test(line)) ?? "";
	const [before, after] = [gone, come].map((line) => line.match(new RegExp(OPERATOR, "g")) ?? []);
	const index = before?.findIndex((one, at) => one !== after?.[at]) ?? -1;
	const [right, wrong] = [before?.[index]?.trim(), after?.[index]?.trim()];
	return right && wrong ? { wrong, right } : undefined;
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
	const word = new RegExp(`\\b${escapePattern(old)}\\b`);
	const gone = lines.find((line) => line.startsWith("-") && word.test(line));
	if (gone === undefined) return undefined;
	const around = gone.slice(1).split(new RegExp(word.source, "g")).map(escapePattern).join("(\\w+)");
	const come = new RegExp(`^\\+${around}$`);
	return lines.map((line) => come.exec(line)?.[1]).find((name) => name !== undefined && name !== old);
}

function findOutput<T>(
	{ exchanges }: Past,
	command: string,
	read: (output: string) => T | undefined,
): T | undefined {
	for (const { call, text, isError } of exchanges) {
		const found = !isError && String(call.arguments.command).startsWith(command) ? read(text) : undefined;
		if (found !== undefined) return found;
	}
	return undefined;
}

/** Consults the history first; the command may need the file of the function. */
function consultFirst(name: string, command: (path: string) => string): Recipe {
	const plan: Recipe["plan"] = (known) => {
		const path = command("") === command("x") ? "" : findPlace(known, functionPattern(name));
		return path === undefined ? { type: "locate" } : { type: "consult", command: command(path) };
	};
	return lookFirst(name, plan, [`\\b${escapePattern(name)}\\b`]);
}

export const HISTORY_RECIPES = {
	undo({ name }, past) {
		const asked = past.assignments.findLast((earlier) => earlier.type === "bug" && earlier.name === name);
		const putBack = (wrong: string, right: string): Recipe => ({
			...recipeForBug(name, right),
			findings: () => [`${name} compared with \`${right}\` before and with \`${wrong}\` now`],
		});
		if (asked?.type === "bug") return putBack(asked.right, asked.wrong);
		const noted = findLatest(
			past.notes,
			new RegExp(`${name} compared with \`(.+?)\` before and with \`(.+?)\` now`),
		);
		if (noted?.[1] && noted[2]) return putBack(noted[2], noted[1]);
		const logHead = `git log -n 5 -p -U0 --diff-filter=M --format=%h -G ${quote(OPERATOR)} -- `;
		const found = findOutput(past, logHead, (diff) => readOperators(diff, name));
		if (found) return putBack(found.wrong, found.right);
		return consultFirst(name, (path) => `${logHead}${quote(path)}`);
	},

	formerly({ old, to, folders }, past) {
		const current = followRenames(past.assignments, old);
		const rename = (from: string): Recipe => ({
			...recipeForRename(from, to, folders),
			// The task keeps one name from its first request to its last.
			subject: old,
			findings: () => [`${old} was renamed to ${from}`],
		});
		if (current !== old) return rename(current);
		const noted = findLatest(past.notes, new RegExp(`\\b${escapePattern(old)} was renamed to (\\w+)`));
		if (noted?.[1]) return rename(noted[1]);
		const word = `\\b${escapePattern(old)}\\b`;
		const log = `git log -n 1 -p -U0 --diff-filter=M --format=%h --pickaxe-regex -S ${quote(word)} -- ${folders.map(quote).join(" ")}`;
		const found = findOutput(past, log, (diff) => readNewName(diff, old));
		if (found) return rename(found);
		return consultFirst(old, () => log);
	},
} satisfies Partial<Recipes>;
