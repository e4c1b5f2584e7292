/** Many sessions at once through one proxy: every request must be answered, and the proxy's memory must stay flat. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describeMachine, type Machine } from "../machine.ts";
import { type Running, startProcess, startProxy } from "../processes.ts";
import { createProgress } from "../progress.ts";
import { createRequests, type Requests } from "./requests.ts";
import { timeRequest } from "./timing.ts";

export interface LoadFigures {
	readonly sessions: number;
	readonly requests: number;
	/** Requests without an answer of the provider. */
	readonly lost: number;
	readonly seconds: number;
	/** Resident memory of the proxy in MB, after each tenth of the requests. */
	readonly memory: readonly number[];
	readonly machine: Machine;
}

/** A session begins with about so many tokens, and ends after so many requests; then its place goes to a new one. */
const FIRST_TOKENS = 2_000;
const REQUESTS_PER_SESSION = 60;
/** Tokens; sessions pass it after some twenty requests. */
const BUDGET = 12_000;

/** Sends `requests` requests from `sessions` agents at once through a proxy that evicts. */
export async function measureLoad(
	sessions: number,
	requests: number,
	signal: AbortSignal,
): Promise<LoadFigures> {
	const folder = mkdtempSync(join(tmpdir(), "cwl-bench-load-"));
	const provider = await startProcess(["bench/proxy/provider.mjs"]);
	const proxy = await startProxy(provider, folder, "--enforce", "--budget", String(BUDGET));
	const url = `${proxy.url}/test/v1/messages`;
	const progress = createProgress(requests, "requests");
	const start = performance.now();
	const memory: number[] = [];
	let [begun, ended, lost, seed] = [0, 0, 0, 0];

	async function runAgent(): Promise<void> {
		let session: Requests | undefined;
		for (let sent = 0; begun < requests && !signal.aborted; sent += 1) {
			begun += 1;
			if (sent % REQUESTS_PER_SESSION === 0 || !session) {
				seed += 1;
				session = createRequests(FIRST_TOKENS, seed);
			}
			// A request that fails is lost, and the others go on.
			await timeRequest(url, session.next()).catch(() => {
				lost += 1;
			});
			ended += 1;
			if (ended % Math.ceil(requests / 10) === 0) memory.push(residentMemory(proxy));
			progress(ended);
		}
	}

	try {
		await Promise.all(Array.from({ length: sessions }, runAgent));
		const seconds = Math.round((performance.now() - start) / 1_000);
		return { sessions, requests: ended, lost, seconds, memory, machine: describeMachine() };
	} finally {
		for (const { stop } of [provider, proxy]) stop();
		rmSync(folder, { recursive: true, force: true });
	}
}

/** In MB. */
function residentMemory({ pid }: Running): number {
	return Math.round(
		Number(execFileSync("ps", ["-o", "rss=", "-p", String(pid)], { encoding: "utf8" })) / 1024,
	);
}

export function formatLoad({ sessions, requests, lost, seconds, memory }: LoadFigures): string {
	return `${requests} requests of ${sessions} sessions at once in ${seconds} s: ${lost === 0 ? "none" : lost} lost. Memory of the proxy after each tenth, in MB: ${memory.join(", ")}.\n`;
}
