/** A provider on this machine for a rehearsal: the scripted worker behind a strict, cache-true server. */
import type { ScriptedModel } from "#loopback";
import { LOOPBACK_PROVIDER, writeAgentDirectory } from "#loopback/pi-driver";
import { startLoopback } from "#loopback/server";

/** Tokens; no arm outgrows it. */
const CONTEXT_WINDOW = 1_000_000;

/**
 * Writes a folder of pi for the provider. By the clock of its cache the requests are so many seconds apart; a cache that stands
 * still never expires.
 */
export async function startRehearsal(directory: string, worker: ScriptedModel, secondsApart: number) {
	let time = 0;
	const model: ScriptedModel = (request) => {
		time += 1_000 * secondsApart;
		return worker(request);
	};
	const server = await startLoopback({ model, now: () => time, contextWindow: CONTEXT_WINDOW });
	await writeAgentDirectory(directory, { url: server.url, contextWindow: CONTEXT_WINDOW });
	return { name: `${LOOPBACK_PROVIDER}/anthropic`, close: () => server.close() };
}
