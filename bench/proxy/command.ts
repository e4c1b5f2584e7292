/**
 * `npm run bench -- proxy`: the time that `cwl proxy` adds to a request. The same growing request goes to a provider
 * directly, through the least that a proxy in Node can be, through one that watches and through one that evicts, in turn,
 * each a process of its own.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { percentile } from "#lab";
import { readCount } from "../arguments.ts";
import { describeMachine } from "../machine.ts";
import { buildProgram, startProcess, startProxy } from "../processes.ts";
import { catchInterrupt, createProgress, INTERRUPTED } from "../progress.ts";
import { formatKills, measureKills } from "./kills.ts";
import { formatLoad, measureLoad } from "./load.ts";
import { createRequests } from "./requests.ts";
import { timeRequest } from "./timing.ts";

export const help = `npm run bench -- proxy: the time that cwl proxy adds to a request, compared with the same request without it. It makes the
build in dist/ and runs that, as an installed package does; CWL_PROGRAM=/path/to/cwl runs another cwl.

  --tokens 200000    size of the request
  --rounds 1000      requests for each way; each is one exchange longer than the one before, and 200 make a session
  --load 100000      instead: so many requests from many sessions at once, whether any is lost, and the proxy's memory
  --sessions 50      sessions at once
  --kills 1000       instead: SIGKILL at a random moment of a request so many times; compares the bytes after a new start
  --seed 1           of the moments and sessions of --kills
  --json             figures as JSON
`;

const flags = {
	tokens: { type: "string", default: "200000" },
	rounds: { type: "string", default: "1000" },
	load: { type: "string" },
	sessions: { type: "string", default: "50" },
	kills: { type: "string" },
	seed: { type: "string", default: "1" },
	json: { type: "boolean", default: false },
} as const;

/** Rounds of a session; then another one begins with so many tokens again. */
const SESSION = 200;
/** Rounds of each session that are not counted: connections open, and every process reads all of it for the first time. */
const WARM_UP = 5;
/** Between two requests, in ms: a model takes longer to answer. What a proxy does after an answer is done then. */
const PAUSE = 20;
/** Half of the request is evicted, so that each request is cut as well as read. */
const BUDGET_SHARE = 0.5;

const ways = ["direct", "pass-through", "observe", "below budget", "enforce"] as const;
type Way = (typeof ways)[number];

/** Runs the bench and returns 0. */
export async function run(argv: readonly string[]): Promise<number> {
	const { values } = parseArgs({ args: [...argv], options: flags });
	process.env.CWL_PROGRAM ??= buildProgram();
	if (values.load !== undefined) {
		return runLoad(readCount("sessions", values.sessions), readCount("load", values.load), values.json);
	}
	if (values.kills !== undefined) {
		return runKills(readCount("kills", values.kills), readCount("seed", values.seed), values.json);
	}
	const [tokens, rounds] = [readCount("tokens", values.tokens, 2_000), readCount("rounds", values.rounds)];
	const folder = mkdtempSync(join(tmpdir(), "cwl-bench-proxy-"));
	const provider = await startProcess(["bench/proxy/provider.mjs"]);
	const budget = String(Math.round(tokens * BUDGET_SHARE));
	const proxies = {
		"pass-through": await startProcess(["bench/proxy/pass-through.mjs", provider.url]),
		observe: await startProxy(provider, folder, "--budget", budget),
		"below budget": await startProxy(provider, folder, "--enforce", "--budget", String(10 * tokens)),
		enforce: await startProxy(provider, folder, "--enforce", "--budget", budget),
	};
	try {
		const urls = {
			direct: `${provider.url}/v1/messages`,
			"pass-through": `${proxies["pass-through"].url}/v1/messages`,
			observe: `${proxies.observe.url}/test/v1/messages`,
			"below budget": `${proxies["below budget"].url}/test/v1/messages`,
			enforce: `${proxies.enforce.url}/test/v1/messages`,
		};
		const times = await measure(urls, tokens, rounds);
		const figures = { tokens, rounds, ways: summarize(times), machine: describeMachine() };
		process.stdout.write(values.json ? `${JSON.stringify(figures)}\n` : format(figures));
		return 0;
	} finally {
		for (const { stop } of [provider, ...Object.values(proxies)]) stop();
		rmSync(folder, { recursive: true, force: true });
	}
}

/** Exit code 1 if a request was lost. */
async function runLoad(sessions: number, requests: number, isJson: boolean): Promise<number> {
	const { signal, release } = catchInterrupt();
	const figures = await measureLoad(sessions, requests, signal);
	release();
	process.stdout.write(isJson ? `${JSON.stringify(figures)}\n` : formatLoad(figures));
	return figures.lost > 0 ? 1 : signal.aborted ? INTERRUPTED : 0;
}

/** Exit code 1 if a request had other bytes. */
async function runKills(kills: number, seed: number, isJson: boolean): Promise<number> {
	const { signal, release } = catchInterrupt();
	const figures = await measureKills(kills, signal, seed);
	release();
	process.stdout.write(isJson ? `${JSON.stringify(figures)}\n` : formatKills(figures));
	return figures.equal < figures.kills ? 1 : signal.aborted ? INTERRUPTED : 0;
}

/** Milliseconds to the end of each answer, by way. */
async function measure(urls: Readonly<Record<Way, string>>, tokens: number, rounds: number) {
	const times: Record<Way, number[]> = {
		...{ direct: [], "pass-through": [], observe: [] },
		...{ "below budget": [], enforce: [] },
	};
	const progress = createProgress(rounds, "rounds");
	for (let done = 0; done < rounds; done += SESSION) {
		const requests = createRequests(tokens, 1 + done);
		for (let round = -WARM_UP; round < Math.min(SESSION, rounds - done); round += 1) {
			const body = requests.next();
			// Another way begins in each round, so that none is always the one after another one.
			for (const turn of ways.keys()) {
				const way = ways[(turn + round + WARM_UP) % ways.length];
				if (!way) continue;
				await pause(PAUSE);
				const time = await timeRequest(urls[way], body);
				if (round >= 0) times[way].push(time);
			}
			progress(Math.max(0, done + round + 1));
		}
	}
	return times;
}

interface WayFigures {
	readonly way: Way;
	/** Milliseconds. */
	readonly p50: number;
	readonly p99: number;
	/** More than the direct request of the same round, in ms. */
	readonly addedP50: number;
	readonly addedP99: number;
}

function summarize(times: Readonly<Record<Way, readonly number[]>>): readonly WayFigures[] {
	const at = (values: readonly number[], share: number) => percentile(values, share) ?? Number.NaN;
	return ways.map((way) => {
		const own = times[way];
		const added = own.map((time, round) => time - (times.direct[round] ?? 0));
		const [p50, p99] = [at(own, 0.5), at(own, 0.99)];
		return { way, p50, p99, addedP50: at(added, 0.5), addedP99: p99 - at(times.direct, 0.99) };
	});
}

function format({
	tokens,
	rounds,
	ways,
}: {
	tokens: number;
	rounds: number;
	ways: readonly WayFigures[];
}): string {
	const rows = ways.map(
		({ way, p50, p99, addedP50, addedP99 }) =>
			`| ${way.padEnd(12)} | ${[p50, p99, addedP50, addedP99].map((ms) => ms.toFixed(2).padStart(9)).join(" | ")} |`,
	);
	return `A request of ${tokens} tokens, ${rounds} rounds, times in ms:
| way          |       p50 |       p99 | added p50 | added p99 |
|--------------|----------:|----------:|----------:|----------:|
${rows.join("\n")}
`;
}
