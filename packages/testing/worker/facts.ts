/** Finds the facts that a task needs and its prompt does not repeat. They come from the request alone and are never guessed. */
import { sum } from "#basics";
import { sumLog } from "./deployment.ts";
import { type Assignment, type Fields, fill, kindOf, parseAssignment, patternOf, readForm } from "./kinds.ts";
import { findLatest, findPlace, type Knowledge, type Past, type Plan } from "./knowledge.ts";
import { escapePattern, wordsOf } from "./naming.ts";
import { quote } from "./toolbox.ts";

/** The fields that the prompt leaves out; undefined where nothing shows them. */
export function findFact(asked: Assignment, past: Past): Fields | undefined {
	const { fact } = kindOf(asked);
	if (!fact) return {};
	if (fact.said) {
		const said = saidBefore(past, fact.said).filter((one) => shareFields(one, asked));
		const value = said.at(fact.isFirst ? 0 : -1)?.[fact.takes ?? ""];
		return value === undefined ? undefined : { [fact.as ?? ""]: value };
	}
	if (fact.is === "total") return sumOfLogs(past);
	if (fact.shown) return findLatest(past.texts, readForm(fact.shown, asked))?.groups;
	const earlier = fact.is === "undo" ? earlierFix(asked, past) : earlierName(asked, past);
	const noted = fact.noted && findLatest(past.notes, readForm(fact.noted, asked))?.groups;
	return earlier ?? (noted || (fact.log ? readHistory(asked, past) : undefined));
}

/** How a worker that does not know the fact yet finds it out. */
export function planFact(asked: Assignment, subject: string, known: Knowledge): Plan {
	const { fact = {} } = kindOf(asked);
	if (fact.is === "total")
		return { type: "unknown", reason: "I do not see the logs of all deployments at once" };
	if (!fact.log) return planRecall(known, subject);
	const path = fact.place && findPlace(known, patternOf(fact.place, asked));
	if (fact.place && path === undefined) return { type: "locate" };
	return {
		type: "consult",
		action: { type: "run", command: fill(fact.log, asked) + (path ? quote(path) : "") },
	};
}

/** The same subject: all fields that both have, except for the file of an answer. */
const shareFields = (one: Assignment, other: Assignment): boolean =>
	Object.entries(other).every(
		([name, value]) => name === "type" || name === "notes" || (one[name] ?? value) === value,
	);

/** Everything of a kind that the user said, oldest first. Recalled text is older than what is still in the request. */
function saidBefore({ assignments, recalled }: Past, type: string): readonly Assignment[] {
	const lines = [...(recalled?.values() ?? [])].flat().flatMap((page) => page.split("\n"));
	const all = [...lines.flatMap((line) => parseAssignment(line) ?? []), ...assignments];
	return all.filter((said) => said.type === type);
}

/** All logs have to be in sight at once: the worker keeps no sum between two requests. */
function sumOfLogs(past: Past): Fields | undefined {
	const labels = new Set(saidBefore(past, "deploy").map(({ label }) => String(label)));
	const sums = [...labels].map((label) => {
		const found = past.texts.map((text) => sumLog(label, text));
		return found.find((each) => each !== undefined) ?? Number.NaN;
	});
	const answer = sum(sums);
	return sums.length === 0 || Number.isNaN(answer) ? undefined : { answer };
}

function earlierFix({ name }: Assignment, past: Past): Fields | undefined {
	const fix = past.assignments.findLast((earlier) => earlier.type === "bug" && earlier.name === name);
	return fix && { right: fix.wrong ?? "", wrong: fix.right ?? "" };
}

/** The name after all renamings that the request shows. */
function earlierName({ old = "" }: Assignment, past: Past): Fields | undefined {
	const next = new Map<string | number, string | number>();
	const follow = (start: string | number): string | number => {
		const to = next.get(start);
		return to === undefined ? start : follow(to);
	};
	for (const earlier of past.assignments) {
		if (earlier.type === "rename") next.set(earlier.from ?? "", earlier.to ?? "");
		else if (earlier.type === "formerly") next.set(follow(earlier.old ?? ""), earlier.to ?? "");
	}
	const from = follow(old);
	return from === old ? undefined : { from };
}

/** Reads the output of the first command of the turn that looks into the git history. */
function readHistory(asked: Assignment, { exchanges, start }: Past): Fields | undefined {
	const log = fill(kindOf(asked).fact?.log ?? "", asked);
	for (const { call, text, isError, message } of exchanges) {
		const isSuch = message > start && !isError && String(call.arguments.command).startsWith(log);
		const found = isSuch ? (asked.type === "undo" ? readOperators : readNewName)(text, asked) : undefined;
		if (found) return found;
	}
	return undefined;
}

const OPERATOR = " (<|<=|>|>=|===|!==) ";

/** The operators before and after the latest change in a function. */
function readOperators(diff: string, { name }: Assignment): Fields | undefined {
	const head = new RegExp(`\\bfunction ${name} ?\\(`);
	const hunk = diff.split(/^@@ /m).find((part) => head.test(part.split("\n", 1)[0] ?? ""));
	const [, right, wrong] = new RegExp(`^-.*${OPERATOR}.*\\n\\+.*${OPERATOR}`, "m").exec(hunk ?? "") ?? [];
	return right && wrong ? { right, wrong } : undefined;
}

/** The word that replaced a name in the first pair of lines that has it. */
function readNewName(diff: string, { old }: Assignment): Fields | undefined {
	const lines = diff.split("\n").filter((line) => /^[+-](?![+-])/.test(line));
	const word = new RegExp(`\\b${old}\\b`);
	const gone = lines.find((line) => line.startsWith("-") && word.test(line));
	if (gone === undefined) return undefined;
	const around = gone.slice(1).split(new RegExp(word, "g")).map(escapePattern).join("(\\w+)");
	const come = new RegExp(`^\\+${around}$`);
	const from = lines.map((line) => come.exec(line)?.[1]).find((name) => name !== undefined && name !== old);
	return from === undefined ? undefined : { from };
}

/**
 * Asks for the episodes that are named after the subject, each page after page, and then for the subject in words. Gives
 * up if there is no recall or nothing more to ask.
 */
function planRecall({ episodes, recalled }: Past, subject: string): Plan {
	if (!recalled) return { type: "unknown", reason: `nothing that I see tells about ${subject}` };
	const named = episodes.filter((name) => name.includes(`-${wordsOf(subject)}-`));
	for (const query of [...named, subject]) {
		const pages = recalled.get(query) ?? [];
		const hasMore = pages.length === 0 || /, page \d+ goes on\./.test(pages.at(-1)?.split("\n", 1)[0] ?? "");
		if (hasMore) return { type: "consult", action: { type: "recall", query, page: pages.length + 1 } };
	}
	return { type: "unknown", reason: `no recall tells about ${subject}` };
}
