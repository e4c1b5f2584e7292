/** `npm run kill`: kills the real pi at random moments, resumes it, and checks what it finds. */
import { parseArgs } from "node:util";
import { reportExpected } from "../../packages/cli/expected-error.ts";
import { readCount } from "../arguments.ts";
import { describeMachine } from "../machine.ts";
import { catchInterrupt, createProgress, INTERRUPTED } from "../progress.ts";
import { drawMoment } from "./kill-schedule.ts";
import { killSession } from "./run.ts";
import { createTally } from "./tally.ts";

const help = `npm run kill -- [--runs 20] [--seed 1] [--minutes N] [--json]

Kills the real pi with SIGKILL, resumes it, and checks the session it finds. Exit code 1 if anything is wrong.
CWL_LANE='["node","cli.js"]' takes another pi (see .ci/lanes).

  --runs 20      kills, in sessions of 20 kills each
  --seed 1       of the moments, the repositories and the tasks
  --minutes N    begin no session after this many minutes
  --json         the figures as JSON
`;

const KILLS_PER_SESSION = 20;

async function main(): Promise<number> {
	const { values } = parseArgs({
		options: {
			runs: { type: "string", default: "20" },
			seed: { type: "string", default: "1" },
			minutes: { type: "string", default: "100000" },
			json: { type: "boolean", default: false },
			help: { type: "boolean", short: "h", default: false },
		},
	});
	if (values.help) {
		process.stdout.write(help);
		return 0;
	}
	const whole = (name: "runs" | "seed" | "minutes") => readCount(name, values[name], 0);
	const [runs, seed, minutes] = [whole("runs"), whole("seed"), whole("minutes")];
	const start = Date.now();
	const tally = createTally();
	const progress = createProgress(runs, "kills");
	const { signal, release } = catchInterrupt();
	let done = 0;
	for (
		let run = 0;
		run < runs && !signal.aborted && Date.now() - start < minutes * 60_000;
		run += KILLS_PER_SESSION
	) {
		const count = Math.min(KILLS_PER_SESSION, runs - run);
		const moments = Array.from({ length: count }, (_, i) => drawMoment(seed, run + i));
		const session = seed * 1_000 + run / KILLS_PER_SESSION;
		await killSession(session, moments, signal, (report) => {
			tally.add(report);
			const { moment, findings } = report;
			if (findings.length > 0) process.stderr.write(`${JSON.stringify({ moment, findings })}\n`);
			done += 1;
			progress(done);
		});
	}
	const seconds = Math.round((Date.now() - start) / 1_000);
	release();
	const result = {
		seed,
		...tally.figures(),
		seconds,
		machine: describeMachine(),
		date: new Date().toISOString().slice(0, 10),
	};
	process.stdout.write(values.json ? `${JSON.stringify(result, undefined, "\t")}\n` : tally.text());
	return result.findings.length > 0 ? 1 : signal.aborted ? INTERRUPTED : 0;
}

process.exitCode = await reportExpected("kill", main);
