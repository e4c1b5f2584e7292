/**
 * `npm run bench -- micro`: the time that managing a session adds to each request as the session grows, against
 * recounting it.
 */
import { setImmediate as yieldToEvents } from "node:timers/promises";
import { parseArgs } from "node:util";
import { loadTokenCounter, policyByName } from "#pi";
import { sum } from "#replay";
import { readCount } from "../arguments.ts";
import { describeMachine } from "../machine.ts";
import { catchInterrupt, createProgress, INTERRUPTED } from "../progress.ts";
import { generateSession } from "./generated-session.ts";
import { measureSession, type Row } from "./measure.ts";
import { formatMicroReport, type MicroReport } from "./report.ts";

export const help = `npm run bench -- micro: the time that cwl adds to a request by session length, against recounting
the whole session

  --messages 100,1000,...     messages per session
  --budget 80000              tokens; all but the shortest session exceed it
  --policy cwl
  --timed 200                 last requests of each session to time; fewer in the longest
  --limit 60                  s per baseline; beyond them its time is extrapolated
  --seed 1                    of the generated sessions
  --json                      figures as JSON

Tokenizing new content has its own row, and pi's own copy of the messages is not counted.
`;

const flags = {
	messages: { type: "string", default: "100,1000,10000,100000" },
	budget: { type: "string", default: "80000" },
	policy: { type: "string", default: "cwl" },
	timed: { type: "string", default: "200" },
	limit: { type: "string", default: "60" },
	seed: { type: "string", default: "1" },
	json: { type: "boolean", default: false },
} as const;

/** The size of a typical system prompt and tools, in tokens. */
const FIXED = { system: 400, tools: 500 };

/** Runs the bench and returns 0. @throws CwlError for wrong arguments */
export async function run(argv: readonly string[]): Promise<number> {
	const { values } = parseArgs({ args: [...argv], options: flags });
	const lengths = values.messages.split(",").map((text) => readCount("messages", text.trim()));
	const seed = readCount("seed", values.seed, 0);
	const budget = readCount("budget", values.budget);
	const policy = policyByName(values.policy);
	const timed = readCount("timed", values.timed);
	const limit = readCount("limit", values.limit) * 1_000;
	const count = await loadTokenCounter();
	const now = () => performance.now();
	const settings = { policy, budget, fixed: FIXED, timed, limit, now };
	const rows: Row[] = [];
	const progress = createProgress(sum(lengths), "messages");
	const { signal, release } = catchInterrupt();
	let done = 0;
	for (const length of lengths.toSorted((a, b) => a - b)) {
		if (signal.aborted) break;
		rows.push(...measureSession(generateSession(length, seed), count, settings));
		done += length;
		progress(done);
		// Lets a signal arrive: the measurement itself never waits.
		await yieldToEvents();
	}
	release();
	const date = new Date().toISOString().slice(0, 10);
	const machine = describeMachine();
	const report: MicroReport = { version: 1, date, machine, policy: policy.name, budget, seed, rows };
	process.stdout.write(values.json ? `${JSON.stringify(report)}\n` : formatMicroReport(report));
	return signal.aborted ? INTERRUPTED : 0;
}
