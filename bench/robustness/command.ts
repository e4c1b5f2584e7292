/** `npm run bench -- robustness`: what bad marks cost, on recorded sessions. */
import { parseArgs } from "node:util";
import { findSessionFiles, type LabSettings } from "#lab";
import { budgetTokens, CwlError, parseBudget } from "#pi";
import { readCount } from "../arguments.ts";
import { catchInterrupt, createProgress, INTERRUPTED } from "../progress.ts";
import { type Fault, faults } from "./damage-marks.ts";
import { measureRobustness, type RobustnessFigures, variantsFor } from "./measure.ts";
import { formatRobustness } from "./report.ts";

export const help = `npm run bench -- robustness PATH...: recorded sessions whose episodes are marked well, badly, and not at all

  PATH                      session files or folders; those below the budget are left out of the figures
  --budget 80k              tokens
  --policy paper,cwl        policies of cwl replay
  --faults flipped,unmarked  ways of marking badly: ${faults.join(", ")}; all of them if left out
  --shares 5,20,50          how many of the marks are bad, in percent
  --seed 1                  which of them are
  --json                    figures as JSON

The recordings have no marks: a good model's are written into them first, an episode for each run of reading or of changing
calls in a turn, with the files that they share as dependencies.
`;

const flags = {
	budget: { type: "string", default: "80k" },
	policy: { type: "string", default: "paper,paper-adapted,cwl" },
	faults: { type: "string" },
	shares: { type: "string", default: "5,20,50" },
	seed: { type: "string", default: "1" },
	json: { type: "boolean", default: false },
} as const;

/** Returns 0, or 130 if interrupted. @throws CwlError for wrong arguments */
export async function run(argv: readonly string[]): Promise<number> {
	const { values, positionals } = parseArgs({ args: [...argv], options: flags, allowPositionals: true });
	if (positionals.length === 0) throw new CwlError("no-path", "name the session files or folders to replay.");
	const budget = budgetTokens(parseBudget(values.budget), undefined);
	const shares = values.shares.split(",").map((text) => readCount("shares", text) / 100);
	const found = await findSessionFiles(positionals);
	const files = found.flatMap((file) => (file.type === "file" ? [file.path] : []));
	const { signal, release } = catchInterrupt();
	try {
		const settings: LabSettings = {
			comparison: { type: "policies", policies: `none,${values.policy}`, budget },
			...{ models: [], as: undefined, addsThinking: false },
			annotation: "recorded",
			...{ requests: undefined, withCourse: false, withTimes: false },
		};
		const progress = createProgress(files.length, "sessions");
		const seed = readCount("seed", values.seed);
		const variants = variantsFor(readFaults(values.faults), shares);
		const measured = await measureRobustness(files, variants, settings, seed, signal, progress);
		const figures: RobustnessFigures = { budget, seed, ...measured };
		process.stdout.write(values.json ? `${JSON.stringify(figures)}\n` : formatRobustness(figures));
		return signal.aborted ? INTERRUPTED : 0;
	} finally {
		release();
	}
}

function readFaults(text: string | undefined): readonly Fault[] {
	if (text === undefined) return faults;
	return text.split(",").map((word) => {
		const fault = faults.find((known) => known === word.trim());
		if (fault) return fault;
		throw new CwlError("bad-flag", `--faults names ${JSON.stringify(word)}: use ${faults.join(", ")}.`);
	});
}
