/** `cwl report`: a session as one page, or as JSON. */
import { visibleText } from "#core/transcript";
import { type Budget, budgetTokens, parseBudget } from "#pi";
import { makeReport, reportPath, writeReport } from "#replay";
import { readArguments } from "./command-line.ts";
import { loadHost } from "./host.ts";
import { findSession } from "./session-finder.ts";

const usage = `cwl report [SESSION]: writes one HTML page about a session: its context, passes and cost

  SESSION      its file, or the beginning of its id; the latest of this folder without one
  --out FILE   where to write the page; next to the session file when left out
  --redact     replace what looks like a key or a token, and home folders by ~
  --budget 80k the budget to show, in tokens; the session's own when left out
  --json       the data of the page on stdout, and no page
  --trajectory the session in Harbor's trajectory format on stdout, and no page
`;

const flags = {
	out: { type: "string" },
	budget: { type: "string" },
	redact: { type: "boolean", default: false },
	json: { type: "boolean", default: false },
	help: { type: "boolean", short: "h", default: false },
} as const;

/** Returns 0. @throws CwlError for a session that cannot be read */
export async function runReport(argv: readonly string[]): Promise<number> {
	const { values, positionals } = readArguments({ args: [...argv], options: flags, allowPositionals: true });
	if (values.help) {
		process.stdout.write(usage);
		return 0;
	}
	const host = await loadHost();
	const file = await findSession(positionals[0], host);
	const budget = values.budget === undefined ? undefined : readBudget(parseBudget(values.budget));
	const report = await makeReport(file, host, { budget, isRedacted: values.redact });
	if (values.json) {
		process.stdout.write(`${JSON.stringify(report, undefined, 2)}\n`);
		return 0;
	}
	const path = values.out ?? reportPath(file);
	await writeReport(path, report, new Date());
	process.stdout.write(`${visibleText(report.verdict)}\nthe report is in ${path}\n`);
	return 0;
}

function readBudget(budget: Budget) {
	return { budget: budgetTokens(budget, undefined), isAuto: budget.type === "auto" };
}
