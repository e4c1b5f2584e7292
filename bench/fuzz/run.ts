/** `npm run fuzz`: random sessions whose every request must keep the rules of the design. */
import { parseArgs } from "node:util";
import { reportExpected } from "../../packages/cli/expected-error.ts";
import { readCount } from "../arguments.ts";
import { loadLibrary } from "../pi-host.ts";
import { catchInterrupt, createProgress, INTERRUPTED } from "../progress.ts";
import { type Campaign, runCampaign } from "./campaign.ts";

const help = `npm run fuzz -- [--runs 1000] [--seed 1] [--from 0] [--json]

Runs random sessions and checks every rule after each operation. Exit code 1 if a rule is broken.

  --runs 1000   sessions
  --seed 1      of the sessions
  --from 0      sessions of this seed to skip, in whole thousands: continues an earlier run
  --json        the figures as JSON
`;

async function main(): Promise<number> {
	const { values } = parseArgs({
		options: {
			runs: { type: "string", default: "1000" },
			seed: { type: "string", default: "1" },
			from: { type: "string", default: "0" },
			json: { type: "boolean", default: false },
			help: { type: "boolean", short: "h", default: false },
		},
	});
	if (values.help) {
		process.stdout.write(help);
		return 0;
	}
	const whole = (name: "runs" | "seed" | "from") => readCount(name, values[name], 0);
	const settings = { runs: whole("runs"), seed: whole("seed"), from: whole("from") };
	const started = performance.now();
	const { signal, release } = catchInterrupt();
	const campaign = await runCampaign({ ...settings, signal }, createReporter(settings.runs));
	release();
	const { user, system } = process.cpuUsage();
	const seconds = Math.round((performance.now() - started) / 1_000);
	const perCpuSecond = Math.round(campaign.sessions / ((user + system) / 1e6));
	const { failures, ...totals } = campaign;
	const { VERSION: pi } = await loadLibrary();
	const figures = { pi, ...settings, ...totals, seconds, perCpuSecond };
	if (values.json) console.log(JSON.stringify({ ...figures, failures }));
	else {
		console.table(figures);
		for (const failure of failures) console.log(JSON.stringify(failure));
	}
	return failures.length > 0 ? 1 : signal.aborted ? INTERRUPTED : 0;
}

/** Prints each failure once, and the progress after each batch. */
function createReporter(runs: number): (campaign: Campaign) => void {
	const progress = createProgress(runs, "sessions");
	let reported = 0;
	return ({ sessions, failures }) => {
		for (const failure of failures.slice(reported)) console.error(JSON.stringify(failure));
		reported = failures.length;
		progress(sessions, `${failures.length} broken rules`);
	};
}

process.exitCode = await reportExpected("fuzz", main);
