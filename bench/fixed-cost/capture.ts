/** Starts an agent and captures the first request that it sends through each API. */
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
	type ApiName,
	echo,
	LOOPBACK_PROVIDER,
	type PiProcessOptions,
	type RequestHead,
	readHead,
	startLoopback,
	startPiProcess,
	writeAgentDirectory,
} from "#loopback";

export interface CapturedHead extends RequestHead {
	readonly api: ApiName;
}

/** Uses an empty folder and its own agent folder, so that nothing of the machine's user is counted. */
export async function captureHeads(
	command: PiProcessOptions["command"],
	apis: readonly ApiName[],
): Promise<readonly CapturedHead[]> {
	const directory = await mkdtemp(join(tmpdir(), "cwl-prompt-"));
	const [agent, work] = [join(directory, "agent"), join(directory, "work")];
	const server = await startLoopback({ model: echo, keepBodies: true });
	try {
		await mkdir(work);
		await writeAgentDirectory(agent, { url: server.url });
		const environment = { ...process.env, PI_CODING_AGENT_DIR: agent, PI_OFFLINE: "1" };
		const pi = startPiProcess({ command, cwd: work, environment });
		try {
			for (const api of apis) {
				await pi.send({ type: "set_model", provider: LOOPBACK_PROVIDER, modelId: api });
				await pi.prompt("hello");
			}
		} finally {
			await pi.close();
		}
		return server.records().map(({ api, body }) => ({ api, ...readHead(body) }));
	} finally {
		await server.close();
		await rm(directory, { recursive: true, force: true });
	}
}
