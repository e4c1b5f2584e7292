/** `npm run kill`: the real pi, killed at random moments and resumed. */
import { cpus } from "node:os";
import { parseArgs } from "node:util";
import { CwlError } from "#pi";
import { drawMoment } from "./kill-schedule.ts";
import { killSession } from "./run.ts";
import { createTally } from "./tally.ts";

const help = `npm run kill -- [--runs 20] [--seed 1] [--minutes N] [--json]

Kills the real pi with SIGKILL, resumes it, and looks at what it finds. Exit code 1 when anything is wrong.

  --runs 20      kills, in sessions of 20 kills each
  --seed 1       of the moments, the repositories and the tasks
  --minutes N    start no session after so many minutes
  --json         the figures as JSON
`;

const KILLS_PER_SESSION = 20;

const { values } = parseArgs({
	options: {
		runs: { type: "string", default: "20" },
		seed: { type: "string", default: "1" },
		minutes: { type: "string", default: "100000" },
		json: { type: "boolean", default: false },
		help: { type: "boolean", short: "h", default: false },
	},
});

function readNumber(name: "runs" | "seed" | "minutes"): number {
	const value = Number(values[name]);
	if (Number.isInteger(value) && value >= 0) return value;
	throw new CwlError("bad-flag", `--${name} is ${JSON.stringify(values[name])}: use a whole number.`);
}

async function main() {
	const [runs, seed, minutes] = [readNumber("runs"), readNumber("seed"), readNumber("minutes")];
	const start = Date.now();
	const tally = createTally();
	for (let run = 0; run < runs && Date.now() - start < minutes * 60_000; run += KILLS_PER_SESSION) {
		const count = Math.min(KILLS_PER_SESSION, runs - run);
		const moments = Array.from({ length: count }, (_, i) => drawMoment(seed, run + i));
		await killSession(seed * 1_000 + run / KILLS_PER_SESSION, moments, (report) => {
			tally.add(report);
			const { moment, findings } = report;
			process.stderr.write(findings.length === 0 ? "." : `\n${JSON.stringify({ moment, findings })}\n`);
		});
	}
	const seconds = Math.round((Date.now() - start) / 1_000);
	const machine = `${cpus().length} x ${cpus()[0]?.model.trim()}, Node ${process.versions.node}`;
	const result = { seed, ...tally.figures(), seconds, machine, date: new Date().toISOString().slice(0, 10) };
	process.stderr.write("\n");
	process.stdout.write(values.json ? `${JSON.stringify(result, undefined, "\t")}\n` : tally.text());
	process.exitCode = result.findings.length > 0 ? 1 : 0;
}

if (values.help) process.stdout.write(help);
else await main();
