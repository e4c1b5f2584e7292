/** `npm run strict`: recorded sessions, replayed under each policy and judged by the rules of four providers. */
import { parseArgs } from "node:util";
import { loadTokenCounter } from "#pi";
import {
	armsUnder,
	createReplayPrompt,
	findSessionFiles,
	loadPolicies,
	openRecording,
	readSession,
} from "#replay";
import { reportExpected } from "../../packages/cli/expected-error.ts";
import { readCount } from "../arguments.ts";
import { loadLibrary } from "../pi-host.ts";
import { catchInterrupt, createProgress, INTERRUPTED } from "../progress.ts";
import { checkSession } from "./check-session.ts";

const help = `npm run strict -- PATH... [--policies all] [--budget 80000] [--json]

Replays recorded sessions and checks every request against the rules of four providers. Exit code 1 if one is refused.

  --policies all    a list of policies
  --budget 80000    tokens
  --json            the figures as JSON
`;

/** Refusals that are shown in full. */
const MAX_EXAMPLES = 20;

async function main(): Promise<number> {
	const { values, positionals } = parseArgs({
		allowPositionals: true,
		options: {
			policies: { type: "string", default: "all" },
			budget: { type: "string", default: "80000" },
			json: { type: "boolean", default: false },
			help: { type: "boolean", short: "h", default: false },
		},
	});
	if (values.help || positionals.length === 0) {
		process.stdout.write(help);
		return 0;
	}
	const budget = readCount("budget", values.budget);
	const arms = armsUnder(budget, await loadPolicies(values.policies));
	const count = await loadTokenCounter();
	const { fixed } = createReplayPrompt(count);
	const totals = new Map(arms.map(({ name }) => [name, { sessions: 0, requests: 0, refusals: 0 }]));
	const examples: object[] = [];
	const { signal, release } = catchInterrupt();
	const files = await findSessionFiles(positionals);
	const progress = createProgress(files.length, "sessions");
	for (const [index, file] of files.entries()) {
		if (signal.aborted) break;
		if (file.type === "problem") console.error(file.error.message);
		if (file.type !== "file") continue;
		const recording = openRecording(await readSession(file.path, file.line), count);
		for (const arm of arms) {
			const { requests, refusals } = checkSession(recording, arm, fixed);
			const total = totals.get(arm.name);
			if (total) {
				total.sessions += 1;
				total.requests += requests;
				total.refusals += refusals.length;
			}
			for (const refusal of refusals.slice(0, MAX_EXAMPLES - examples.length)) {
				examples.push({ session: file.path, policy: arm.name, ...refusal });
			}
		}
		progress(index + 1, `${examples.length} refusals`);
	}
	release();
	const policies = Object.fromEntries(totals);
	const { VERSION: pi } = await loadLibrary();
	if (values.json) console.log(JSON.stringify({ pi, budget, policies, examples }));
	else {
		console.log(`pi ${pi}, budget ${budget} tokens`);
		console.table(policies);
		for (const example of examples) console.log(JSON.stringify(example));
	}
	return examples.length > 0 ? 1 : signal.aborted ? INTERRUPTED : 0;
}

process.exitCode = await reportExpected("strict", main);
