/** `npm run bench -- crowded`: passes and time per request where little is left to evict. */
import { setImmediate as yieldToEvents } from "node:timers/promises";
import { parseArgs } from "node:util";
import { markdownTable } from "#lab";
import { loadTokenCounter } from "#pi";
import { readCount } from "../arguments.ts";
import { describeMachine, type Machine } from "../machine.ts";
import { catchInterrupt, createProgress, INTERRUPTED } from "../progress.ts";
import { measureCrowded, type Row } from "./measure.ts";
import { crowdedSessions } from "./sessions.ts";

export const help = `npm run bench -- crowded: passes and time per request where little is left to evict, against reading
the whole session anew

  --percent 100               length of the sessions, as a percentage
  --json                      figures as JSON

Times exclude the tokenizer and pi's own copy of the messages.
`;

const flags = {
	percent: { type: "string", default: "100" },
	json: { type: "boolean", default: false },
} as const;

interface CrowdedReport {
	readonly version: 1;
	readonly date: string;
	readonly machine: Machine;
	readonly rows: readonly Row[];
}

/** Runs the bench and returns 0. @throws CwlError for wrong arguments */
export async function run(argv: readonly string[]): Promise<number> {
	const { values } = parseArgs({ args: [...argv], options: flags });
	const sessions = crowdedSessions(readCount("percent", values.percent) / 100);
	const count = await loadTokenCounter();
	const rows: Row[] = [];
	const progress = createProgress(sessions.length, "sessions");
	const { signal, release } = catchInterrupt();
	for (const session of sessions) {
		if (signal.aborted) break;
		rows.push(measureCrowded(session, count, () => performance.now()));
		progress(rows.length);
		// Lets a signal arrive: the measurement itself never waits.
		await yieldToEvents();
	}
	release();
	const date = new Date().toISOString().slice(0, 10);
	const report: CrowdedReport = { version: 1, date, machine: describeMachine(), rows };
	process.stdout.write(values.json ? `${JSON.stringify(report)}\n` : formatReport(report));
	return signal.aborted ? INTERRUPTED : 0;
}

const head = [
	...["", "policy", "budget", "requests", "over budget", "passes", "tokens freed, median"],
	...["p50 ms", "p99 ms", "last tenth, p50 ms", "reading anew / this", "log, kB"],
];

/** As Markdown. Ends with a newline. */
function formatReport({ date, machine, rows }: CrowdedReport): string {
	const cells = rows.map((row) => [
		...[row.name, row.policy, String(row.budget), String(row.requests), String(row.overBudget)],
		...[String(row.passes), row.freed === null ? "" : String(row.freed)],
		...[row.p50Ms, row.p99Ms, row.lastMs].map((ms) => ms.toFixed(2)),
		...[row.ratio.toFixed(0), (row.logBytes / 1_000).toFixed(0)],
	]);
	const place = `${date}; ${machine.cpu}, ${machine.cores} cores, ${machine.system}, Node ${machine.node}`;
	return [place, "", ...markdownTable([head, ...cells]), ""].join("\n");
}
