/**
 * A pi that is never killed. It opens a copy of the session file and returns the request that it would send next; a
 * resumed process must send the same bytes.
 */
import { copyFile, mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { type ApiName, startLoopback, startPiProcess, writeAgentDirectory } from "#loopback";

export interface ReferenceRunOptions {
	/** A folder of its own, created if missing. */
	readonly directory: string;
	readonly command: readonly [string, ...string[]];
	readonly cwd: string;
	readonly environment: Readonly<Record<string, string | undefined>>;
	readonly api: ApiName;
}

export interface ReferenceRun {
	/** The body, as JSON, of the request that a session would send for a prompt. */
	nextRequest(sessionFile: string, prompt: string): Promise<string>;
	close(): Promise<void>;
}

export async function createReferenceRun({
	directory,
	command,
	cwd,
	environment,
	api,
}: ReferenceRunOptions): Promise<ReferenceRun> {
	await mkdir(directory, { recursive: true });
	const server = await startLoopback({ model: () => ({ text: "I only look." }), keepBodies: 1 });
	await writeAgentDirectory(directory, { url: server.url, api });
	let copies = 0;
	const pi = startPiProcess({
		command: [...command, "--no-session"],
		cwd,
		environment: { ...environment, PI_CODING_AGENT_DIR: directory },
	});
	return {
		async nextRequest(sessionFile, prompt) {
			// A new copy each time: pi may still write to the one it has open.
			const copy = join(directory, `copy-${++copies}.jsonl`);
			await copyFile(sessionFile, copy);
			const before = server.records().length;
			await pi.send({ type: "switch_session", sessionPath: copy });
			await rm(join(directory, `copy-${copies - 1}.jsonl`), { force: true });
			await pi.prompt(prompt);
			return JSON.stringify(server.records().findLast(({ index }) => index >= before)?.body);
		},
		async close() {
			await pi.close();
			await server.close();
		},
	};
}
