/**
 * SIGKILL: a proxy is killed at a random moment of a request and started again on its store; the agent sends the request
 * again. What the provider gets must be, byte for byte, what a proxy that was never killed sends.
 */
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { seededRandom } from "#core";
import { startProxy } from "../processes.ts";
import { createProgress } from "../progress.ts";
import { createRequests } from "./requests.ts";
import { timeRequest } from "./timing.ts";

export interface KillFigures {
	readonly kills: number;
	/** Requests whose bytes were those of the proxy that was never killed. */
	readonly equal: number;
	/** Kills after which the provider had already got the request. */
	readonly arrived: number;
	/** Requests that the budget changed. */
	readonly evicted: number;
}

/** Tokens: every request of a session is above the budget. */
const [FIRST_TOKENS, BUDGET] = [8_000, 8_000];
const KILLS_PER_SESSION = 25;

/** Kills a proxy so many times, or until the signal. */
export async function measureKills(kills: number, signal: AbortSignal, seed = 1): Promise<KillFigures> {
	const provider = await startRecorder();
	const folder = mkdtempSync(join(tmpdir(), "cwl-bench-kills-"));
	const flags = ["--enforce", "--budget", String(BUDGET), "--port"];
	const reference = await startProxy(provider, join(folder, "reference"), ...flags, "0");
	let victim = await startProxy(provider, join(folder, "victim"), ...flags, "0");
	const random = seededRandom(seed);
	const progress = createProgress(kills, "kills");
	const figures = { kills: 0, equal: 0, arrived: 0, evicted: 0 };
	let session = createRequests(FIRST_TOKENS, seed);
	try {
		while (figures.kills < kills && !signal.aborted) {
			if (figures.kills % KILLS_PER_SESSION === 0)
				session = createRequests(FIRST_TOKENS, seed + figures.kills);
			const body = session.next();
			const begun = performance.now();
			const expected = await provider.received(() => timeRequest(`${reference.url}/test/v1/messages`, body));
			// Some kills come after the answer.
			const longest = 1.5 * (performance.now() - begun);
			const early = await provider.received(async () => {
				const sent = timeRequest(`${victim.url}/test/v1/messages`, body).catch(() => undefined);
				await pause(random() * longest);
				victim.stop();
				await sent;
			});
			victim = await startProxy(provider, join(folder, "victim"), ...flags, new URL(victim.url).port);
			const late = await provider.received(() => timeRequest(`${victim.url}/test/v1/messages`, body));
			const all = [...early, ...late];
			figures.kills += 1;
			if (early.length > 0) figures.arrived += 1;
			if (expected[0] !== hashOf(body)) figures.evicted += 1;
			if (late.length === 1 && all.every((hash) => hash === expected[0])) figures.equal += 1;
			progress(figures.kills);
		}
		return figures;
	} finally {
		for (const { stop } of [reference, victim]) stop();
		await provider.close();
		rmSync(folder, { recursive: true, force: true });
	}
}

const hashOf = (body: Buffer): string => createHash("sha256").update(body).digest("hex");

/** Bytes for which the provider counts a token: fewer than a proxy would expect. */
const BYTES_PER_TOKEN = 3;

/** A provider that keeps a hash of each whole body, and counts more tokens than a proxy does. */
async function startRecorder() {
	const hashes: string[] = [];
	const server = createServer((request, response) => {
		const chunks: Buffer[] = [];
		request.on("data", (chunk: Buffer) => chunks.push(chunk));
		request.on("end", () => {
			const body = Buffer.concat(chunks);
			hashes.push(hashOf(body));
			const usage = { input_tokens: Math.ceil(body.length / BYTES_PER_TOKEN) };
			response.end(JSON.stringify({ type: "message", usage }));
		});
		request.on("error", () => undefined);
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const address = server.address();
	const port = typeof address === "object" && address ? address.port : 0;
	return {
		...{ url: `http://127.0.0.1:${port}`, pid: process.pid, stop: () => undefined },
		/** The hashes of the bodies that arrive during some work. */
		async received(work: () => Promise<unknown>): Promise<readonly string[]> {
			const from = hashes.length;
			await work();
			return hashes.slice(from);
		},
		close: () => new Promise((resolve) => server.close(resolve)),
	};
}

export function formatKills({ kills, equal, arrived, evicted }: KillFigures): string {
	return `${equal} of ${kills} requests byte-equal after SIGKILL and a new start; ${arrived} had arrived before the kill, ${evicted} were above the budget.\n`;
}
