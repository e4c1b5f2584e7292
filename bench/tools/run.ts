/** `cwl bench tools`: our tools beside the programs and packages that do the same, on one tree in one run. */
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { CwlError } from "../../packages/host/errors.ts";
import { describeMachine, programVersion } from "./machine.ts";
import { formatToolsReport, type Subject, type ToolsReport } from "./report.ts";
import { statusContenders } from "./status-contenders.ts";
import { type Contender, timeInTurns } from "./timing.ts";

const help = `cwl bench tools: git status side by side with git

  --tree DIR     the work tree to measure in, default the current directory
  --rounds 7     how often each one runs
  --json         figures as JSON
`;

const flags = {
	tree: { type: "string", default: "." },
	rounds: { type: "string", default: "7" },
	json: { type: "boolean", default: false },
	help: { type: "boolean", short: "h", default: false },
} as const;

/** Run the bench; answers 0, and throws a `CwlError` for wrong arguments. */
export async function runToolsBench(argv: readonly string[]): Promise<number> {
	const { values } = parseArgs({ args: [...argv], options: flags });
	if (values.help) {
		process.stdout.write(help);
		return 0;
	}
	const rounds = readRounds(values.rounds);
	const tree = resolve(values.tree);
	const time = async (name: string, counts: string, contenders: readonly Contender[]): Promise<Subject> => ({
		name,
		counts,
		timings: await timeInTurns(contenders, { rounds, now: () => performance.now() }),
	});
	const report: ToolsReport = {
		version: 1,
		date: new Date().toISOString().slice(0, 10),
		machine: describeMachine(),
		versions: { git: programVersion("git") ?? null },
		rounds,
		tree,
		subjects: [await time("git status", "entries", statusContenders(tree))],
	};
	process.stdout.write(values.json ? `${JSON.stringify(report)}\n` : formatToolsReport(report));
	return 0;
}

function readRounds(text: string): number {
	const rounds = Number(text);
	if (Number.isInteger(rounds) && rounds > 0) return rounds;
	throw new CwlError("bad-rounds", `rounds is ${JSON.stringify(text)}: use a whole number from 1.`);
}
