/**
 * `npm run endurance -- [--requests 20000] [--policy cwl] [--json]`: compares the cost of the last tenth of an
 * endless session with the first.
 */

import { readdirSync } from "node:fs";
import { parseArgs } from "node:util";
import { changesContext } from "#core/log";
import {
	createManagedSession,
	defaultToolTable,
	type HostMessage,
	loadTokenCounter,
	policyByName,
} from "#pi";
import { reportExpected } from "../../packages/cli/expected-error.ts";
import { readCount } from "../arguments.ts";
import { measureHeap } from "../heap-gauge.ts";
import { createProgress } from "../progress.ts";
import { messagesOf } from "./session.ts";

const TENTHS = 10;
const BUDGET = 40_000;

/** One tenth of the run. */
interface Tenth {
	/** Ms per request, median and worst. */
	readonly medianMs: number;
	readonly worstMs: number;
	/** Heap of the process, and the same without the session's own text, which belongs to the host. */
	readonly heapMegabytes: number;
	readonly ownMegabytes: number;
	readonly openFiles: number;
	/** Size of the session on disk. */
	readonly historyMegabytes: number;
	/** Size of the passes that this tenth appended to it. */
	readonly logKilobytes: number;
	readonly passes: number;
	/** Largest request, in tokens. */
	readonly tokens: number;
}

async function run(requests: number, policy: string): Promise<readonly Tenth[]> {
	const session = createManagedSession(await loadTokenCounter(), defaultToolTable);
	const settings = { policy: policyByName(policy), budget: BUDGET, fixed: { system: 900, tools: 1_500 } };
	const messages: HostMessage[] = [];
	const tenths: Tenth[] = [];
	let historyBytes = 0;
	const progress = createProgress(requests, "requests");
	for (let tenth = 0; tenth < TENTHS; tenth++) {
		const times: number[] = [];
		let log = 0;
		let passes = 0;
		let tokens = 0;
		const end = Math.floor(((tenth + 1) * requests) / TENTHS);
		for (let answer = Math.floor((tenth * requests) / TENTHS); answer < end; answer++) {
			for (const message of messagesOf(answer)) {
				messages.push(message);
				historyBytes += JSON.stringify(message).length;
			}
			const started = performance.now();
			const sent = session.request(messages, settings);
			times.push(performance.now() - started);
			tokens = Math.max(tokens, sent.tokens);
			if (!sent.pass || !changesContext(sent.pass)) continue;
			passes += 1;
			log += JSON.stringify(sent.pass).length;
		}
		const heapMegabytes = measureHeap() / 1e6;
		times.sort((a, b) => a - b);
		tenths.push({
			medianMs: times[Math.floor(times.length / 2)] ?? 0,
			worstMs: times.at(-1) ?? 0,
			heapMegabytes,
			ownMegabytes: heapMegabytes - historyBytes / 1e6,
			openFiles: countOpenFiles(),
			historyMegabytes: historyBytes / 1e6,
			logKilobytes: log / 1e3,
			passes,
			tokens,
		});
		progress(end);
	}
	return tenths;
}

/** 0 if the system does not tell. */
function countOpenFiles(): number {
	try {
		return readdirSync("/proc/self/fd").length;
	} catch {
		return 0;
	}
}

/** The figures of the last tenth divided by those of the first. */
function ratios(tenths: readonly Tenth[]): Readonly<Record<string, number>> {
	const [first, last] = [tenths[0], tenths.at(-1)];
	if (!first || !last) return {};
	const ratio = (key: keyof Tenth) => Math.round((100 * last[key]) / Math.max(first[key], 0.001)) / 100;
	return {
		medianMs: ratio("medianMs"),
		worstMs: ratio("worstMs"),
		heapMegabytes: ratio("heapMegabytes"),
		ownMegabytes: ratio("ownMegabytes"),
		openFiles: ratio("openFiles"),
		historyMegabytes: ratio("historyMegabytes"),
		logKilobytes: ratio("logKilobytes"),
		tokens: ratio("tokens"),
	};
}

const help = `npm run endurance -- [--requests 20000] [--policy cwl] [--json]

One session of many requests: time, memory and log of each tenth, and of the last compared with the first.

  --requests 20000   requests, at least ${TENTHS}
  --policy cwl       the policy of the session
  --json             the figures as JSON
`;

async function main(): Promise<number> {
	const { values } = parseArgs({
		options: {
			requests: { type: "string", default: "20000" },
			policy: { type: "string", default: "cwl" },
			json: { type: "boolean", default: false },
			help: { type: "boolean", short: "h", default: false },
		},
	});
	if (values.help) {
		process.stdout.write(help);
		return 0;
	}
	const requests = readCount("requests", values.requests, TENTHS);
	const tenths = await run(requests, values.policy);
	const lastToFirst = ratios(tenths);
	if (values.json) console.log(JSON.stringify({ requests, policy: values.policy, lastToFirst, tenths }));
	else {
		console.table(tenths);
		console.table(lastToFirst);
	}
	return 0;
}

process.exitCode = await reportExpected("endurance", main);
