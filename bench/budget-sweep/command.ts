/** `npm run bench -- budget-sweep`: what budget and low water cost and keep, on recorded sessions and three price lists. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createLocalRunner, formatSweepPage, runReplays, type SweepRow } from "#lab";
import { CwlError } from "#pi";
import { catchInterrupt, createProgress, INTERRUPTED } from "../progress.ts";
import { describeSurroundings, readResults, writeResults } from "../results-file.ts";
import { openSweep, PRICE_LISTS } from "./arms.ts";
import { summarizeSweep } from "./rows.ts";
import { describeSweep, formatSweep, formatSweepDoc } from "./table.ts";

export const help = `npm run bench -- budget-sweep PATH...: cost and needs kept by budget and low water, on three price lists

  PATH            recorded sessions, files or folders, in any format that cwl replay reads
  --arms all      fixed, auto, or all
  --add-thinking  give answers some thinking that were recorded without
  --json          {sessions, priceLists, rows}
  --html FILE     also write a page with charts
  --write         also keep the figures in bench/results and write docs/budget-sweep.md
  --kept          no replay: the figures that the last --write kept
`;

const flags = {
	arms: { type: "string", default: "all" },
	"add-thinking": { type: "boolean", default: false },
	json: { type: "boolean", default: false },
	html: { type: "string" },
	write: { type: "boolean", default: false },
	kept: { type: "boolean", default: false },
} as const;

export interface SweepReport {
	/** Sessions with a request whose whole history passes 80k tokens; all figures are of such requests. */
	readonly sessions: number;
	readonly priceLists: readonly string[];
	readonly rows: readonly SweepRow[];
}

const KEPT = "budget-sweep";
const page = join(import.meta.dirname, "..", "..", "docs", "budget-sweep.md");

/** Returns 0, or 1 if a session could not be replayed. @throws CwlError for an invalid argument */
export async function run(argv: readonly string[]): Promise<number> {
	const { values, positionals } = parseArgs({ args: [...argv], options: flags, allowPositionals: true });
	const { signal, release } = catchInterrupt();
	const { report, problems } = values.kept
		? { report: await readKept(), problems: [] }
		: await replaySweep(positionals, values, signal);
	release();
	process.stdout.write(values.json ? `${JSON.stringify(report)}\n` : formatSweep(report));
	if (values.html !== undefined) {
		await writeFile(values.html, formatSweepPage(describeSweep(report), report.priceLists, report.rows));
	}
	// What an interrupted run has measured is shown, and not kept.
	if (signal.aborted) return INTERRUPTED;
	if (values.write) {
		const command = `npm run bench -- budget-sweep${values["add-thinking"] ? " --add-thinking" : ""} --write DIR`;
		await writeResults(KEPT, command, report);
		await writeFile(page, formatSweepDoc(report, { ...describeSurroundings(), command }));
	}
	for (const message of problems) process.stderr.write(`${message}\n`);
	return problems.length > 0 ? 1 : 0;
}

async function readKept(): Promise<SweepReport> {
	const kept = await readResults<SweepReport>(KEPT);
	if (kept) return kept.figures;
	throw new CwlError("no-results", "no sweep was kept: name recorded sessions, and add --write.");
}

async function replaySweep(
	paths: readonly string[],
	values: { readonly arms: string; readonly "add-thinking": boolean },
	signal: AbortSignal,
): Promise<{ readonly report: SweepReport; readonly problems: readonly string[] }> {
	if (paths.length === 0) throw new CwlError("no-sessions", "name recorded sessions: files or folders.");
	const arms = ["all", "fixed", "auto"].find((known) => known === values.arms);
	if (!arms) throw new CwlError("bad-flag", `--arms is ${values.arms}: use all, fixed or auto.`);
	const lab = await openSweep(arms, values["add-thinking"]);
	let progress: ((done: number) => void) | undefined;
	const replayed = await runReplays({
		paths,
		chaining: undefined,
		createRunners: () => [createLocalRunner(lab)],
		signal,
		onProgress({ begun, sessions }) {
			progress ??= createProgress(sessions, "sessions");
			progress(begun);
		},
	});
	const pressed = replayed.replays.filter(({ isPressed }) => isPressed);
	const report: SweepReport = {
		sessions: pressed.length,
		priceLists: PRICE_LISTS.map(({ name }) => name),
		rows: summarizeSweep(lab.arms, pressed),
	};
	return { report, problems: replayed.problems.map(({ message }) => message) };
}
