/** `cwl report`: a session as one page, as JSON, or as a trajectory in Harbor's format (ATIF v1.4). */
import { visibleText } from "#basics";
import { CwlError } from "#pi";
import { budgetTokens, parseBudget } from "#pi/settings";
import { reportPath, writeReport } from "#replay/pages";
import { type Fields, fileError, makeTrajectory, parseFields, readLines } from "#replay/readers";
import { makeReport } from "#replay/session-report";
import { jsonText, ownVersion, print, readCommand, readNumber } from "./command-line.ts";
import { loadHost } from "./host.ts";
import { findSession } from "./session-finder.ts";

const usage = `cwl report [SESSION]: writes one HTML page about a session: its context, passes and cost

  SESSION      its file, or the beginning of its id; the latest of this folder without one
  --out FILE   where to write the page; next to the session file when left out
  --redact     replace what looks like a key or a token, and home folders by ~
  --budget 80k the budget to show, in tokens; the session's own when left out
  --json       the data of the page on stdout, and no page
  --trajectory the session in Harbor's trajectory format on stdout, and no page; --skip 0 leaves out the first lines of
               the file, which belong to earlier tasks
`;

const flags = {
	out: { type: "string" },
	budget: { type: "string" },
	redact: { type: "boolean", default: false },
	json: { type: "boolean", default: false },
	trajectory: { type: "boolean", default: false },
	skip: { type: "string", default: "0" },
} as const;

/** Returns 0. @throws CwlError for a session that cannot be read */
export async function runReport(argv: readonly string[]): Promise<number> {
	const read = readCommand(argv, usage, flags, true);
	if (!read) return 0;
	const { values, positionals } = read;
	if (positionals.length > 1)
		throw new CwlError("bad-argument", `${positionals.length} sessions were named: name one.`);
	const host = await loadHost();
	const file = await findSession(positionals[0], host);
	if (values.trajectory) return await printTrajectory(file, readNumber("bad-flag", "--skip", values.skip, 0));
	const limit = values.budget === undefined ? undefined : parseBudget(values.budget);
	const budget = limit && { budget: budgetTokens(limit, undefined), isAuto: limit.type === "auto" };
	const report = await makeReport(file, { budget, isRedacted: values.redact });
	if (values.json) return print(jsonText(report, 2));
	const path = values.out ?? reportPath(file);
	await writeReport(path, report, new Date());
	return print(`${visibleText(report.verdict)}\nthe report is in ${path}\n`);
}

async function printTrajectory(path: string, skip: number): Promise<number> {
	const entries: Fields[] = [];
	try {
		// A line that is no entry, such as a truncated one, becomes an empty entry.
		for await (const { text } of readLines(path)) entries.push((text && parseFields(text)) || {});
	} catch (error) {
		throw fileError(path, error);
	}
	if (!entries.some(({ type }) => type === "session"))
		throw new CwlError("no-session", `${path} has no header of a pi session: name a file of pi's sessions.`);
	return print(jsonText(makeTrajectory(entries, ownVersion(), skip)));
}
