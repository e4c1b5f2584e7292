/** A provider on this machine for a rehearsal: the scripted worker behind a strict, cache-true server. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ScriptedModel } from "#loopback";
import { LOOPBACK_PROVIDER, writeAgentDirectory } from "#loopback/pi-driver";
import { startLoopback } from "#loopback/server";

/** Tokens; no arm outgrows it. */
const CONTEXT_WINDOW = 1_000_000;

/** By the clock of its cache the requests are so many seconds apart; a cache that stands still never expires. */
export async function startRehearsal(worker: ScriptedModel, secondsApart: number) {
	const userDirectory = await mkdtemp(join(tmpdir(), "cwl-rehearsal-"));
	let time = 0;
	const model: ScriptedModel = (request) => {
		time += 1_000 * secondsApart;
		return worker(request);
	};
	const server = await startLoopback({ model, now: () => time, contextWindow: CONTEXT_WINDOW });
	await writeAgentDirectory(userDirectory, { url: server.url, contextWindow: CONTEXT_WINDOW });
	return {
		userDirectory,
		name: `${LOOPBACK_PROVIDER}/anthropic`,
		async close() {
			await server.close();
			await rm(userDirectory, { recursive: true, force: true });
		},
	};
}
